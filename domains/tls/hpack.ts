import { CODE, ProtocolError } from "./http2-frames.ts";

/** A header field, one character for each byte. */
export interface Field {
  readonly name: string;
  readonly value: string;
  /** The field in a form that refers to no table of a connection (RFC 7541 §6.2.2). */
  readonly encoded: string;
}

/** Size of the table of a connection, unless the peer announces another (RFC 9113 §6.5.2). */
export const TABLE_BYTES = 4_096;
/** Size of an entry besides its name and value (RFC 7541 §4.1). */
const ENTRY_BYTES = 32;

/** A field of the dynamic table: one string, since a client may fill the tables of many connections. */
interface Entry {
  readonly encoded: string;
  /** Lengths of the name and of the value. */
  readonly names: number;
  readonly values: number;
}

/** Decodes the header blocks of one side of a connection (RFC 7541), which must arrive in order. */
export class FieldDecoder {
  /** The dynamic table, the newest entry last. */
  readonly #entries: Entry[] = [];
  #limit = TABLE_BYTES;
  /** Size of the table in bytes (§4.1). */
  bytes = 0;

  /**
   * Calls `take` for each field of a block. Throws a ProtocolError for a block that cannot be decoded, since later ones
   * could not be decoded either (RFC 9113 §4.3).
   */
  decode(block: Buffer, take: (field: Field) => void): void {
    const reader = new BlockReader(block);
    let begun = false;
    while (!reader.over) {
      const byte = reader.next;
      if ((byte & 0xe0) === 0x20) {
        if (begun) throw undecodable("The table changes too late.");
        this.#resize(reader.integer(5));
        continue;
      }
      begun = true;
      if ((byte & 0x80) !== 0) {
        take(this.#at(reader.integer(7)));
        continue;
      }
      const kept = (byte & 0x40) !== 0;
      const index = reader.integer(kept ? 6 : 4);
      const name = index === 0 ? reader.text() : this.#at(index).name;
      const value = reader.text();
      const field = { name, value, encoded: encodedField(name, value) };
      if (kept) this.#keep(field);
      take(field);
    }
  }

  #at(index: number): Field {
    const fixed = STATIC[index];
    if (fixed !== undefined) return fixed;
    const entry = this.#entries[this.#entries.length - 1 - (index - STATIC.length)];
    if (entry === undefined) throw undecodable("A field has no entry in the table.");
    return fieldOf(entry);
  }

  #keep({ name, value, encoded }: Field): void {
    // Copied, because a text that was joined keeps its parts.
    const copy = Buffer.from(encoded, "latin1").toString("latin1");
    const entry = { encoded: copy, names: name.length, values: value.length };
    const size = sizeOf(entry);
    this.#evict(this.#limit - size);
    if (size > this.#limit) return;
    this.#entries.push(entry);
    this.bytes += size;
  }

  #resize(limit: number): void {
    if (limit > TABLE_BYTES) throw undecodable("The table is too large.");
    this.#limit = limit;
    this.#evict(limit);
  }

  /** Drops the oldest entries until the table has at most that size, or is empty. */
  #evict(most: number): void {
    while (this.bytes > most) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      this.bytes -= sizeOf(oldest);
    }
  }
}

/** Encodes a field without a table and without compression (RFC 7541 §6.2.2). */
export function encodedField(name: string, value: string): string {
  return `\0${lengthOf(name)}${name}${lengthOf(value)}${value}`;
}

/** Returns how many octets the length of a text takes. An entry is shorter than 127 + 2^14 bytes. */
function octetsFor(length: number): number {
  if (length < 127) return 1;
  return length < 127 + 128 ? 2 : 3;
}

/** Encodes the length of a text as an integer of seven bits (RFC 7541 §5.1). */
function lengthOf({ length }: string): string {
  if (length < 127) return String.fromCharCode(length);
  let text = "\x7f";
  let rest = length - 127;
  for (; rest >= 128; rest >>>= 7) text += String.fromCharCode((rest & 127) | 128);
  return text + String.fromCharCode(rest);
}

function sizeOf({ names, values }: Entry): number {
  return names + values + ENTRY_BYTES;
}

function fieldOf({ encoded, names, values }: Entry): Field {
  const valueAt = encoded.length - values;
  const nameAt = 1 + octetsFor(names);
  return { name: encoded.slice(nameAt, nameAt + names), value: encoded.slice(valueAt), encoded };
}

function undecodable(reason: string): ProtocolError {
  return new ProtocolError(reason, CODE.compression);
}

