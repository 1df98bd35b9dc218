import { randomBytes } from "node:crypto";
import type { TLSSocket } from "node:tls";

import type { Connection, Connections, Protocol } from "./connections.ts";
import type { RequestHolding } from "../../adapters/holdings/holdings.ts";
import { encodedField, FieldDecoder, TABLE_BYTES } from "./hpack.ts";
import {
  BlockGatherer,
  CODE,
  FLAG,
  FRAME,
  FRAME_HEAD,
  MAX_PAYLOAD,
  FrameReader,
  PREFACE,
  ProtocolError,
  fragmentOf,
  goAwayFrame,
  headerFrames,
  resetFrame,
  windowFrame,
  type Frame,
} from "./http2-frames.ts";
import type { TlsLimits } from "./limits.ts";
import { HeadReader, MARK, type RequestHead } from "./request-head.ts";

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
  return { relay, stream: relay.stream(Number(mark.slice(TOKEN_LENGTH))) };
}

/** Headers that have not all arrived. */
interface Arriving {
  readonly id: number;
  /** Whether the client sends nothing after them. */
  readonly ends: boolean;
  readonly priority: Buffer;
  readonly gathered: BlockGatherer;
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
  readonly #decoder = new FieldDecoder();
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
  /** The window that each stream begins with. */
  #initialWindow = DEFAULT_WINDOW;
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
      this.#countUnsent();
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
      this.#countUnsent();
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

