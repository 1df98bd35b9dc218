import { readHead, type Head, type HeadFault, type Origin } from "./head.ts";
import { moved } from "./memory.ts";

const NOTHING = Buffer.alloc(0);
/** A head up to this size is kept until the next one of its connection. */
const MAX_KEPT_HEAD = 1_024;
/** Lines that are ignored before a request (RFC 9112 §2.2). Clients send one at most. */
const MAX_EMPTY_LINES = 8;

/** Reads the heads of the requests of a connection, which may arrive in parts. */
export class HeadReader {
  readonly #origin: Origin;
  readonly #maxBytes: number;
  #arriving: ArrivingHead | undefined;
  /** The last head, if it arrived in one piece, and its bytes: clients repeat their requests. */
  #kept: Head | undefined;
  #keptBytes: Buffer = NOTHING;
  #emptyLines = 0;
  /** Bytes of the last head. */
  size = 0;
  /** What follows the last head in the input, or is still to be read. */
  rest: Buffer = NOTHING;

  constructor(origin: Origin, maxBytes: number) {
    this.#origin = origin;
    this.#maxBytes = maxBytes;
  }

  /** Whether a head has begun and is not complete. Then the input is added to it. */
  get isArriving(): boolean {
    return this.#arriving !== undefined;
  }

  /** Bytes of memory for it. */
  get held(): number {
    return this.#arriving?.size ?? 0;
  }

  add(chunk: Buffer): void {
    this.#arriving?.add(chunk);
  }

  /** Forgets an incomplete head. */
  free(): void {
    this.#arriving?.free();
    this.#arriving = undefined;
  }

  /** Reads the next head. Returns undefined if it is incomplete. */
  read(input: Buffer): Head | HeadFault | undefined {
    if (this.#arriving === undefined) {
      if (this.#kept !== undefined && input.equals(this.#keptBytes)) {
        this.#emptyLines = 0;
        this.size = this.#keptBytes.length;
        this.rest = NOTHING;
        return this.#kept;
      }
      const start = this.#startOfHead(input);
      if (start === undefined) return 400;
      this.rest = start === 0 ? input : input.subarray(start);
      if (this.rest.length === 0 || this.rest[0] === CARRIAGE_RETURN) return undefined;
    }
    const bytes = this.#arriving?.bytes ?? this.rest;
    const end = this.#arriving?.end() ?? endOfHead(bytes);
    if (end > this.#maxBytes || (end === -1 && bytes.length > this.#maxBytes)) return 431;
    if (end === -1) {
      if (this.#arriving === undefined) {
        this.#arriving = new ArrivingHead(bytes);
        this.rest = NOTHING;
        // Later searches begin where this one ended.
        this.#arriving.end();
      }
      return this.#arriving.malformed ? 400 : undefined;
    }
    const head = readHead(bytes.toString("latin1", 0, end), this.#origin);
    const inOnePiece = this.#arriving === undefined && end === bytes.length;
    // A part of a buffer keeps all of it in memory.
    if (inOnePiece && typeof head === "object" && end <= MAX_KEPT_HEAD && bytes.byteOffset === 0) {
      this.#kept = head;
      this.#keptBytes = bytes;
    }
    if (end === bytes.length) this.rest = NOTHING;
    else if (this.#arriving === undefined) this.rest = bytes.subarray(end);
    else this.rest = Buffer.from(bytes.subarray(end));
    this.free();
    this.#emptyLines = 0;
    this.size = end;
    return head;
  }

  /** Returns the index behind the empty lines; undefined if there are too many, or a carriage return is alone. */
  #startOfHead(input: Buffer): number | undefined {
    let at = 0;
    for (; input[at] === CARRIAGE_RETURN || input[at] === LINE_FEED; at++) {
      if (input[at] === CARRIAGE_RETURN) {
        if (at + 1 === input.length) break;
        at++;
      }
      if (input[at] !== LINE_FEED || ++this.#emptyLines > MAX_EMPTY_LINES) return undefined;
    }
    return at;
  }
}

/**
 * A growing buffer for a head that arrives in several parts. Finds its end in linear time. Its memory is moved and given back
 * at once: what waits for a collection adds up when thousands of connections send heads.
 */
export class ArrivingHead {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;
  #searched = 0;

  constructor(start: Buffer) {
    this.#bytes = Buffer.from(new ArrayBuffer(Math.max(1_024, start.length)));
    this.add(start);
  }

  /** Bytes of memory. */
  get size(): number {
    return this.#bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  add(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#bytes.length) {
      const size = Math.max(length, 2 * this.#bytes.length);
      this.#bytes = Buffer.from(moved(this.#bytes.buffer, size));
    }
    part.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  /** Gives the memory back. Nothing may be added afterwards. */
  free(): void {
    this.#length = 0;
    this.#bytes = Buffer.from(moved(this.#bytes.buffer, 0));
  }

  /** Whether a line ends without a carriage return. */
  malformed = false;

  /** Returns the index behind the head; -1 if it is not complete. */
  end(): number {
    const { bytes } = this;
    const at = endOfHead(bytes, this.#searched);
    if (at === -1) {
      let lineFeed = bytes.indexOf(LINE_FEED, this.#searched);
      for (; lineFeed !== -1; lineFeed = bytes.indexOf(LINE_FEED, lineFeed + 1)) {
        if (bytes[lineFeed - 1] !== CARRIAGE_RETURN) this.malformed = true;
      }
    }
    // The last three bytes may begin the end.
    this.#searched = Math.max(0, this.#length - 3);
    return at;
  }
}

/** Returns the index behind the empty line that ends a head; -1 if there is none. */
export function endOfHead(bytes: Buffer, from = 0): number {
  const at = bytes.indexOf(END, from);
  return at === -1 ? -1 : at + END.length;
}

const END = Buffer.from("\r\n\r\n");
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