/** Octets after the first of an integer, and the bound of its value. No block that we accept needs more. */
const MAX_OCTETS = 5;
const MAX_INTEGER = 2 ** 31;

/**
 * Reads a block from front to back: `at` grows with every read and never passes the end. Throws a ProtocolError for what
 * is missing, and for integers that are too large (RFC 7541 §5.1).
 */
class BlockReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get over(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The next byte, which is not consumed. */
  get next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw undecodable("The header block is too short.");
    return byte;
  }

  /** RFC 7541 §5.1. */
  integer(bits: number): number {
    const full = (1 << bits) - 1;
    let value = this.#octet() & full;
    if (value < full) return value;
    for (let octet = 0, scale = 1; octet < MAX_OCTETS; octet++, scale *= 128) {
      const byte = this.#octet();
      value += (byte & 0x7f) * scale;
      if (byte >= 0x80) continue;
      if (value < MAX_INTEGER) return value;
      break;
    }
    throw undecodable("The header block has too large an integer.");
  }

  /** RFC 7541 §5.2. */
  text(): string {
    const compressed = (this.next & 0x80) !== 0;
    const length = this.integer(7);
    const start = this.#at;
    const end = start + length;
    if (end > this.#bytes.length) throw undecodable("The header block is too short.");
    this.#at = end;
    return compressed
      ? expanded(this.#bytes, start, end)
      : this.#bytes.toString("latin1", start, end);
  }

  #octet(): number {
    const byte = this.next;
    this.#at++;
    return byte;
  }
}

/** Lengths in bits of the codes of all bytes, in base 36 (RFC 7541 Appendix B). */
const LENGTHS =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6" +
  "f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn" +
  "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq";

/** The first code of each length, and the bytes with codes of that length in the order of their codes. */
const CODES = canonicalCodes();

function canonicalCodes(): readonly {
  readonly first: number;
  readonly bytes: readonly number[];
}[] {
  const byLength: number[][] = Array.from({ length: 31 }, () => []);
  for (let byte = 0; byte < 256; byte++) {
    byLength[Number.parseInt(LENGTHS.charAt(byte), 36)]?.push(byte);
  }
  let next = 0;
  return byLength.map((bytes) => {
    next *= 2;
    const first = next;
    next += bytes.length;
    return { first, bytes };
  });
}

/** Decodes Huffman codes. Throws a ProtocolError for an unknown code, and for invalid padding (RFC 7541 §5.2). */
function expanded(bytes: Buffer, start: number, end: number): string {
  // The shortest code has five bits.
  const text = Buffer.allocUnsafe(Math.ceil(((end - start) * 8) / 5));
  let written = 0;
  let code = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      if (++length < 5) continue;
      const codes = CODES[length];
      // Only EOS is as long as this, and no text contains it.
      if (codes === undefined) throw undecodable("The header block has an unknown code.");
      const found = codes.bytes[code - codes.first];
      if (found === undefined) continue;
      text[written++] = found;
      code = 0;
      length = 0;
    }
  }
  if (length > 7 || code !== 2 ** length - 1)
    throw undecodable("The padding of a text is invalid.");
  return text.toString("latin1", 0, written);
}

/** Names, each with its value if it has one. */
const STATIC_FIELDS = `:authority
:method GET
:method POST
:path /
:path /index.html
:scheme http
:scheme https
:status 200
:status 204
:status 206
:status 304
:status 400
:status 404
:status 500
accept-charset
accept-encoding gzip, deflate
accept-language
accept-ranges
accept
access-control-allow-origin
age
allow
authorization
cache-control
content-disposition
content-encoding
content-language
content-length
content-location
content-range
content-type
cookie
date
etag
expect
expires
from
host
if-match
if-modified-since
if-none-match
if-range
if-unmodified-since
last-modified
link
location
max-forwards
proxy-authenticate
proxy-authorization
range
referer
refresh
retry-after
server
set-cookie
strict-transport-security
transfer-encoding
user-agent
vary
via
www-authenticate`;

/** The static table, from index 1 (RFC 7541 Appendix A). */
const STATIC: readonly (Field | undefined)[] = staticTable();

function staticTable(): readonly (Field | undefined)[] {
  const lines = STATIC_FIELDS.split("\n").map((line, index) => {
    const at = line.indexOf(" ");
    const [name, value] = at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
    return { name, value, encoded: String.fromCharCode(0x81 + index) };
  });
  return [undefined, ...lines];
}
