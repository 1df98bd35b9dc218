import { checksumOf, fieldOf, fields, type Field } from "./tar-format.ts";

/** One header block, read but not judged. */
export interface TarHeader {
  /** As written, and not decoded: prefix and name. */
  readonly name: Uint8Array;
  readonly size: number;
  /** A letter or digit; `0` for a file. */
  readonly type: string;
}

const SPACE = 0x20;
const SLASH = 0x2f;

/** Undefined when the block is no header: its checksum or a number in it is wrong. */
export function readHeader(block: Uint8Array): TarHeader | undefined {
  if (readNumber(block, fields.checksum) !== checksumOf(block)) return undefined;
  const size = readNumber(block, fields.size);
  if (size === undefined) return undefined;
  const letter = fieldOf(block, fields.type)[0] ?? 0;
  const type = letter === 0 ? "0" : String.fromCharCode(letter);
  return { name: readName(block), size, type };
}

function readName(block: Uint8Array): Uint8Array {
  const name = unpadded(fieldOf(block, fields.name));
  // GNU's own format writes "ustar " and keeps other things where POSIX has the prefix.
  const isPosix = new TextDecoder().decode(fieldOf(block, fields.magic)) === "ustar\0";
  const prefix = isPosix ? unpadded(fieldOf(block, fields.prefix)) : new Uint8Array();
  return prefix.length === 0 ? name : new Uint8Array([...prefix, SLASH, ...name]);
}

/** Without the NULs at its end; one before is part of the name, and its fault. */
function unpadded(field: Uint8Array): Uint8Array {
  let end = field.length;
  while (end > 0 && field[end - 1] === 0) end--;
  return field.subarray(0, end);
}

/** Octal digits between spaces and NULs, or base 256 as GNU writes what is larger; undefined for anything else. */
function readNumber(block: Uint8Array, field: Field): number | undefined {
  const bytes = fieldOf(block, field);
  const [first = 0] = bytes;
  if ((first & 0x80) !== 0) return readBase256(bytes);
  let value = 0;
  let ended = false;
  let begun = false;
  for (const byte of bytes) {
    if (byte === 0 || byte === SPACE) {
      ended = begun;
      continue;
    }
    if (ended || byte < 0x30 || byte > 0x37) return undefined;
    begun = true;
    value = value * 8 + byte - 0x30;
  }
  return value;
}

function readBase256(bytes: Uint8Array): number | undefined {
  let value = (bytes[0] ?? 0) & 0x7f;
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte;
    // Negative ones begin with ones, and so do not fit either.
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}
