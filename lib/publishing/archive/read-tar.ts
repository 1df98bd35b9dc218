import { lazyStream, cutOff, skip, type ByteSource } from "./byte-source.ts";
import { MAX_TRAILING_BYTES, MAX_EXTENSIONS, MAX_EXTENSION_BYTES } from "./limits.ts";
import { invalid, quoted, tooLarge } from "./refused.ts";
import { BLOCK, padding, checksumOf, fieldOf, fields, type Field } from "./tar-format.ts";

/** An entry of the archive. */
export interface TarEntry extends EntryHeader {
  /** Its content, valid until the next entry is requested, which skips the unread rest. */
  content(): ReadableStream<Uint8Array>;
}

/** Reads the entries of a ustar, GNU or pax archive in order. Refuses incomplete archives and other formats. */
export async function* readTar(source: ByteSource): AsyncGenerator<TarEntry> {
  let first = true;
  for (;;) {
    const header = await nextHeader(source, first);
    if (header === undefined) break;
    first = false;
    const left = { bytes: header.size };
    const part = async (): Promise<Uint8Array | undefined> => {
      if (left.bytes === 0) return undefined;
      const bytes = await source.some(left.bytes);
      if (bytes === undefined) throw cutOff();
      left.bytes -= bytes.length;
      return bytes;
    };
    yield { ...header, content: () => lazyStream(part) };
    await skip(source, left.bytes + padding(header.size));
  }
  await expectZeros(source);
}

/** Expects only zeros after the first block of zeros, at least one more block. */
async function expectZeros(source: ByteSource): Promise<void> {
  let count = 0;
  for (;;) {
    const part = await source.some(MAX_TRAILING_BYTES);
    if (part === undefined) break;
    count += part.length;
    if (count > MAX_TRAILING_BYTES || part.some((byte) => byte !== 0)) {
      throw invalid("The archive continues after its end.");
    }
  }
  if (count < BLOCK) throw cutOff();
}

/** The header of an entry. */
interface EntryHeader {
  /** The raw name. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Size of the content in bytes. */
  readonly size: number;
}

export /** Kinds by the header's type letter, in POSIX and GNU archives. */
const kinds = {
  "0": "file",
  "1": "hard link",
  "2": "symbolic link",
  "3": "device",
  "4": "device",
  "5": "directory",
  "6": "named pipe",
  "7": "file",
  S: "sparse file",
} as const;

type EntryKind = (typeof kinds)[keyof typeof kinds] | "thing of an unknown kind";

/** Headers that precede an entry and describe it. */
interface Extensions {
  longName?: Uint8Array;
  pax?: PaxHeader;
}

/**
 * Reads the header of the next entry, including its extension headers; undefined at the end of the archive. `first`
 * marks the first entry.
 */
async function nextHeader(source: ByteSource, first: boolean): Promise<EntryHeader | undefined> {
  const extensions: Extensions = {};
  for (let count = 0; ; count++) {
    const block = await source.exactly(BLOCK);
    if (block === undefined) throw cutOff();
    if (block.every((byte) => byte === 0)) {
      if (count > 0) throw cutOff();
      return undefined;
    }
    const header = readHeader(block);
    if (header === undefined) {
      throw invalid(
        first && count === 0
          ? "The file is gzip, but does not contain a tar archive."
          : "The archive is damaged: a header in it cannot be read.",
      );
    }
    if (!(await extended(source, header, extensions))) return describe(header, extensions);
    if (count === MAX_EXTENSIONS)
      throw invalid("The archive has too many headers before one entry.");
  }
}

/** Returns whether the header only describes the following entry. If so, stores its contents in `extensions`. */
async function extended(
  source: ByteSource,
  { type, size }: TarHeader,
  extensions: Extensions,
): Promise<boolean> {
  if (type !== "L" && type !== "K" && type !== "x" && type !== "g") return false;
  if (size > MAX_EXTENSION_BYTES) {
    throw tooLarge(
      `The archive has a header of ${size} bytes; at most ${MAX_EXTENSION_BYTES} are allowed.`,
    );
  }
  const content = await source.exactly(size);
  if (content === undefined) throw cutOff();
  await skip(source, padding(size));
  if (type === "L") extensions.longName = content;
  if (type === "x" || type === "g") {
    const pax = readPax(content);
    if (pax === undefined) throw invalid("The archive is damaged: a pax header cannot be read.");
    if (type === "x") extensions.pax = pax;
    else if (pax.path !== undefined || pax.size !== undefined || pax.sparse) {
      throw invalid("The archive gives all its entries one name or size.");
    }
  }
  return true;
}

