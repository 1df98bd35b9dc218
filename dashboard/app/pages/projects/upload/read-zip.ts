import { MAX_ENTRIES, MAX_FILE_BYTES } from "../../../../../lib/publishing/archive/limits.ts";
import { quoted } from "../../../../../lib/publishing/archive/refused.ts";
import {
  bytesOf,
  type Found,
  type FoundFile,
  invalid,
  tooLargeFile,
  tooMany,
} from "./site-files.ts";

/** The record that ends an archive, and its longest comment (APPNOTE 4.3.16). */
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
/** Names and extra fields of 5,000 entries. */
const MAX_DIRECTORY_BYTES = 16 * 1_048_576;
/** Marks a number that an archive above 4 GiB stores elsewhere. */
const ZIP64 = 0xffffffff;

const STORED = 0;
const DEFLATED = 8;

/** Lists the files of a zip, which are unpacked when opened. Throws `SiteRefused`, naming the entry, if one is unreadable. */
export async function readZip(archive: Blob): Promise<Found> {
  const { count, at, length } = await endOf(archive);
  if (count > MAX_ENTRIES) throw tooMany();
  const directory = new DataView(await archive.slice(at, at + length).arrayBuffer());
  const files: FoundFile[] = [];
  let next = 0;
  for (let index = 0; index < count; index++) {
    const entry = entryAt(directory, next);
    next = entry.end;
    if (!entry.name.endsWith("/")) files.push(fileOf(archive, entry));
  }
  return { files, leftOut: [] };
}

interface Entry {
  readonly name: string;
  readonly encrypted: boolean;
  readonly link: boolean;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  /** Offset of its local header. */
  readonly at: number;
  /** Offset of the next entry in the directory. */
  readonly end: number;
}

/** Finds the archive's directory (APPNOTE 4.3.16). */
async function endOf(
  archive: Blob,
): Promise<{ readonly count: number; readonly at: number; readonly length: number }> {
  const from = Math.max(0, archive.size - END_BYTES - MAX_COMMENT);
  const tail = new DataView(await archive.slice(from).arrayBuffer());
  for (let place = tail.byteLength - END_BYTES; place >= 0; place--) {
    if (tail.getUint32(place, true) !== 0x06054b50) continue;
    const count = tail.getUint16(place + 10, true);
    const length = tail.getUint32(place + 12, true);
    const at = tail.getUint32(place + 16, true);
    if (length > MAX_DIRECTORY_BYTES || at + length > from + place) break;
    return { count, at, length };
  }
  throw invalid("The zip archive cannot be read. Upload a folder or a tar.gz instead.");
}

/** Parses an entry of the directory (APPNOTE 4.3.12). */
function entryAt(directory: DataView, at: number): Entry {
  if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== 0x02014b50)
    throw damaged();
  const nameLength = directory.getUint16(at + 28, true);
  const end =
    at + 46 + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  if (end > directory.byteLength) throw damaged();
  const packed = directory.getUint32(at + 20, true);
  const size = directory.getUint32(at + 24, true);
  const place = directory.getUint32(at + 42, true);
  const name = nameOf(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength));
  if (packed === ZIP64 || size === ZIP64 || place === ZIP64) throw tooLargeFile(name);
  return {
    name,
    encrypted: (directory.getUint16(at + 8, true) & 1) !== 0,
    // On Unix, the upper half is the file mode (APPNOTE 4.4.15).
    link: directory.getUint32(at + 38, true) >>> 28 === 0o12,
    method: directory.getUint16(at + 10, true),
    packed,
    size,
    at: place,
    end,
  };
}

function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const shown = new TextDecoder().decode(bytes);
    throw invalid(`${quoted(shown)} has a name that is not in UTF-8.`);
  }
}

function fileOf(archive: Blob, entry: Entry): FoundFile {
  const { name, encrypted, link, method, size } = entry;
  if (link) throw invalid(`${quoted(name)} is a link; sites cannot contain links.`);
  if (encrypted) throw invalid(`${quoted(name)} is encrypted.`);
  if (method !== STORED && method !== DEFLATED) {
    throw invalid(`${quoted(name)} uses a compression method that browsers cannot read.`);
  }
  if (size > MAX_FILE_BYTES) throw tooLargeFile(name);
  return { path: name, size, open: () => contentOf(archive, entry) };
}

/** Reads an entry's content, which follows a header of variable length (APPNOTE 4.3.7). */
function contentOf(archive: Blob, { at, packed, method }: Entry): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const copy = async (): Promise<void> => {
    const header = new DataView(await archive.slice(at, at + 30).arrayBuffer());
    if (header.byteLength < 30 || header.getUint32(0, true) !== 0x04034b50) throw damaged();
    const from = at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
    const content = bytesOf(archive.slice(from, from + packed));
    await (method === STORED ? content : content.pipeThrough(inflate())).pipeTo(writable);
  };
  copy().catch((error: unknown) => writable.abort(error));
  return readable;
}

/** The DOM types require an ArrayBuffer; decompression refuses a shared one. */
function inflate(): ReadableWritablePair<Uint8Array, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new DecompressionStream("deflate-raw") as ReadableWritablePair<Uint8Array, Uint8Array>;
}

function damaged(): Error {
  return invalid("The zip archive is damaged.");
}
