import { randomBytes } from "node:crypto";
import type { TLSSocket } from "node:tls";

import { ClientFrames } from "./client-frames.ts";
import type { Connection, Connections, Protocol } from "./connections.ts";
import { TABLE_BYTES } from "./hpack.ts";
import {
  CODE,
  FLAG,
  FRAME,
  FRAME_HEAD,
  FrameReader,
  PREFACE,
  ProtocolError,
  SETTING,
  goAwayFrame,
  replaceSettings,
  resetFrame,
  windowFrame,
  type Frame,
} from "./http2-frames.ts";
import type { TlsLimits } from "./limits.ts";
import { RelayedStreams, type RelayedStream } from "./relayed-streams.ts";

/** A connection to the server that speaks HTTP/2 in this process, without TLS. */
export interface Upstream {
  /** Returns how many of the bytes it took. The rest must be written after `drain`. */
  write(bytes: Uint8Array): number;
  pause(): void;
  resume(): void;
  end(): void;
}

/** What a connection to the inner server reports. */
export interface UpstreamEvents {
  open(upstream: Upstream): void;
  data(bytes: Buffer): void;
  drain(): void;
  /** Called once, also when the connection could not be made. */
  close(): void;
}

const TOKEN_LENGTH = 22;

/** Relays by token. Only a relay knows its token, so no other process can pose as a client. */
export type Relays = Map<string, Relay>;

/** Finds the stream that the value of `MARK` names; undefined if it is forged or the client has disconnected. */
export function streamOf(
  relays: Relays,
  mark: string,
): { readonly relay: Relay; readonly stream: RelayedStream | undefined } | undefined {
  const relay = relays.get(mark.slice(0, TOKEN_LENGTH));
  if (relay === undefined) return undefined;
  return { relay, stream: relay.streams.get(Number(mark.slice(TOKEN_LENGTH))) };
}

export interface RelayOptions {
  readonly relays: Relays;
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly connection: Connection;
  readonly tls: TLSSocket;
  readonly limits: Pick<TlsLimits, "maxStreams" | "maxHeaderBytes">;
}

/**
 * Relays the frames of an HTTP/2 client to a server that does not know the client. Decodes the headers of each request,
 * and encodes them again once they are complete, with a field by which its stream is found again. Follows the frames of
 * both sides, so that the end of each response is known. Passes whole frames only: its own frames can be sent at any time.
 */
export class Relay implements Protocol {
  readonly connection: Connection;
  readonly #options: RelayOptions;
  readonly #token = randomBytes(16).toString("base64url");
  readonly streams: RelayedStreams;
  readonly #client: ClientFrames;
  readonly #fromClient = new FrameReader();
  readonly #fromServer = new FrameReader();
  #upstream: Upstream | undefined;
  /** Bytes that the server has not taken. */
  #unsent: Buffer | undefined;
  #clientBlocked = false;
  #preface = "";
  moved = 0;
  /** "finishing": no more requests are accepted, and the connection closes after the last response. */
  #state: "open" | "finishing" | "destroyed" = "open";