  finish(): void {
    if (this.closed) return;
    this.closed = true;
    this.#write(goAwayFrame(this.#lastStream, CODE.none));
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
    const parts: Uint8Array[] = [];
    let from = 0;
    let progress = false;
    try {
      const bytes = this.#preface.length < PREFACE.length ? this.#prefaceOf(chunk) : chunk;
      const whole = this.#fromClient.read(bytes, (next, all) => {
        if (this.destroyed) return;
        const instead = this.#request(next, all);
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
    const gathered = this.#headers?.gathered.held ?? 0;
    if (progress && gathered === 0) holding.set("arriving", 0);
    holding.set("arriving", this.#fromClient.held + gathered);
    holding.set("table", this.#decoder.bytes);
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

  /** Follows a frame of the client. Returns what to send instead of it; undefined to pass it on. */
  #request(next: Frame, bytes: Buffer): Buffer | undefined {
    const { type, flags, stream: id, length } = next;
    const arriving = this.#headers;
    if ((arriving === undefined) === (type === FRAME.continuation) || (arriving?.id ?? id) !== id) {
      // Nothing may come between the frames of a header block (RFC 9113 §4.3).
      throw new ProtocolError("A header block is interrupted.", CODE.protocol);
    }
    const ends = (flags & FLAG.endStream) !== 0;
    const stream = this.#streams.get(id);
    switch (type) {
      case FRAME.headers: {
        if (id % 2 === 0) throw new ProtocolError("The stream's number is even.", CODE.protocol);
        const { block, priority } = fragmentOf(bytes, next);
        if ((flags & FLAG.endHeaders) !== 0) return this.#block(id, block, ends, priority);
        const gathered = new BlockGatherer(2 * this.#options.limits.maxHeaderBytes);
        gathered.add(block);
        this.#headers = { id, ends, priority: Buffer.from(priority), gathered };
        return NOTHING;
      }
      case FRAME.continuation: {
        if (arriving === undefined) return NOTHING;
        arriving.gathered.add(fragmentOf(bytes, next).block);
        if ((flags & FLAG.endHeaders) === 0) return NOTHING;
        this.#headers = undefined;
        return this.#block(id, arriving.gathered.block, arriving.ends, arriving.priority);
      }
      case FRAME.data:
        return stream === undefined ? undefined : this.#body(stream, next, bytes);
      case FRAME.settings:
        if ((flags & FLAG.ack) !== 0) this.#acknowledged = true;
        else replaceSettings(bytes, next, this.#clientSetting);
        return undefined;
      case FRAME.windowUpdate:
        if (stream === undefined || length !== 4) return undefined;
        stream.granted += bytes.readUInt32BE(next.at + FRAME_HEAD) & MAX_WINDOW;
        if (this.#initialWindow + stream.granted <= MAX_WINDOW) return undefined;
        return this.#refuse(id, CODE.flowControl);
      case FRAME.reset:
        this.#end(id, true);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Follows a header block, and returns it in the form for the server. */
  #block(id: number, block: Buffer, ends: boolean, priority: Buffer): Buffer {
    const { limits } = this.#options;
    const flags = ends ? FLAG.endStream : 0;
    if (id <= this.#lastStream) return this.#trailers(id, block, ends, priority);
    this.#lastStream = id;
    const reader = new HeadReader(limits.maxHeaderBytes);
    this.#decoder.decode(block, reader.take);
    const head = reader.head(ends);
    const fields = head.encoded + encodedField(MARK, this.#token + String(id));
    const frames = headerFrames(id, flags, Buffer.from(fields, "latin1"), priority);
    // The server must know the stream, but not answer.
    if (!this.#open(id, head, ends)) return Buffer.concat([frames, resetFrame(id, CODE.cancel)]);
    if (!ends || (head.length ?? 0) === 0) return frames;
    return Buffer.concat([frames, this.#refuse(id, CODE.protocol)]);
  }

  /** Follows the fields after a body. The server refuses those of a stream that is closed. */
  #trailers(id: number, block: Buffer, ends: boolean, priority: Buffer): Buffer {
    const { maxHeaderBytes } = this.#options.limits;
    let encoded = "";
    let bytes = 0;
    let malformed = !ends;
    this.#decoder.decode(block, (field) => {
      malformed ||= field.name.startsWith(":");
      bytes += field.encoded.length;
      if (bytes <= maxHeaderBytes) encoded += field.encoded;
    });
    const stream = this.#streams.get(id);
    if (stream !== undefined && !stream.complete) {
      const { received, head } = stream;
      if (malformed || bytes > maxHeaderBytes || received !== (head.length ?? received)) {
        return this.#refuse(id, CODE.protocol);
      }
      stream.complete = true;
    }
    return headerFrames(id, ends ? FLAG.endStream : 0, Buffer.from(encoded, "latin1"), priority);
  }

  /** Follows a part of a body, which must be as long as its headers say (RFC 9113 §8.1.1). */
  #body(stream: RelayedStream, { at, flags, length }: Frame, bytes: Buffer): Buffer | undefined {
    const ends = (flags & FLAG.endStream) !== 0;
    const padded = (flags & FLAG.padded) !== 0;
    const content = length - (padded ? 1 + (bytes[at + FRAME_HEAD] ?? 0) : 0);
    if (content < 0) throw new ProtocolError("The padding is too long.", CODE.protocol);
    stream.received += content;
    const { id, received, head } = stream;
    const expected = head.length ?? received;
    if (received > expected || (ends && received < expected)) {
      // The server does not return the window that these bytes took.
      if (length > 0) this.#write(windowFrame(length));
      return this.#refuse(id, CODE.protocol);
    }
    stream.flow.received(length);
    if (ends) stream.complete = true;
    return undefined;
  }

  readonly #clientSetting = (setting: number, value: number): number => {
    if (setting === INITIAL_WINDOW_SIZE) this.#initialWindow = value;
    return smallFrames(setting, value);
  };

  /** Ends a stream because of a fault of the client. Returns what to send to the server. */
  #refuse(id: number, code: number): Buffer {
    this.#write(resetFrame(id, code));
    this.#end(id, true);
    return resetFrame(id, CODE.cancel);
  }

  #open(id: number, head: RequestHead, complete: boolean): boolean {
    const { connections, connection, limits } = this.#options;
    const refused = this.closed || this.#streams.size >= limits.maxStreams;
    if (refused && !this.#acknowledged && this.#early++ < MAX_EARLY) {
      this.#write(resetFrame(id, CODE.refused));
      return false;
    }
    if (!connections.begin(connection)) return false;
    this.#streams.set(id, {
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
    this.#countUnsent();
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
        stream.granted -= length;
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
          if (setting === HEADER_TABLE_SIZE) return TABLE_BYTES;
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

const NOTHING = Buffer.alloc(0);

const DEFAULT_WINDOW = 65_535;
const MAX_WINDOW = 2 ** 31 - 1;

// Settings (RFC 9113 §6.5.2).
const HEADER_TABLE_SIZE = 1;
const INITIAL_WINDOW_SIZE = 4;
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

/** Lowers the limit for frames, unless it is invalid, which the server refuses: a longer one would have to be kept until it is whole. */
function smallFrames(setting: number, value: number): number {
  const lowers = setting === MAX_FRAME_SIZE && value > MAX_PAYLOAD && value < 2 ** 24;
  return lowers ? MAX_PAYLOAD : value;
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(parts);
}
