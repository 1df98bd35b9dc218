import { CODE, ProtocolError } from "./http2-frames.ts";

/**
 * Finds the `:path` that a header block spells out (RFC 7541). Undefined if the block refers to an earlier one. Throws a
 * ProtocolError for a block that cannot be decoded, and if the table's size changes after a field.
 */
export function pathIn(block: Buffer): string | undefined {
  const reader = new BlockReader(block);
  let path: string | undefined;
  let fields = 0;
  while (!reader.over) {
    const byte = reader.next;
    if ((byte & 0xe0) === 0x20) {
      // With our field after it, the decoder could not tell (§4.2).
      if (fields > 0) throw undecodable("The table changes too late.");
      reader.integer(5);
      continue;
    }
    fields++;
    if ((byte & 0x80) !== 0) {
      // An indexed field.
      reader.integer(7);
      continue;
    }
    const name = reader.integer((byte & 0x40) === 0 ? 4 : 6);
    const isPath = name === 0 ? reader.text() === ":path" : PATHS.has(name);
    if (isPath && path === undefined) path = reader.text();
    else reader.skip();
  }
  return path;
}

/** Encodes a field that no table keeps (RFC 7541 §6.2.3). The name and the value have less than 127 bytes each. */
export function plainField(name: string, value: string): Buffer {
  const text = (one: string): Buffer =>
    Buffer.from(String.fromCharCode(one.length) + one, "latin1");
  return Buffer.concat([Buffer.of(0x10), text(name), text(value)]);
}

/** The entries of the static table with this name: `/` and `/index.html`. */
const PATHS: ReadonlySet<number> = new Set([4, 5]);

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
    const bytes = this.skip();
    return compressed ? expanded(bytes) : bytes.toString("latin1");
  }

  /** Passes over a text, and returns its encoded bytes. */
  skip(): Buffer {
    const end = this.integer(7) + this.#at;
    if (end > this.#bytes.length) throw undecodable("The header block is too short.");
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
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
function expanded(bytes: Uint8Array): string {
  let text = "";
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      length++;
      const codes = CODES[length];
      // Only EOS is as long as this, and no text contains it.
      if (codes === undefined) throw undecodable("The header block has an unknown code.");
      const found = codes.bytes[code - codes.first];
      if (found === undefined) continue;
      text += String.fromCharCode(found);
      code = 0;
      length = 0;
    }
  }
  if (length > 7 || code !== 2 ** length - 1)
    throw undecodable("The padding of a text is invalid.");
  return text;
}