  constructor(options: RelayOptions) {
    this.#options = options;
    this.connection = options.connection;
    const { relays, connections, connection, tls, limits } = options;
    this.streams = new RelayedStreams({
      connections,
      connection,
      cut: (stream) => this.cut(stream),
    });
    this.#client = new ClientFrames({
      streams: this.streams,
      limits,
      token: this.#token,
      closed: () => this.#state !== "open",
      write: (bytes) => this.#write(bytes),
    });
    relays.set(this.#token, this);
    tls.on("data", (chunk: Buffer) => this.#receive(chunk));
    tls.on("drain", () => {
      this.#clientBlocked = false;
      this.#upstream?.resume();
      this.#readOn();
      this.#countUnsent();
    });
    tls.once("close", () => {
      relays.delete(this.#token);
      this.#state = "destroyed";
      this.#upstream?.end();
    });
    // Input waits until the server is connected.
    tls.pause();
  }

  readonly events: UpstreamEvents = {
    open: (upstream) => {
      if (this.destroyed) upstream.end();
      this.#upstream = upstream;
      this.events.drain();
    },
    data: (bytes) => this.#answer(bytes),
    drain: () => {
      const unsent = this.#unsent;
      this.#unsent = undefined;
      if (unsent !== undefined) this.#send(unsent);
      this.#readOn();
      this.#countUnsent();
    },
    close: () => {
      this.#upstream = undefined;
      if (!this.destroyed) this.#options.tls.end();
    },
  };

  get destroyed(): boolean {
    return this.#state === "destroyed";
  }

  /** Resets a stream whose response cannot be completed, on both sides. */
  cut({ id, closed }: RelayedStream): void {
    if (closed) return;
    this.streams.end(id, false);
    this.#write(resetFrame(id, CODE.cancel));
    this.#send(resetFrame(id, CODE.cancel));
    this.#endIfDone();
  }

  finish(): void {
    if (this.#state !== "open") return;
    this.#state = "finishing";
    this.#write(goAwayFrame(this.#client.lastStream, CODE.none));
    this.#endIfDone();
  }

  dismiss(): void {
    this.#destroy(CODE.none);
  }

  breakOff(): void {
    this.#destroy(CODE.none);
  }

  refuse(): void {
    this.#destroy(CODE.calm);
  }

  /** Tells the client which requests were not processed (RFC 9113 §6.8) and why, and closes the connection. */
  #destroy(code: number): void {
    if (this.destroyed) {
      // The runtime may have left the socket open.
      this.connection.socket.destroy();
      return;
    }
    this.#state = "destroyed";
    this.#upstream?.end();
    const { tls, connection } = this.#options;
    // A client that does not read would never get it.
    if (this.#clientBlocked) connection.socket.destroy();
    else tls.end(goAwayFrame(this.#client.lastStream, code), () => connection.socket.destroy());
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return;
    this.moved += chunk.length;
    const parts: Uint8Array[] = [];
    let from = 0;
    let progress = false;
    try {
      const bytes = this.#preface.length < PREFACE.length ? this.#prefaceOf(chunk) : chunk;
      const whole = this.#fromClient.read(bytes, (next, all) => {
        if (this.destroyed) return;
        const instead = this.#client.follow(next, all);
        if (instead === undefined) return;
        parts.push(all.subarray(from, next.at), instead);
        from = next.at + FRAME_HEAD + next.length;
      });
      parts.push(whole.subarray(from));
      progress = whole.length > 0;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#destroy(error.code);
    }
    if (this.destroyed) return;
    this.#send(joined(parts));
    this.#countArriving(progress);
    this.#countUnsent();
    this.#endIfDone();
  }

  /** Counts what has not arrived completely. `progress`: something has, and what is left now is new. */
  #countArriving(progress: boolean): void {
    const { holding } = this.connection;
    const { gathered, table } = this.#client;
    if (progress && gathered === 0) holding.set("arriving", 0);
    holding.set("arriving", this.#fromClient.held + gathered);
    holding.set("table", table);
  }

  /** Counts what the client or the server has not taken. */
  #countUnsent(): void {
    const toClient = this.#clientBlocked ? this.#options.tls.writableLength : 0;
    const bytes = toClient + this.#fromServer.held + (this.#unsent?.length ?? 0);
    this.connection.holding.set("unsent", bytes);
  }

  /** Passes the preface on and returns what follows it. */
  #prefaceOf(chunk: Buffer): Buffer {
    const missing = PREFACE.length - this.#preface.length;
    const part = chunk.subarray(0, missing);
    this.#preface += part.toString("latin1");
    if (!PREFACE.startsWith(this.#preface)) {
      throw new ProtocolError("The preface is wrong.", CODE.protocol);
    }
    this.#send(part);
    return chunk.subarray(missing);
  }

  #answer(chunk: Buffer): void {
    if (this.destroyed) return;
    const parts: Uint8Array[] = [];
    let from = 0;
    const whole = this.#fromServer.read(chunk, (next, all) => {
      if (this.#response(next, all)) return;
      parts.push(all.subarray(from, next.at));
      from = next.at + FRAME_HEAD + next.length;
    });
    parts.push(whole.subarray(from));
    if (this.destroyed) return;
    this.#write(joined(parts));
    this.streams.waitForFresh();
    this.#countUnsent();
    this.#endIfDone();
  }

  /** Follows a frame of the server. Returns whether the client gets it. */
  #response(next: Frame, bytes: Buffer): boolean {
    const { type, flags, stream: id, length } = next;
    const ends = (flags & FLAG.endStream) !== 0;
    const stream = this.streams.get(id);
    switch (type) {
      case FRAME.data:
        if (stream === undefined) {
          // The stream was reset meanwhile. The client will not return the window that these bytes took.
          if (length > 0) this.#send(windowFrame(length));
          return false;
        }
        this.streams.release(stream, length);
        stream.granted -= length;
        if (ends) this.streams.end(id, false);
        return true;
      case FRAME.headers:
        if (ends) this.streams.end(id, false);
        return true;
      case FRAME.reset:
        this.streams.end(id, false);
        return true;
      case FRAME.settings: {
        const { maxStreams, maxHeaderBytes } = this.#options.limits;
        replaceSettings(bytes, next, (setting, value) => {
          if (setting === SETTING.maxConcurrentStreams) return maxStreams;
          if (setting === SETTING.headerTableSize) return TABLE_BYTES;
          return setting === SETTING.maxHeaderListSize ? maxHeaderBytes : value;
        });
        return true;
      }
      case FRAME.goAway:
        if (this.#state === "open") this.#state = "finishing";
        return true;
      default:
        return true;
    }
  }

  #endIfDone(): void {
    if (this.#state === "finishing" && this.streams.size === 0) this.#options.tls.end();
  }

  /** A client that does not read is not read from: the server answers even PING. */
  #write(bytes: Uint8Array): void {
    const { tls } = this.#options;
    if (bytes.length === 0 || tls.writableEnded) return;
    this.moved += bytes.length;
    if (tls.write(bytes)) return;
    this.#clientBlocked = true;
    this.#upstream?.pause();
    tls.pause();
  }

  #send(bytes: Buffer): void {
    const upstream = this.#unsent === undefined ? this.#upstream : undefined;
    const taken = upstream?.write(bytes) ?? 0;
    if (taken === bytes.length) return;
    const rest = bytes.subarray(taken);
    this.#unsent = this.#unsent === undefined ? Buffer.from(rest) : joined([this.#unsent, rest]);
    this.#options.tls.pause();
  }

  #readOn(): void {
    if (this.#upstream === undefined || this.#unsent !== undefined || this.#clientBlocked) return;
    this.#options.tls.resume();
  }
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(parts);
}
