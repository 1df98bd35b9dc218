import type { TLSSocket } from "node:tls";

import { refusal } from "../../adapters/bridge.ts";
import { asksToClose } from "../../adapters/http1-head.ts";
import { isBodiless, sendResponse } from "../../adapters/node-response.ts";
import { bytesOf, currentWhile, wholeOf } from "../../lib/base/blob-response.ts";
import { sizedCache, type Cache } from "../../lib/base/cache.ts";
import { httpTime, SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import { answerAs, hostOf, type RequestAnswerer } from "./answer-request.ts";
import type { Connection, Connections } from "./connections.ts";
import type { TlsLimits } from "./limits.ts";
import { headOf, PlainResponse } from "./plain-response.ts";
import { readSimple, requestOf, type SimpleRequest } from "./simple-request.ts";
import { together, type Together } from "./together.ts";

export interface QuickOptions {
  readonly answerer: RequestAnswerer;
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly limits: TlsLimits;
  readonly clock: Pick<Clock, "now">;
  /** Whether responses must close their connections. */
  readonly draining: () => boolean;
}

/** Answers HTTP/1.1 on a connection until a request is not simple; then calls `leave` with what was read of it. */
export type AnswerQuickly = (
  connection: Connection,
  tls: TLSSocket,
  leave: (read: Buffer) => void,
) => void;

/** A request longer than this is not simple. */
const MAX_SIMPLE = 4 * 1_024;
/** A paused socket delivers only what was already read from it. */
const MAX_WAITING = 1_024 * 1_024;
/** A body up to this size is sent at once. */
const PART = 32 * 1_024;
const MAX_KEPT = 128 * 1_024;

/** A response that may be sent again. */
interface Kept {
  readonly serverName: string;
  /** Whether it would be the same now. */
  readonly isCurrent: () => boolean;
  /** Head and body. */
  readonly bytes: Buffer;
  /** Index of the date, which is replaced when it has changed. */
  readonly dateAt: number;
  date: string;
}

/** What the connections of a front share. */
interface Shared extends QuickOptions {
  /** By the whole text of the request. */
  readonly kept: Cache<Kept>;
  /** Returns the bytes of a small file, without a promise if they are known. */
  readonly bytesOf: (file: Blob) => Eventual<Uint8Array>;
  /** Sends the responses of a round of the event loop together. */
  readonly together: Together;
  /** Returns the `Date` of a response. */
  readonly date: () => string;
}

export function createQuick(options: QuickOptions): AnswerQuickly {
  const { limits, clock } = options;
  const kept = sizedCache<Kept>(
    limits.maxKeptBytes,
    ({ bytes }, text) => bytes.length + text.length + OVERHEAD,
  );
  const shared = {
    ...options,
    kept,
    bytesOf: recentBytes(limits.maxKeptBytes),
    date: dates(clock),
    together: together((flush) => void setImmediate(flush)),
  };
  return (connection, tls, leave) => void new QuickConnection(shared, connection, tls, leave);
}

/** Bytes counted per kept response in addition to its content. */
const OVERHEAD = 500;

/** Remembers the bytes of up to `maxBytes` of files. */
function recentBytes(maxBytes: number): Shared["bytesOf"] {
  const known = new Map<Blob, Uint8Array>();
  let size = 0;
  return (file) =>
    known.get(file) ??
    bytesOf(file).then((bytes) => {
      if (!known.has(file)) size += file.size + OVERHEAD;
      known.set(file, bytes);
      for (const [oldest] of known) {
        if (size <= maxBytes) break;
        known.delete(oldest);
        size -= oldest.size + OVERHEAD;
      }
      return bytes;
    });
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

class QuickConnection {
  readonly #options: Shared;
  readonly #connection: Connection;
  readonly #tls: TLSSocket;
  readonly #leave: (read: Buffer) => void;
  /** Whether a response is not complete. */
  #busy = false;
  /** Input that arrived before the end of the response. */
  #waiting: Buffer | undefined;
  #request: SimpleRequest | undefined;
  #response: PlainResponse | undefined;
  /** Writes the response that waits for those of other connections. */
  #unwritten: (() => void) | undefined;
  /** The previous request. One that is repeated may be worth keeping. */
  #previous = "";

  constructor(
    options: Shared,
    connection: Connection,
    tls: TLSSocket,
    leave: (read: Buffer) => void,
  ) {
    this.#options = options;
    this.#connection = connection;
    this.#tls = tls;
    this.#leave = leave;
    tls.on("data", this.#receive);
    tls.on("drain", this.#drained);
    tls.once("close", this.#closed);
    // A client may end its side with the request; the runtime then ends ours.
    tls.prependOnceListener("end", () => {
      while (this.#unwritten !== undefined) this.#unwritten();
    });
  }

  readonly #receive = (chunk: Buffer): void => {
    if (!this.#busy) {
      this.#take(chunk);
      return;
    }
    this.#tls.pause();
    this.#waiting = this.#waiting === undefined ? chunk : Buffer.concat([this.#waiting, chunk]);
    // It waits for the end of the response, and is not late.
    this.#connection.holding.set("body", this.#waiting.length);
    if (this.#waiting.length > MAX_WAITING) this.#tls.destroy();
  };

  readonly #drained = (): void => this.#response?.emit("drain");

  readonly #closed = (): void => {
    this.#request?.abort();
    this.#response?.emit("close");
  };

  #take(chunk: Buffer): void {
    const { limits, connections } = this.#options;
    const short = chunk.length <= Math.min(MAX_SIMPLE, limits.maxHeaderBytes);
    const text = short ? chunk.toString("latin1") : "";
    if (this.#repeat(text)) return;
    const simple = readSimple(text);
    const request = simple === undefined ? undefined : requestOf(simple);
    const { remoteAddress, serverName = "", credential } = this.#connection;
    if (simple === undefined || request === undefined || credential === undefined) {
      this.#tls.off("data", this.#receive);
      this.#tls.off("drain", this.#drained);
      this.#tls.off("close", this.#closed);
      this.#leave(chunk);
      return;
    }
    this.#busy = true;
    connections.begin(this.#connection);
    const { method, authority, personal } = simple;
    const keeps = text === this.#previous && !personal ? text : undefined;
    this.#previous = text;
    const { answerer } = this.#options;
    this.#request = request;
    const host = authority === serverName ? serverName : hostOf(authority);
    let answered: Eventual<Response>;
    try {
      answered = answerAs(answerer, request, {
        info: { remoteAddress, serverName },
        credential,
        host,
      });
    } catch (error) {
      answered = this.#failed(error);
    }
    const keepable = method === "GET" && host === serverName ? keeps : undefined;
    if (!isPromise(answered)) {
      this.#send(answered, request, keepable);
      return;
    }
    const flow = this.#connection.holding.begin(chunk.length);
    void answered
      .catch((error: unknown) => this.#failed(error))
      .then((response) => {
        flow.end();
        this.#send(response, request, keepable);
      });
  }

  #failed(error: unknown): Response {
    if (!this.#tls.destroyed) this.#options.answerer.onError(error);
    return refusal("internal_error", "Something broke on our side.");
  }

  /** Sends a kept response. Returns false if there is none. */
  #repeat(text: string): boolean {
    const { kept, date, draining, connections } = this.#options;
    const known = kept.get(text);
    if (known === undefined) return false;
    const { serverName, isCurrent, bytes, dateAt } = known;
    if (serverName !== this.#connection.serverName || draining() || !isCurrent()) return false;
    const now = date();
    if (now !== known.date) {
      bytes.write(now, dateAt, "latin1");
      known.date = now;
    }
    this.#busy = true;
    connections.begin(this.#connection);
    this.#write(bytes, false);
    return true;
  }

  #send(response: Response, request: SimpleRequest, keepable: string | undefined): void {
    const whole = wholeOf(response);
    if (request.method === "HEAD" || isBodiless(response.status) || whole === undefined) {
      void this.#stream(response, request);
    } else if (typeof whole === "string") {
      this.#sendWhole(response, whole, keepable);
    } else if (whole.size <= PART) {
      const body = this.#options.bytesOf(whole);
      if (!isPromise(body)) this.#sendWhole(response, body, keepable);
      else {
        body
          .then((bytes) => this.#sendWhole(response, bytes, keepable))
          .catch((error: unknown) => {
            this.#options.answerer.onError(error);
            this.#tls.destroy();
          });
      }
    } else {
      void this.#stream(response, request);
    }
  }

  #sendWhole(response: Response, body: Uint8Array | string, keepable: string | undefined): void {
    const { kept, date: dateNow, draining } = this.#options;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const { head, closes } = headOf(response, length, draining());
    const date = dateNow();
    const dateAt = head.length;
    const start = `${head}${date}\r\n\r\n`;
    const bytes = Buffer.allocUnsafe(start.length + length);
    bytes.write(start, "latin1");
    if (typeof body === "string") bytes.write(body, start.length);
    else bytes.set(body, start.length);
    if (keepable !== undefined && !closes && bytes.length <= MAX_KEPT) {
      const isShared = response.status === 200 && !response.headers.has("set-cookie");
      const isCurrent = isShared ? currentWhile(response) : undefined;
      const { serverName = "" } = this.#connection;
      if (isCurrent !== undefined) {
        kept.set(keepable, { serverName, isCurrent, bytes, dateAt, date });
      }
    }
    this.#write(bytes, closes);
  }

  #write(bytes: Buffer, closes: boolean): void {
    if (bytes.length > MAX_KEPT) {
      this.#writeNow(bytes, closes);
      return;
    }
    const write = (): void => {
      if (this.#unwritten !== write) return;
      this.#unwritten = undefined;
      this.#writeNow(bytes, closes);
    };
    this.#unwritten = write;
    this.#options.together(write);
  }

  /** Sends a response. The next request waits until the client has read most of it. */
  #writeNow(bytes: Buffer, closes: boolean): void {
    // The name may have been removed since the request arrived.
    if (this.#tls.destroyed || this.#connection.socket.destroyed) return;
    if (this.#tls.write(bytes)) {
      this.#done(closes);
      return;
    }
    const flow = this.#connection.holding.begin(0);
    flow.hold(bytes.length);
    const read = flow.awaitClient(() => this.#tls.destroy());
    const end = (): void => {
      this.#tls.off("drain", end);
      this.#tls.off("close", end);
      read();
      flow.end();
      this.#done(closes);
    };
    this.#tls.once("drain", end);
    this.#tls.once("close", end);
  }

  /** Sends a response as the client reads it. */
  async #stream(response: Response, request: SimpleRequest): Promise<void> {
    const closes = this.#options.draining() || asksToClose(response.headers.get("connection"));
    const flow = this.#connection.holding.begin(0);
    const target = new PlainResponse(this.#tls, request.method, closes, this.#options.date());
    this.#response = target;
    try {
      await sendResponse(response, target, request.signal, flow);
    } catch (error) {
      this.#options.answerer.onError(error);
    }
    flow.end();
    this.#response = undefined;
    this.#done(closes);
  }

  #done(closes: boolean): void {
    const { connections } = this.#options;
    this.#request = undefined;
    this.#busy = false;
    connections.end(this.#connection, false);
    if (closes) this.#tls.end();
    const waiting = this.#waiting;
    if (waiting === undefined || this.#tls.destroyed || closes) return;
    this.#waiting = undefined;
    this.#connection.holding.set("body", 0);
    this.#tls.resume();
    this.#take(waiting);
  }
}