function describe(header: TarHeader, { longName, pax }: Extensions): EntryHeader {
  const written = pax?.path ?? (longName === undefined ? header.name : unterminated(longName));
  const name = decoded(written);
  const kind = kindOf(header.type, name, pax?.sparse ?? false);
  const size = pax?.size ?? header.size;
  if (kind !== "file" && kind !== "directory") return { name, kind, size: 0 };
  if (kind === "directory" && size > 0)
    throw invalid(`${quoted(name)} is a directory with content.`);
  return { name, kind, size };
}

function kindOf(type: string, name: string, sparse: boolean): EntryKind {
  if (sparse) return "sparse file";
  const kind: EntryKind = isKnown(type) ? kinds[type] : "thing of an unknown kind";
  // Old archives mark directories with a trailing slash.
  return kind === "file" && name.endsWith("/") ? "directory" : kind;
}

function isKnown(type: string): type is keyof typeof kinds {
  return Object.hasOwn(kinds, type);
}

/** Removes the NUL that ends GNU's long names. */
function unterminated(name: Uint8Array): Uint8Array {
  return name.at(-1) === 0 ? name.subarray(0, -1) : name;
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(name: Uint8Array): string {
  try {
    return utf8Decoder.decode(name);
  } catch {
    throw invalid(`The name ${quoted(new TextDecoder().decode(name))} is not valid UTF-8.`);
  }
}

/** The relevant records of a pax extended header (POSIX.1-2017, pax, "Extended Header"). */
interface PaxHeader {
  readonly path?: Uint8Array;
  readonly size?: number;
  /** The entry is a sparse file, whose content includes a map of its holes. */
  readonly sparse: boolean;
}

const EQUALS = 0x3d;
const NEWLINE = 0x0a;

/** Parses pax records; undefined if they are malformed. The last of several records with one name counts. */
function readPax(content: Uint8Array): PaxHeader | undefined {
  let header: PaxHeader = { sparse: false };
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(SPACE, at);
    const length = space === -1 ? undefined : decimal(content.subarray(at, space));
    if (length === undefined || at + length > content.length) return undefined;
    const equals = content.indexOf(EQUALS, space);
    const end = at + length - 1;
    if (equals === -1 || equals > end || content[end] !== NEWLINE) return undefined;
    const name = new TextDecoder().decode(content.subarray(space + 1, equals));
    const value = content.subarray(equals + 1, end);
    at += length;
    if (name === "path") header = { ...header, path: value };
    if (name.startsWith("GNU.sparse.")) header = { ...header, sparse: true };
    if (name === "size") {
      const size = decimal(value);
      if (size === undefined) return undefined;
      header = { ...header, size };
    }
  }
  return header;
}

/** Parses at most 15 digits, which are exact and exceed every limit. */
function decimal(digits: Uint8Array): number | undefined {
  if (digits.length === 0 || digits.length > 15) return undefined;
  let value = 0;
  for (const digit of digits) {
    if (digit < 0x30 || digit > 0x39) return undefined;
    value = value * 10 + digit - 0x30;
  }
  return value;
}

/** One parsed header block. */
interface TarHeader {
  /** Prefix and name, undecoded. */
  readonly name: Uint8Array;
  readonly size: number;
  /** A letter or digit. `0` is a file. */
  readonly type: string;
}

const SPACE = 0x20;
const SLASH = 0x2f;

/** Parses a header; undefined if its checksum or a number is invalid. */
function readHeader(block: Uint8Array): TarHeader | undefined {
  if (readNumber(block, fields.checksum) !== checksumOf(block)) return undefined;
  const size = readNumber(block, fields.size);
  if (size === undefined) return undefined;
  const letter = fieldOf(block, fields.type)[0] ?? 0;
  const type = letter === 0 ? "0" : String.fromCharCode(letter);
  return { name: readName(block), size, type };
}

function readName(block: Uint8Array): Uint8Array {
  const name = unpadded(fieldOf(block, fields.name));
  // GNU's own format writes "ustar " and has other fields in place of POSIX's prefix.
  const isPosix = new TextDecoder().decode(fieldOf(block, fields.magic)) === "ustar\0";
  const prefix = isPosix ? unpadded(fieldOf(block, fields.prefix)) : new Uint8Array();
  return prefix.length === 0 ? name : new Uint8Array([...prefix, SLASH, ...name]);
}

/** Removes trailing NULs. An inner NUL stays part of the name, which is refused for it. */
function unpadded(field: Uint8Array): Uint8Array {
  let end = field.length;
  while (end > 0 && field[end - 1] === 0) end--;
  return field.subarray(0, end);
}

/** Parses octal digits between spaces and NULs, or GNU's base 256 for larger numbers; undefined if invalid. */
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
    // Also catches negative numbers, which begin with ones.
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}
