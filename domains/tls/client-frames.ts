import { encodedField, FieldDecoder } from "./hpack.ts";
import {
  BlockGatherer,
  CODE,
  FLAG,
  FRAME,
  FRAME_HEAD,
  MAX_PAYLOAD,
  ProtocolError,
  SETTING,
  fragmentOf,
  headerFrames,
  replaceSettings,
  resetFrame,
  windowFrame,
  type Frame,
} from "./http2-frames.ts";
import type { TlsLimits } from "./limits.ts";
import type { RelayedStream, RelayedStreams } from "./relayed-streams.ts";
import { HeadReader, MARK, type RequestHead } from "./request-head.ts";

/** Headers that have not all arrived. */
interface Arriving {
  readonly id: number;
  /** Whether the client sends nothing after them. */
  readonly ends: boolean;
  readonly priority: Buffer;
  readonly gathered: BlockGatherer;
}

export interface ClientFramesOptions {
  readonly streams: RelayedStreams;
  readonly limits: Pick<TlsLimits, "maxStreams" | "maxHeaderBytes">;
  /** Identifies the relay in the field that marks a request. */
  readonly token: string;
  /** Whether no more requests are accepted. */
  readonly closed: () => boolean;
  /** Sends a frame to the client. */
  readonly write: (bytes: Uint8Array) => void;
}

/**
 * Follows the frames of an HTTP/2 client, decides what the server behind the relay gets instead, and answers faults itself:
 * both sides must agree on which streams are open, how long a body is, and which fields a request has.
 */
export class ClientFrames {
  readonly #options: ClientFramesOptions;
  readonly #decoder = new FieldDecoder();
  /** The headers that are arriving in several frames. */
  #headers: Arriving | undefined;
  /** The window that each stream begins with. */
  #initialWindow = DEFAULT_WINDOW;
  /** Whether the client knows the limits. */
  #acknowledged = false;
  /** Requests refused before that. */
  #early = 0;
  /** The latest stream that the client has opened. */
  lastStream = 0;

  constructor(options: ClientFramesOptions) {
    this.#options = options;
  }

  /** Bytes in memory of headers that have not all arrived. */
  get gathered(): number {
    return this.#headers?.gathered.held ?? 0;
  }

  /** Bytes in memory of the table of header fields. */
  get table(): number {
    return this.#decoder.bytes;
  }

  /** Follows a frame. Returns what to send instead of it; undefined to pass it on. Throws a ProtocolError. */
  follow(next: Frame, bytes: Buffer): Buffer | undefined {
    const { type, flags, stream: id, length } = next;
    const arriving = this.#headers;
    if ((arriving === undefined) === (type === FRAME.continuation) || (arriving?.id ?? id) !== id) {
      // Nothing may come between the frames of a header block (RFC 9113 §4.3).
      throw new ProtocolError("A header block is interrupted.", CODE.protocol);
    }
    const ends = (flags & FLAG.endStream) !== 0;
    const stream = this.#options.streams.get(id);
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
        this.#options.streams.end(id, true);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Follows a header block, and returns it in the form for the server. */
  #block(id: number, block: Buffer, ends: boolean, priority: Buffer): Buffer {
    const { limits, token } = this.#options;
    const flags = ends ? FLAG.endStream : 0;
    if (id <= this.lastStream) return this.#trailers(id, block, ends, priority);
    this.lastStream = id;
    const reader = new HeadReader(limits.maxHeaderBytes);
    this.#decoder.decode(block, reader.take);
    const head = reader.head(ends);
    const fields = head.encoded + encodedField(MARK, token + String(id));
    const frames = headerFrames(id, flags, Buffer.from(fields, "latin1"), priority);
    // The server must know the stream, but not answer.
    if (!this.#open(id, head, ends)) return Buffer.concat([frames, resetFrame(id, CODE.cancel)]);
    if (!ends || (head.length ?? 0) === 0) return frames;
    return Buffer.concat([frames, this.#refuse(id, CODE.protocol)]);
  }

  /** Follows the fields after a body. The server refuses those of a stream that is closed. */
  #trailers(id: number, block: Buffer, ends: boolean, priority: Buffer): Buffer {
    const { streams, limits } = this.#options;
    const { maxHeaderBytes } = limits;
    let encoded = "";
    let bytes = 0;
    let malformed = !ends;
    this.#decoder.decode(block, (field) => {
      malformed ||= field.name.startsWith(":");
      bytes += field.encoded.length;
      if (bytes <= maxHeaderBytes) encoded += field.encoded;
    });
    const stream = streams.get(id);
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
      if (length > 0) this.#options.write(windowFrame(length));
      return this.#refuse(id, CODE.protocol);
    }
    stream.flow.received(length);
    if (ends) stream.complete = true;
    return undefined;
  }

  readonly #clientSetting = (setting: number, value: number): number => {
    if (setting === SETTING.initialWindowSize) this.#initialWindow = value;
    return smallFrames(setting, value);
  };

  /** Ends a stream because of a fault of the client. Returns what to send to the server. */
  #refuse(id: number, code: number): Buffer {
    this.#options.write(resetFrame(id, code));
    this.#options.streams.end(id, true);
    return resetFrame(id, CODE.cancel);
  }

  #open(id: number, head: RequestHead, complete: boolean): boolean {
    const { streams, limits, closed, write } = this.#options;
    const refused = closed() || streams.size >= limits.maxStreams;
    if (refused && !this.#acknowledged && this.#early++ < MAX_EARLY) {
      write(resetFrame(id, CODE.refused));
      return false;
    }
    if (!streams.open(id, head, complete)) return false;
    if (!refused) return true;
    streams.end(id, true);
    write(resetFrame(id, CODE.refused));
    return false;
  }
}

/** Refused requests that do not count as wasted, because the client did not know the limits. */
const MAX_EARLY = 1_000;

const NOTHING = Buffer.alloc(0);

const DEFAULT_WINDOW = 65_535;
const MAX_WINDOW = 2 ** 31 - 1;

/** Lowers the limit for frames, unless it is invalid, which the server refuses: a longer one would have to be kept until it is whole. */
function smallFrames(setting: number, value: number): number {
  const lowers = setting === SETTING.maxFrameSize && value > MAX_PAYLOAD && value < 2 ** 24;
  return lowers ? MAX_PAYLOAD : value;
}
