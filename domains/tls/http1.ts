import type { TLSSocket } from "node:tls";

import { wholeRequest, type Arrived } from "../../adapters/http1/arrived-request.ts";
import { Http1Connection } from "../../adapters/http1/connection.ts";
import type { Peer, Shared } from "../../adapters/http1/peer.ts";
import type { Head, Origin } from "../../adapters/http1/head.ts";
import type { IncomingBody } from "../../adapters/http1/incoming-body.ts";
import { lengthOf, writeWhole } from "../../adapters/http1/outgoing.ts";
import type { Holding } from "../../adapters/holdings/holdings.ts";
import { httpTime, SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { andThen, type Eventual } from "../../lib/base/eventual.ts";
import { answerAs, hostOf, type RequestAnswerer } from "./answer-request.ts";
import type { Connection, Connections, Protocol } from "./connections.ts";
import { createKeptResponses, type KeptReader, type KeptResponses } from "./kept-responses.ts";
import type { TlsLimits } from "./limits.ts";
import { together, type Together } from "./together.ts";

export interface SecureHttp1Options {
  readonly answerer: RequestAnswerer;
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly limits: TlsLimits;
  readonly clock: Pick<Clock, "now">;
  /** Whether responses must close their connections. */
  readonly draining: () => boolean;
}

/** Speaks HTTP/1.1 with the client of a connection. */
export type SpeakHttp1 = (connection: Connection, tls: TLSSocket) => Protocol;

/** A larger response does not wait for those of other connections. */
const MAX_TOGETHER = 128 * 1_024;

/** What the connections of a front share. */
interface SecureShared extends Shared {
  readonly options: SecureHttp1Options;
  readonly kept: KeptResponses;
  /** Sends the responses of a round of the event loop together. */
  readonly together: Together;
}

export function createSecureHttp1(options: SecureHttp1Options): SpeakHttp1 {
  const { answerer, limits, clock, draining } = options;
  const date = dates(clock);
  const shared: SecureShared = {
    options,
    onError: answerer.onError,
    limits: {
      maxHeadBytes: limits.maxHeaderBytes,
      // The connection's own deadlines apply to these.
      headMs: Number.POSITIVE_INFINITY,
      maxDroppedBytes: 4 * 1_024 * 1_024,
      dropMs: 10 * SECOND_MS,
      stopDropMs: SECOND_MS,
      lingerMs: 5 * SECOND_MS,
    },
    now: () => clock.now(),
    date,
    stopping: draining,
    kept: createKeptResponses({ maxBytes: limits.maxKeptBytes, date, draining }),
    together: together((flush) => void setImmediate(flush)),
  };
  return (connection, tls) => new SecurePeer(shared, connection, tls);
}

/** Formats the time once a second. */
function dates(clock: Pick<Clock, "now">): () => string {
  let second = -1;
  let date = "";
  return () => {
    const now = clock.now();
    if (Math.floor(now / SECOND_MS) === second) return date;
    second = Math.floor(now / SECOND_MS);
    date = httpTime(now);
    return date;
  };
}

/** A client that is connected over TLS. */
class SecurePeer implements Peer, Protocol {
  readonly origin: Origin;
  readonly http1: Http1Connection;
  /** A client has a minute for each part. */
  readonly inParts = true;
  readonly #shared: SecureShared;
  readonly #connection: Connection;
  readonly #tls: TLSSocket;
  readonly #kept: KeptReader;
  /** A response that waits for those of other connections. */
  #waiting: Buffer | undefined;
  /** Ends the wait for the client to read. */
  #stopWaiting: (() => void) | undefined;

  constructor(shared: SecureShared, connection: Connection, tls: TLSSocket) {
    const { serverName = "" } = connection;
    this.origin = { scheme: "https", host: serverName };
    this.#shared = shared;
    this.#connection = connection;
    this.#tls = tls;
    this.#kept = shared.kept.reader(serverName);
    this.http1 = new Http1Connection(shared, this);
    tls.on("data", (chunk: Buffer) => this.http1.receive(chunk));
    tls.on("drain", this.#drained);
    // A client may end its side with its requests; the runtime then ends ours.
    tls.prependOnceListener("end", () => {
      while (this.#waiting !== undefined) this.#release();
    });
    tls.once("close", () => {
      this.#stopWaiting?.();
      this.http1.closed();
    });
  }

  get waits(): boolean {
    return this.#waiting !== undefined || this.#stopWaiting !== undefined;
  }

  get unsent(): number {
    return this.#stopWaiting === undefined ? 0 : this.#tls.writableLength;
  }

  send(data: string | Uint8Array): boolean {
    this.#flush();
    return this.#write(typeof data === "string" ? Buffer.from(data, "latin1") : data);
  }

  sendWhole(head: readonly string[], body: string | Uint8Array, isLast: boolean): void {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const bytes = Buffer.allocUnsafe(lengthOf(head) + length);
    writeWhole(bytes, head, body);
    this.#kept.keep(head, bytes);
    if (isLast) this.#writeSoon(bytes);
    else this.send(bytes);
  }

  repeat(input: Buffer): boolean {
    const known = this.#kept.known(input);
    if (known !== undefined) this.#writeSoon(known);
    return known !== undefined;
  }

  #writeSoon(bytes: Buffer): void {
    if (bytes.length > MAX_TOGETHER) {
      this.send(bytes);
      return;
    }
    this.#flush();
    this.#waiting = bytes;
    this.#shared.together(() => {
      if (this.#waiting === bytes) this.#release();
    });
  }

  /** Sends the response that waits, and goes on to the next request. */
  #release(): void {
    this.#flush();
    if (!this.waits) this.http1.drained();
  }

  #flush(): void {
    const bytes = this.#waiting;
    this.#waiting = undefined;
    if (bytes !== undefined) this.#write(bytes);
  }

  #write(bytes: Uint8Array): boolean {
    const { socket, holding } = this.#connection;
    // The name may have been removed since the request arrived. "close" follows.
    if (this.#tls.destroyed || socket.destroyed) return false;
    if (this.#tls.write(bytes)) return true;
    this.#stopWaiting?.();
    this.#stopWaiting = holding.awaitClient(() => this.http1.destroy());
    return false;
  }

  readonly #drained = (): void => {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.http1.drained();
  };

  pause(): void {
    this.#tls.pause();
  }

  resume(): void {
    this.#tls.resume();
  }

  end(): void {
    this.#flush();
    this.#tls.end();
  }

  destroy(): void {
    this.#connection.socket.destroy();
  }

  requestOf(head: Head, body: IncomingBody | undefined): Arrived {
    return wholeRequest(head, body);
  }

  answer(request: Request, head: Head): Eventual<Response> {
    const { serverName } = this.#connection;
    const host = head.host === serverName ? serverName : hostOf(head.host);
    const answered = answerAs(this.#shared.options.answerer, request, this.#connection, host);
    if (host !== serverName) return answered;
    return andThen(answered, (response) => {
      this.#kept.answered(request, response);
      return response;
    });
  }

  bytesOf(file: Blob): Eventual<Uint8Array> {
    return this.#shared.kept.bytesOf(file);
  }

  hold(): Holding {
    return this.#connection.holding;
  }

  get moved(): number {
    return this.#tls.bytesRead + this.#tls.bytesWritten;
  }

  check(now: number): void {
    this.http1.check(now);
  }

  finish(): void {
    this.http1.stop();
  }

  dismiss(): void {
    this.#tls.end(() => this.destroy());
  }

  breakOff(): void {
    this.destroy();
  }

  refuse(): void {
    this.http1.cut();
  }

  began(): void {
    this.#shared.options.connections.begin(this.#connection);
  }

  ended(): void {
    this.#shared.options.connections.end(this.#connection, false);
  }
}
