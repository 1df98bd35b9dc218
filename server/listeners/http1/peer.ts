import type { Holding, Holdings } from "../../../domains/index.ts";
import { lightRequest, type Arrived } from "../../../adapters/http1/arrived-request.ts";
import { Http1Connection } from "../../../adapters/http1/connection.ts";
import type { Peer, Shared } from "../../../adapters/http1/peer.ts";
import { PLAIN, type Head } from "../../../adapters/http1/head.ts";
import type { IncomingBody } from "../../../adapters/http1/incoming-body.ts";
import { lengthOf, writeWhole } from "../../../adapters/http1/outgoing.ts";
import { bytesOf } from "../../../lib/base/blob-response.ts";
import { SECOND_MS } from "../../../lib/base/clock.ts";
import type { Eventual } from "../../../lib/base/eventual.ts";
import type { Connections, Handler } from "../front.ts";

/** What the connections of a server share. */
export interface PlainShared extends Shared {
  readonly fetch: Handler;
  /** How long a connection may be without a byte in either direction. */
  readonly idleMs: number;
  /** Counts what connections hold for their clients. */
  readonly holdings: Pick<Holdings, "open">;
  readonly began: () => void;
  readonly ended: () => void;
}

const NOTHING = new Uint8Array();
/** Where small responses are put together. */
const SHARED = Buffer.allocUnsafeSlow(64 * 1_024);

/** A client that is connected without TLS. */
export class PlainPeer implements Peer, Connections {
  readonly origin = PLAIN;
  readonly connection: Http1Connection;
  readonly #shared: PlainShared;
  readonly #socket: Bun.Socket<unknown>;
  #queue: Uint8Array[] = [];
  unsent = 0;
  #idleMs: number;
  #activeAt: number;

  constructor(shared: PlainShared, socket: Bun.Socket<unknown>) {
    this.#shared = shared;
    this.#socket = socket;
    this.#idleMs = shared.idleMs;
    this.#activeAt = shared.now();
    this.connection = new Http1Connection(shared, this);
  }

  requestIP(): { readonly address: string; readonly port: number } {
    return { address: this.#socket.remoteAddress, port: this.#socket.remotePort };
  }

  timeout(_request: Request, seconds: number): void {
    this.#idleMs = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * SECOND_MS;
  }

  receive(chunk: Buffer): void {
    this.#activeAt = this.#shared.now();
    this.connection.receive(chunk);
  }

  /** Closes the connection if it has been quiet, or has taken its time, for too long. */
  check(now: number): void {
    const isQuiet = now - this.#activeAt >= this.#idleMs;
    this.connection.check(isQuiet ? Number.POSITIVE_INFINITY : now);
  }

  get waits(): boolean {
    return this.unsent > 0;
  }

  send(data: string | Uint8Array): boolean {
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    const sent = this.waits ? 0 : this.#sent(this.#socket.write(bytes));
    if (sent === bytes.length) return true;
    this.#later(bytes.subarray(sent));
    return this.connection.destroyed;
  }

  sendWhole(head: readonly string[], body: string | Uint8Array): void {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const size = lengthOf(head) + length;
    if (size > SHARED.length) {
      this.send(head.join(""));
      this.send(typeof body === "string" ? Buffer.from(body) : body);
      return;
    }
    writeWhole(SHARED, head, body);
    const sent = this.waits ? 0 : this.#sent(this.#socket.write(SHARED, 0, size));
    if (sent < size) this.#later(Buffer.from(SHARED.subarray(sent, size)));
  }

  /** The system has sent something. */
  drained(): void {
    this.#activeAt = this.#shared.now();
    while (this.waits) {
      const [first = NOTHING] = this.#queue;
      const sent = this.#sent(this.#socket.write(first));
      this.unsent -= sent;
      if (sent < first.length) {
        this.#queue[0] = first.subarray(sent);
        break;
      }
      this.#queue.shift();
    }
    this.connection.drained();
  }

  /** A negative number means that the client has left. While reading is paused, nothing else tells. */
  #sent(sent: number): number {
    if (sent < 0) this.connection.destroy();
    else if (sent > 0) this.#activeAt = this.#shared.now();
    return Math.max(0, sent);
  }

  #later(bytes: Uint8Array): void {
    if (this.connection.destroyed) return;
    this.#queue.push(bytes);
    this.unsent += bytes.length;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(fully: boolean): void {
    if (fully) this.#socket.end();
    else this.#socket.shutdown();
  }

  destroy(): void {
    this.#socket.terminate();
  }

  requestOf(head: Head, body: IncomingBody | undefined): Arrived {
    return lightRequest(head, body);
  }

  answer(request: Request): Eventual<Response> {
    return this.#shared.fetch(request, this);
  }

  bytesOf(file: Blob): Promise<Uint8Array> {
    return bytesOf(file);
  }

  hold(cut: () => void): Holding {
    return this.#shared.holdings.open(cut);
  }

  began(): void {
    this.#shared.began();
  }

  ended(): void {
    this.#idleMs = this.#shared.idleMs;
    this.#shared.ended();
  }
}
