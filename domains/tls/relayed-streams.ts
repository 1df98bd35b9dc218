import type { RequestHolding } from "../../adapters/holdings/holdings.ts";
import type { Connection, Connections } from "./connections.ts";
import type { RequestHead } from "./request-head.ts";

/** A request that is relayed, from its headers to the end of its response. */
export interface RelayedStream {
  readonly id: number;
  readonly flow: RequestHolding;
  readonly head: RequestHead;
  /** Bytes of the request body that have arrived. */
  received: number;
  /** By how much the client has opened the stream's window, minus what it was sent. */
  granted: number;
  /** Whether the client has sent the whole request. */
  complete: boolean;
  /** Set when the stream is closed. */
  closed: boolean;
  /** Bytes of the response that the client has not accepted. */
  unread: number;
  /** Ends the current wait for the client to read. */
  stopWaiting: (() => void) | undefined;
}

export interface RelayedStreamsOptions {
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly connection: Connection;
  /** Resets a stream whose client takes too long to read. */
  readonly cut: (stream: RelayedStream) => void;
}

/** The streams of a relay that are not closed, and what is held in memory for them. */
export class RelayedStreams {
  readonly #options: RelayedStreamsOptions;
  readonly #byId = new Map<number, RelayedStream>();
  /** Streams whose response is new since the server's last frames. */
  readonly #fresh: RelayedStream[] = [];

  constructor(options: RelayedStreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): RelayedStream | undefined {
    return this.#byId.get(id);
  }

  /** Begins a request. Returns false, and closes the connection, if it has too many. */
  open(id: number, head: RequestHead, complete: boolean): boolean {
    const { connections, connection } = this.#options;
    if (!connections.begin(connection)) return false;
    this.#byId.set(id, {
      id,
      flow: connection.holding.begin(head.bytes, REQUEST_BYTES),
      head,
      received: 0,
      granted: 0,
      complete,
      closed: false,
      unread: 0,
      stopWaiting: undefined,
    });
    return true;
  }

  /** `wasted`: the client cancelled the request, or it was refused. */
  end(id: number, wasted: boolean): void {
    const stream = this.#byId.get(id);
    if (stream === undefined) return;
    this.#byId.delete(id);
    stream.closed = true;
    stream.stopWaiting?.();
    stream.flow.end();
    const { connections, connection } = this.#options;
    connections.end(connection, wasted);
  }

  /** Counts the bytes of a whole response, which wait for the client to read them. */
  hold(stream: RelayedStream, bytes: number): void {
    if (stream.closed) return;
    stream.flow.hold(bytes);
    stream.unread += bytes;
    this.#fresh.push(stream);
  }

  /** Counts the bytes of a part of a response. */
  holdPart(stream: RelayedStream, bytes: number): void {
    if (stream.closed) return;
    stream.flow.hold(bytes);
    stream.unread += bytes;
    if (stream.stopWaiting === undefined) this.#wait(stream);
  }

  /** The client's window has accepted bytes of a response. */
  release(stream: RelayedStream, bytes: number): void {
    stream.flow.release(bytes);
    stream.unread -= bytes;
    if (stream.stopWaiting !== undefined) this.#wait(stream);
  }

  /** Starts to wait for the clients of new whole responses. Most are complete by now. */
  waitForFresh(): void {
    for (const stream of this.#fresh.splice(0)) this.#wait(stream);
  }

  /** Starts the wait for the client to read what is unread. */
  #wait(stream: RelayedStream): void {
    stream.stopWaiting?.();
    const waits = stream.unread > 0 && !stream.closed;
    const cut = (): void => this.#options.cut(stream);
    stream.stopWaiting = waits ? stream.flow.awaitClient(cut) : undefined;
  }
}

/** Estimated size of the objects for a request, besides its head. */
const REQUEST_BYTES = 6 * 1_024;
