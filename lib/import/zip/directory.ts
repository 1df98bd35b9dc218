/** The signatures of the records of a zip archive (APPNOTE 4.3). */
export const signs = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
  descriptor: 0x08074b50,
} as const;

/** The bytes of the fixed part of each record. */
export const lengths = { local: 30, entry: 46, end: 22, end64: 56, locator64: 20 } as const;

/** The directory is found in the last bytes of an archive: its end with the longest comment, and the records of zip64. */
export const TAIL_BYTES: number = lengths.end + 0xffff + lengths.locator64 + lengths.end64;

/** Marks a number that is stored elsewhere because it is long. */
export const IN_ZIP64 = 0xffffffff;
const COUNT_IN_ZIP64 = 0xffff;
const ZIP64_FIELD = 1;

/** Where the directory of an archive is. */
export interface DirectoryPlace {
  readonly count: number;
  /** The offset of its first byte in the archive. */
  readonly start: number;
  /** The length in bytes. */
  readonly length: number;
}

/**
 * Finds the directory in the tail of an archive, which begins at the offset `at` (APPNOTE 4.3.16). Returns undefined
 * if it is damaged, or in parts.
 */
export function directoryPlace(tail: Uint8Array, at: number): DirectoryPlace | undefined {
  const view = viewOf(tail);
  for (let end = tail.length - lengths.end; end >= 0; end--) {
    if (view.getUint32(end, true) !== signs.end) continue;
    if (end + lengths.end + view.getUint16(end + 20, true) > tail.length) continue;
    const place = {
      count: view.getUint16(end + 10, true),
      start: view.getUint32(end + 16, true),
      length: view.getUint32(end + 12, true),
    };
    const isLong =
      place.count === COUNT_IN_ZIP64 || place.start === IN_ZIP64 || place.length === IN_ZIP64;
    const found = isLong ? place64(view, end, at) : { ...place, before: end + at };
    if (found === undefined || found.start + found.length > found.before) return undefined;
    return { count: found.count, start: found.start, length: found.length };
  }
  return undefined;
}

/** Reads the end of a directory in zip64, which is before the ordinary one (APPNOTE 4.3.14). */
function place64(
  view: DataView,
  end: number,
  at: number,
): (DirectoryPlace & { readonly before: number }) | undefined {
  const locator = end - lengths.locator64;
  if (locator < 0 || view.getUint32(locator, true) !== signs.locator64) return undefined;
  const place = Number(view.getBigUint64(locator + 8, true)) - at;
  if (!(place >= 0 && place + lengths.end64 <= locator)) return undefined;
  if (view.getUint32(place, true) !== signs.end64) return undefined;
  const [count = 0, length = 0, start = 0] = [32, 40, 48].map((offset) =>
    Number(view.getBigUint64(place + offset, true)),
  );
  return { count, start, length, before: place + at };
}

/** An entry of a directory. */
export interface DirectoryEntry {
  /** The name as the archive has it: it may begin with a slash, or contain `..`. */
  readonly name: string;
  readonly encrypted: boolean;
  /** 0 is stored, 8 is deflated. */
  readonly method: number;
  /** Its bytes in the archive, and unpacked. */
  readonly packed: number;
  readonly size: number;
  readonly crc: number;
  /** The offset of its local header. */
  readonly offset: number;
}

const ENCRYPTED = 1;
const IN_UTF8 = 0x800;

/** Reads the `count` entries of a directory (APPNOTE 4.3.12). Returns undefined if it is damaged. */
export function directoryEntries(
  directory: Uint8Array,
  count: number,
): readonly DirectoryEntry[] | undefined {
  const view = viewOf(directory);
  const entries: DirectoryEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + lengths.entry > directory.length) return undefined;
    if (view.getUint32(at, true) !== signs.entry) return undefined;
    const flags = view.getUint16(at + 8, true);
    const nameEnd = at + lengths.entry + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > directory.length) return undefined;
    const numbers = longNumbers(view, at, nameEnd, extraEnd);
    if (numbers === undefined) return undefined;
    entries.push({
      name: nameOf(directory.subarray(at + lengths.entry, nameEnd), (flags & IN_UTF8) !== 0),
      encrypted: (flags & ENCRYPTED) !== 0,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      ...numbers,
    });
    at = next;
  }
  return entries;
}

/** Reads the sizes and the place of an entry, which are in an extra field if they are long (APPNOTE 4.5.3). */
function longNumbers(
  view: DataView,
  at: number,
  extraAt: number,
  extraEnd: number,
): Pick<DirectoryEntry, "packed" | "size" | "offset"> | undefined {
  let size = view.getUint32(at + 24, true);
  let packed = view.getUint32(at + 20, true);
  let offset = view.getUint32(at + 42, true);
  for (let field = extraAt; field + 4 <= extraEnd;) {
    const end = field + 4 + view.getUint16(field + 2, true);
    if (end > extraEnd) return undefined;
    if (view.getUint16(field, true) === ZIP64_FIELD) {
      let place = field + 4;
      const next = (): number => {
        place += 8;
        return place > end ? Number.NaN : Number(view.getBigUint64(place - 8, true));
      };
      if (size === IN_ZIP64) size = next();
      if (packed === IN_ZIP64) packed = next();
      if (offset === IN_ZIP64) offset = next();
    }
    field = end;
  }
  return [size, packed, offset].every(Number.isSafeInteger) ? { size, packed, offset } : undefined;
}

/** The letters of the code page 437 from 0x80 on, in which Windows has written names. */
const LETTERS_437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑ";

function nameOf(bytes: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return new TextDecoder().decode(bytes);
  try {
    // Other systems write UTF-8 as well, and do not say so.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const letters = Array.from(bytes, (byte) => {
      if (byte < 0x80) return String.fromCharCode(byte);
      return byte === 0xe1 ? "ß" : (LETTERS_437[byte - 0x80] ?? "\uFFFD");
    });
    return letters.join("");
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
