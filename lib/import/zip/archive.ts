import { crc32Of } from "../../base/digest.ts";
import { MAX_ARCHIVE_FILES, MAX_ARCHIVE_UNPACKED_BYTES } from "../limits.ts";
import { joined } from "../../base/parts.ts";
import { unpacked } from "../reading/bytes.ts";
import { TableRefused } from "../table.ts";
import {
  directoryEntries,
  directoryPlace,
  lengths,
  signs,
  TAIL_BYTES,
  type DirectoryEntry,
} from "./directory.ts";

/** Bytes of which any part can be read. */
export interface StoredBytes {
  readonly size: number;
  /** Reads the bytes from `start` up to, not including, `end`. */
  open(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** A file in an archive. */
export interface ArchivedFile {
  /** The name, with slashes between folders. It is never used as a path: it may begin with a slash, or contain `..`. */
  readonly name: string;
  /** Unpacked. */
  readonly size: number;
}

/** A zip archive whose directory was read and checked. */
export interface Archive {
  /** The files without folders and what systems add, in the order of the directory. */
  readonly files: readonly ArchivedFile[];
  /**
   * Unpacks a file. Throws `TableRefused`: `damaged` if its content is not what the directory says, and `too_large` if
   * it has more than `most` bytes.
   */
  bytes(file: ArchivedFile, most: number): AsyncGenerator<Uint8Array>;
}

/** The largest directory that is read: names and extra fields of 20,000 entries. */
const MAX_DIRECTORY_BYTES = 8 * 1_048_576;
/** The most that a file may unpack to, for each of its bytes. Pictures unpack to about their size. */
const MAX_RATIO = 200;
/** Below this size, a file may unpack to any size that deflate allows. */
const ANY_RATIO_BYTES = 1_048_576;
const [STORED, DEFLATED] = [0, 8];
const FOUND = "a zip archive";

/** Files that systems add to archives. */
const ADDED = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/iu;

/**
 * Reads the directory of a zip archive. Refuses one that is damaged, has a password, an unusual compression or too many
 * files, or whose files overlap or unpack to too much: a small archive could otherwise fill memory or take hours.
 */
export async function openArchive(source: StoredBytes): Promise<Archive> {
  const { entries, start } = await readDirectory(source);
  const ends = checkedEnds(entries, start);
  const files = entries
    .filter(({ name }) => !name.endsWith("/") && !ADDED.test(withSlashes(name)))
    .map((entry) => ({ ...entry, name: withSlashes(entry.name) }));
  if (files.length > MAX_ARCHIVE_FILES) throw tooMany();
  for (const entry of files) checkEntry(entry);
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_ARCHIVE_UNPACKED_BYTES) {
    throw new TableRefused({ code: "too_large", most: MAX_ARCHIVE_UNPACKED_BYTES, unpacked: true });
  }
  const byFile = new Map<ArchivedFile, DirectoryEntry>(files.map((entry) => [entry, entry]));
  return {
    files,
    bytes: (file, most) => {
      const entry = byFile.get(file);
      if (entry === undefined) throw new TypeError("The file is not of this archive.");
      return entryBytes(source, entry, { most, end: ends.get(entry.offset) ?? 0 });
    },
  };
}

/** Returns the names in the directory of a zip archive, whatever else it has. */
export async function archiveNames(source: StoredBytes): Promise<readonly string[]> {
  return (await readDirectory(source)).entries.map(({ name }) => name);
}

async function readDirectory(
  source: StoredBytes,
): Promise<{ readonly entries: readonly DirectoryEntry[]; readonly start: number }> {
  const tailAt = Math.max(0, source.size - TAIL_BYTES);
  const place = directoryPlace(await all(source, tailAt, source.size), tailAt);
  if (place === undefined) throw damaged();
  const { count, start, length } = place;
  // Folders count as well.
  if (count > 2 * MAX_ARCHIVE_FILES || length > MAX_DIRECTORY_BYTES) throw tooMany();
  const entries = directoryEntries(await all(source, start, start + length), count);
  if (entries === undefined) throw damaged();
  return { entries, start };
}

function withSlashes(name: string): string {
  return name.replaceAll("\\", "/");
}

/** Returns where the bytes of each entry end at the latest: at the next one. Refuses entries that overlap. */
function checkedEnds(
  entries: readonly DirectoryEntry[],
  directory: number,
): ReadonlyMap<number, number> {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset);
  const ends = new Map<number, number>();
  for (const [index, { offset, packed }] of ordered.entries()) {
    const end = ordered[index + 1]?.offset ?? directory;
    if (offset + lengths.local + packed > end) throw damaged();
    ends.set(offset, end);
  }
  return ends;
}

function checkEntry({ name, encrypted, method, packed, size }: DirectoryEntry): void {
  if (encrypted) throw refusal("password", name);
  if (method !== STORED && method !== DEFLATED) throw refusal("compression", name);
  if (method === STORED && packed !== size) throw damaged();
  if (size > ANY_RATIO_BYTES && size > packed * MAX_RATIO) throw refusal("ratio", name);
}

async function* entryBytes(
  source: StoredBytes,
  { method, packed, size, crc: stated, offset }: DirectoryEntry,
  { most, end }: { readonly most: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  if (size > most) throw new TableRefused({ code: "too_large", most, unpacked: true });
  const header = await all(source, offset, offset + lengths.local);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (view.getUint32(0, true) !== signs.local) throw damaged();
  const start = offset + lengths.local + view.getUint16(26, true) + view.getUint16(28, true);
  if (start + packed > end) throw damaged();
  const raw = source.open(start, start + packed);
  // One byte more than stated shows that the directory is wrong.
  const pieces = method === STORED ? raw : unpacked(raw, "deflate-raw", FOUND, size + 1);
  let [read, crc] = [0, 0];
  for await (const piece of pieces) {
    read += piece.length;
    if (read > size) throw damaged();
    crc = crc32Of(piece, crc);
    yield piece;
  }
  if (read !== size || crc !== stated) throw damaged();
}

async function all(source: StoredBytes, start: number, end: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of source.open(start, end)) parts.push(part);
  const bytes = joined(parts);
  if (bytes.length !== end - start) throw damaged();
  return bytes;
}

function damaged(): TableRefused {
  return new TableRefused({ code: "damaged", found: FOUND });
}

function tooMany(): TableRefused {
  return new TableRefused({ code: "too_many_files", most: MAX_ARCHIVE_FILES });
}

function refusal(reason: "password" | "compression" | "ratio", name: string): TableRefused {
  return new TableRefused({ code: "unusable_archive", reason, name: name.slice(0, MAX_SHOWN) });
}

/** The longest name that a refusal shows. */
const MAX_SHOWN = 100;
