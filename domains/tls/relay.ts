import { randomBytes } from "node:crypto";
import type { TLSSocket } from "node:tls";

import { exactPath } from "../../adapters/node-request.ts";
import type { Connection, Connections, Http2Session } from "./connections.ts";
import { pathIn, plainField } from "./header-block.ts";
import type { RequestHolding } from "./holdings.ts";
import {
  CODE,
  FLAG,
  FRAME,
  FRAME_HEAD,
  MAX_PAYLOAD,
  FrameReader,
  PREFACE,
  ProtocolError,
  fragmentOf,
  frame,
  goAwayFrame,
  resetFrame,
  windowFrame,
  type Frame,
} from "./http2-frames.ts";
import type { TlsLimits } from "./limits.ts";

/** A connection to the server that speaks HTTP/2 in this process, without TLS. */
export interface Upstream {
  /** Returns how many of the bytes it took. The rest must be written after `drain`. */
  write(bytes: Uint8Array): number;
  pause(): void;
  resume(): void;
  end(): void;
}

export interface UpstreamEvents {
  open(upstream: Upstream): void;
  data(bytes: Buffer): void;
  drain(): void;
  /** Called once, also when the connection could not be made. */
  close(): void;
}

/** A request that is relayed, from its headers to the end of its response. */
export interface RelayedStream {
  readonly id: number;
  readonly flow: RequestHolding;
  /** Size of the compressed headers in bytes. */
  readonly headerBytes: number;
  /** The path as it must reach the service, if the server would resolve or change it. */
  readonly path: string | undefined;
  /** Whether the client has sent the whole request. */
  complete: boolean;
  /** Set when the stream is closed. */
  closed: boolean;
  /** Bytes of the response that the client has not accepted. */
  unread: number;
  /** Ends the current wait for the client to read. */
  stopWaiting: (() => void) | undefined;
}

/** The header that tells the server which stream a request belongs to. */
export const MARK = "x-petstore-stream";
const TOKEN_LENGTH = 22;
/** Stream numbers have up to ten digits. */
const ID_LENGTH = 10;

/** Relays by token. Only a relay knows its token, so no other process can pose as a client. */
export type Relays = Map<string, Relay>;

/** Finds the stream that the value of `MARK` names; undefined if it is forged or the client has disconnected. */
export function streamOf(
  relays: Relays,
  mark: string,
): { readonly relay: Relay; readonly stream: RelayedStream | undefined } | undefined {
  const relay = relays.get(mark.slice(0, TOKEN_LENGTH));
  if (relay === undefined) return undefined;
  return { relay, stream: relay.stream(Number(mark.slice(TOKEN_LENGTH))) };
}

/** Headers of a request that have not all arrived. */
interface Arriving {
  readonly id: number;
  /** Whether the request has no body. */
  readonly complete: boolean;
  readonly fragments: Buffer[];
  size: number;
}

export interface RelayOptions {
  readonly relays: Relays;
  readonly connections: Pick<Connections, "begin" | "end">;
  readonly connection: Connection;
  readonly tls: TLSSocket;
  readonly limits: Pick<TlsLimits, "maxStreams" | "maxHeaderBytes">;
}

/**
 * Relays the frames of an HTTP/2 client to a server that does not know the client. Adds a field to each request, by
 * which its stream is found again, and follows the frames of both sides, so that the end of each response is known.
 * Passes whole frames only: its own frames can be sent at any time.
 */
