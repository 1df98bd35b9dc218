/** Frame types (RFC 9113 §6). */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Frame flags. `ack` and `endStream` share a bit: the first is of SETTINGS, the second of HEADERS and DATA. */
export const FLAG = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** Settings (RFC 9113 §6.5.2). */
export const SETTING = {
  headerTableSize: 1,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Error codes (RFC 9113 §7). */
export const CODE = {
  none: 0,
  protocol: 1,
  flowControl: 3,
  frameSize: 6,
  refused: 7,
  cancel: 8,
  compression: 9,
  calm: 11,
} as const;

export const FRAME_HEAD = 9;
/** The longest payload in bytes, unless a peer allows more (RFC 9113 §4.2). */
export const MAX_PAYLOAD = 16_384;

/** What a client sends first (RFC 9113 §3.4). */
export const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** A fault of the peer, for which its connection is closed. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  /** One of `CODE`. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Position and head of a frame within bytes. */
export interface Frame {
  /** Index of the frame's first byte. */
  readonly at: number;
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  /** Length of the payload in bytes. */
  readonly length: number;
}

const EMPTY: Buffer = Buffer.alloc(0);

/** Splits a byte stream into whole frames. */
export class FrameReader {
  #rest = EMPTY;

  /** Bytes that are kept until their frame is complete. */
  get held(): number {
    return this.#rest.length;
  }

  /**
   * Adds bytes, calls `read` for each complete frame, and returns those frames; the remainder is kept. Throws a
   * ProtocolError for a frame that is too long.
   */
  read(chunk: Buffer, read: (frame: Frame, bytes: Buffer) => void): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (at + FRAME_HEAD <= bytes.length) {
      const length = bytes.readUIntBE(at, 3);
      if (length > MAX_PAYLOAD) throw new ProtocolError("The frame is too long.", CODE.frameSize);
      const end = at + FRAME_HEAD + length;
      if (end > bytes.length) break;
      const [type = 0, flags = 0] = [bytes[at + 3], bytes[at + 4]];
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      read({ at, type, flags, stream, length }, bytes);
      at = end;
    }
    if (at === bytes.length) {
      this.#rest = EMPTY;
      return bytes;
    }
    // Copied, so that a few bytes do not keep a large chunk in memory.
    this.#rest = Buffer.from(bytes.subarray(at));
    return bytes.subarray(0, at);
  }
}

/** The content of a HEADERS or CONTINUATION frame. */
export interface Fragment {
  readonly block: Buffer;
  /** The five bytes about the priority, if the frame has them. */
  readonly priority: Buffer;
}

/** Removes padding from a HEADERS or CONTINUATION frame. Throws a ProtocolError if it is longer than the frame (RFC 9113 §6.2). */
export function fragmentOf(bytes: Buffer, { at, type, flags, length }: Frame): Fragment {
  let start = at + FRAME_HEAD;
  let end = start + length;
  if (type !== FRAME.headers) return { block: bytes.subarray(start, end), priority: EMPTY };
  if ((flags & FLAG.padded) !== 0) {
    if (length === 0) throw new ProtocolError("The padding is missing.", CODE.frameSize);
    end -= bytes[start++] ?? 0;
  }
  const priorityAt = start;
  if ((flags & FLAG.priority) !== 0) start += PRIORITY_BYTES;
  if (start > end) throw new ProtocolError("The padding is too long.", CODE.protocol);
  return { block: bytes.subarray(start, end), priority: bytes.subarray(priorityAt, start) };
}

const PRIORITY_BYTES = 5;

/** Gathers a header block that arrives in several frames. */
export class BlockGatherer {
  readonly #maxBytes: number;
  /** Copies of the fragments, one after the other: tiny ones would keep what they arrived in. */
  readonly #parts: Buffer[] = [];
  /** Bytes in the last part. */
  #filled = 0;
  /** Bytes of the frames so far. Empty ones count too: they could go on without an end. */
  #spent = 0;
  /** Bytes in memory. */
  held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws a ProtocolError if the block is too large. */
  add(fragment: Buffer): void {
    this.#spent += fragment.length + FRAME_HEAD;
    if (this.#spent > this.#maxBytes) {
      throw new ProtocolError("The header block is too large.", CODE.calm);
    }
    const last = this.#parts.at(-1);
    const room = (last?.length ?? 0) - this.#filled;
    const fits = Math.min(room, fragment.length);
    last?.set(fragment.subarray(0, fits), this.#filled);
    this.#filled += fits;
    const rest = fragment.subarray(fits);
    if (rest.length === 0) return;
    const part = Buffer.allocUnsafeSlow(Math.max(PART, rest.length));
    part.set(rest);
    this.#parts.push(part);
    this.#filled = rest.length;
    this.held += part.length;
  }

  get block(): Buffer {
    const unused = (this.#parts.at(-1)?.length ?? 0) - this.#filled;
    return Buffer.concat(this.#parts, this.held - unused);
  }
}

/** The least memory that a gatherer takes at a time. */
const PART = 2_048;

/** Returns a header block in as many frames as it needs. */
export function headerFrames(
  stream: number,
  flags: number,
  block: Buffer,
  priority: Buffer,
): Buffer {
  const payload = priority.length === 0 ? block : Buffer.concat([priority, block]);
  const has = priority.length === 0 ? 0 : FLAG.priority;
  if (payload.length <= MAX_PAYLOAD) {
    return frame(FRAME.headers, flags | has | FLAG.endHeaders, stream, payload);
  }
  const frames = [frame(FRAME.headers, flags | has, stream, payload.subarray(0, MAX_PAYLOAD))];
  for (let at = MAX_PAYLOAD; at < payload.length; at += MAX_PAYLOAD) {
    const last = at + MAX_PAYLOAD >= payload.length;
    const part = payload.subarray(at, at + MAX_PAYLOAD);
    frames.push(frame(FRAME.continuation, last ? FLAG.endHeaders : 0, stream, part));
  }
  return Buffer.concat(frames);
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(),
): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEAD + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, FRAME_HEAD);
  return bytes;
}

/** Replaces values in a SETTINGS frame. */
export function replaceSettings(
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

export function resetFrame(stream: number, code: number): Buffer {
  return frame(FRAME.reset, 0, stream, uint32(code));
}

export function goAwayFrame(lastStream: number, code: number): Buffer {
  return frame(FRAME.goAway, 0, 0, Buffer.concat([uint32(lastStream), uint32(code)]));
}

/** Opens the window of the connection further. `bytes` is above 0. */
export function windowFrame(bytes: number): Buffer {
  return frame(FRAME.windowUpdate, 0, 0, uint32(bytes));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