export class Relay implements Http2Session {
  readonly connection: Connection;
  readonly #options: RelayOptions;
  readonly #token = randomBytes(16).toString("base64url");
  readonly #mark = frame(
    FRAME.continuation,
    FLAG.endHeaders,
    0,
    plainField(MARK, this.#token + "0".repeat(ID_LENGTH)),
  );
  /** Streams whose response is new since the server's last frames. */
  readonly #fresh: RelayedStream[] = [];
  readonly #streams = new Map<number, RelayedStream>();
  readonly #fromClient = new FrameReader();
  readonly #fromServer = new FrameReader();
  #upstream: Upstream | undefined;
  /** Bytes that the server has not taken. */
  #unsent: Buffer | undefined;
  #clientBlocked = false;
  #preface = "";
  #lastStream = 0;
  /** The headers that are arriving in several frames. */
  #headers: Arriving | undefined;
  /** Whether the client knows the limits. */
  #acknowledged = false;
  /** Requests refused before that. */
  #early = 0;
  moved = 0;
  closed = false;
  destroyed = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.connection = options.connection;
    const { relays, tls } = options;
    relays.set(this.#token, this);
    tls.on("data", (chunk: Buffer) => this.#receive(chunk));
    tls.on("drain", () => {
      this.#clientBlocked = false;
      this.#upstream?.resume();
      this.#readOn();
    });
    tls.once("close", () => {
      relays.delete(this.#token);
      this.destroyed = true;
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
    },
    close: () => {
      this.#upstream = undefined;
      if (!this.destroyed) this.#options.tls.end();
    },
  };

  stream(id: number): RelayedStream | undefined {
    return this.#streams.get(id);
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

  /** Resets a stream whose response cannot be completed, on both sides. */
  cut({ id, closed }: RelayedStream): void {
    if (closed) return;
    this.#end(id, false);
    this.#write(resetFrame(id, CODE.cancel));
    this.#send(resetFrame(id, CODE.cancel));
    this.#endIfDone();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#write(goAwayFrame(this.#lastStream, CODE.none));
    this.#endIfDone();
  }

  destroy(code: number = CODE.none): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.closed = true;
    this.#upstream?.end();
    const { tls, connection } = this.#options;
    // A client that does not read would never get it.
    if (this.#clientBlocked) connection.socket.destroy();
    else tls.end(goAwayFrame(this.#lastStream, code), () => connection.socket.destroy());
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return;
    this.moved += chunk.length;
    const bytes = this.#preface.length < PREFACE.length ? this.#prefaceOf(chunk) : chunk;
    const parts: Uint8Array[] = [];
    let from = 0;
    try {
      const whole = this.#fromClient.read(bytes, (next, all) => {
        if (this.destroyed) return;
        const added = this.#request(next, all);
        if (added === undefined) return;
        const end = next.at + FRAME_HEAD + next.length;
        parts.push(all.subarray(from, end), added);
        from = end;
      });
      parts.push(whole.subarray(from));
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.destroy(error.code);
    }
    if (this.destroyed) return;
    this.#send(joined(parts));
    this.#endIfDone();
  }

  /** Passes the preface on and returns what follows it. */
  #prefaceOf(chunk: Buffer): Buffer {
    const missing = PREFACE.length - this.#preface.length;
    const part = chunk.subarray(0, missing);
    this.#preface += part.toString("latin1");
    this.#send(part);
    if (!PREFACE.startsWith(this.#preface)) this.destroy(CODE.protocol);
    return chunk.subarray(missing);
  }

  /** Follows a frame of the client. Returns what to send after it. */
  #request(next: Frame, bytes: Buffer): Buffer | undefined {
    const { type, flags, stream: id, length } = next;
    const ends = (flags & FLAG.endStream) !== 0;
    const stream = this.#streams.get(id);
    switch (type) {
      case FRAME.headers:
        if (stream !== undefined && ends) stream.complete = true;
        // Trailers; an even number is for the server to refuse.
        if (id <= this.#lastStream || id % 2 === 0) return undefined;
        this.#lastStream = id;
        this.#headers = { id, complete: ends, fragments: [], size: 0 };
        return this.#block(next, bytes, this.#headers);
      case FRAME.continuation:
        return this.#headers?.id === id ? this.#block(next, bytes, this.#headers) : undefined;
      case FRAME.data:
        stream?.flow.received(length);
        if (stream !== undefined && ends) stream.complete = true;
        return undefined;
      case FRAME.settings:
        if ((flags & FLAG.ack) !== 0) this.#acknowledged = true;
        // A longer frame of the server would have to be kept until it is whole.
        else replaceSettings(bytes, next, smallFrames);
        return undefined;
      case FRAME.reset:
        this.#end(id, true);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Gathers headers. Opens the stream after their last frame, and moves their end into a frame of our own. */
  #block(next: Frame, bytes: Buffer, headers: Arriving): Buffer | undefined {
    const { id, complete, fragments } = headers;
    const fragment = fragmentOf(bytes, next);
    fragments.push(fragment);
    headers.size += fragment.length;
    if (headers.size > 2 * this.#options.limits.maxHeaderBytes) {
      this.destroy(CODE.calm);
      return undefined;
    }
    if ((next.flags & FLAG.endHeaders) === 0) return undefined;
    this.#headers = undefined;
    bytes[next.at + 4] = next.flags & ~FLAG.endHeaders;
    const end = Buffer.from(this.#mark);
    end.writeUInt32BE(id, 5);
    const digits = String(id);
    end.write(digits, end.length - digits.length, "latin1");
    if (this.#open(id, joined(fragments), complete)) return end;
    // The server must decode the headers, but not answer.
    return Buffer.concat([end, resetFrame(id, CODE.cancel)]);
  }

  #open(id: number, block: Buffer, complete: boolean): boolean {
    const { connections, connection, limits } = this.#options;
    const path = pathIn(block);
    const refused = this.closed || this.#streams.size >= limits.maxStreams;
    if (refused && !this.#acknowledged && this.#early++ < MAX_EARLY) {
      this.#write(resetFrame(id, CODE.refused));
      return false;
    }
    if (!connections.begin(connection)) return false;
    this.#streams.set(id, {
      id,
      flow: connection.holding.begin(block.length, REQUEST_BYTES),
      headerBytes: block.length,
      path: path === undefined ? undefined : exactPath(path),
      complete,
      closed: false,
      unread: 0,
      stopWaiting: undefined,
    });
    if (!refused) return true;
    this.#end(id, true);
    this.#write(resetFrame(id, CODE.refused));
    return false;
  }

  #end(id: number, wasted: boolean): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.closed = true;
    stream.stopWaiting?.();
    stream.flow.end();
    const { connections, connection } = this.#options;
    connections.end(connection, wasted);
    connection.resume();
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
    // Most responses are complete by now.
    for (const stream of this.#fresh.splice(0)) this.#wait(stream);
    this.#endIfDone();
  }

  /** Follows a frame of the server. Returns whether the client gets it. */
  #response(next: Frame, bytes: Buffer): boolean {
    const { type, flags, stream: id, length } = next;
    const ends = (flags & FLAG.endStream) !== 0;
    const stream = this.#streams.get(id);
    switch (type) {
      case FRAME.data:
        if (stream === undefined) {
          // The stream was reset meanwhile. The client will not return the window that these bytes took.
          if (length > 0) this.#send(windowFrame(length));
          return false;
        }
        this.#release(stream, length);
        if (ends) this.#end(id, false);
        return true;
      case FRAME.headers:
        if (ends) this.#end(id, false);
        return true;
      case FRAME.reset:
        this.#end(id, false);
        return true;
      case FRAME.settings: {
        const { maxStreams, maxHeaderBytes } = this.#options.limits;
        replaceSettings(bytes, next, (setting, value) => {
          if (setting === MAX_CONCURRENT_STREAMS) return maxStreams;
          return setting === MAX_HEADER_LIST_SIZE ? maxHeaderBytes : value;
        });
        return true;
      }
      case FRAME.goAway:
        this.closed = true;
        return true;
      default:
        return true;
    }
  }

  #release(stream: RelayedStream, bytes: number): void {
    stream.flow.release(bytes);
    stream.unread -= bytes;
    if (stream.stopWaiting !== undefined) this.#wait(stream);
  }

  /** Starts the wait for the client to read what is unread. */
  #wait(stream: RelayedStream): void {
    stream.stopWaiting?.();
    const waits = stream.unread > 0 && !stream.closed;
    stream.stopWaiting = waits ? stream.flow.awaitClient(() => this.cut(stream)) : undefined;
  }

  #endIfDone(): void {
    if (this.closed && !this.destroyed && this.#streams.size === 0) this.#options.tls.end();
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

/** Estimated size of the objects for a request, besides its head. */
const REQUEST_BYTES = 6 * 1_024;

/** Refused requests that do not count as wasted, because the client did not know the limits. */
const MAX_EARLY = 1_000;

// Settings (RFC 9113 §6.5.2).
const MAX_CONCURRENT_STREAMS = 3;
const MAX_FRAME_SIZE = 5;
const MAX_HEADER_LIST_SIZE = 6;

/** Replaces values in a SETTINGS frame. */
function replaceSettings(
  bytes: Buffer,
  { at, length }: Frame,
  valueOf: (setting: number, value: number) => number,
): void {
  const start = at + FRAME_HEAD;
  for (let entry = start; entry + 6 <= start + length; entry += 6) {
    const value = valueOf(bytes.readUInt16BE(entry), bytes.readUInt32BE(entry + 2));
    bytes.writeUInt32BE(value, entry + 2);
  }
}

/** Lowers the limit for frames, unless it is invalid, which the server refuses. */
function smallFrames(setting: number, value: number): number {
  const lowers = setting === MAX_FRAME_SIZE && value > MAX_PAYLOAD && value < 2 ** 24;
  return lowers ? MAX_PAYLOAD : value;
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(parts);
}
