import { MAX_PARTS, MAX_UNPACKED_BYTES } from "../limits.ts";
import { TableRefused } from "../table.ts";
import { unpacked } from "./bytes.ts";

/** A part of a zip archive. */
export interface ZipPart {
  readonly name: string;
  /** Its bytes in the archive. */
  readonly packed: Uint8Array;
  readonly stored: boolean;
}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end of the directory is at most this far from the end of the file (APPNOTE 4.3.16). */
const END_WITHIN = 22 + 0xffff;
const IN_ZIP64 = 0xffffffff;
const ENCRYPTED = 1;

/** Returns the parts of a zip archive as its directory lists them (APPNOTE 4.3). Refuses a damaged archive. */
export function zipParts(bytes: Uint8Array, found: string): readonly ZipPart[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return listed(bytes, view, found);
  } catch (error) {
    // Read beyond the end.
    if (error instanceof RangeError) throw new TableRefused({ code: "damaged", found });
    throw error;
  }
}

function listed(bytes: Uint8Array, view: DataView, found: string): readonly ZipPart[] {
  const damaged = (): never => {
    throw new TableRefused({ code: "damaged", found });
  };
  let end = bytes.length - 22;
  const first = Math.max(0, bytes.length - END_WITHIN);
  while (end >= first && view.getUint32(end, true) !== END) end--;
  if (end < first) return damaged();
  const count = view.getUint16(end + 10, true);
  if (count > MAX_PARTS) damaged();
  const parts: ZipPart[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== DIRECTORY) damaged();
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const nameAt = at + 46;
    const name = new TextDecoder().decode(bytes.subarray(nameAt, nameAt + nameLength));
    const { size, offset } = sizes(view, at, nameAt + nameLength, extraLength);
    if ((flags & ENCRYPTED) !== 0) {
      throw new TableRefused({ code: "not_a_table", found: `${found} with a password` });
    }
    if (method !== 0 && method !== 8) damaged();
    if (view.getUint32(offset, true) !== LOCAL) damaged();
    const start =
      offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (start + size > bytes.length) damaged();
    parts.push({ name, packed: bytes.subarray(start, start + size), stored: method === 0 });
    at = nameAt + nameLength + extraLength + view.getUint16(at + 32, true);
  }
  return parts;
}

/** Returns the size and place of a part, which are in an extra field if they are long (APPNOTE 4.5.3). */
function sizes(
  view: DataView,
  at: number,
  extraAt: number,
  extraLength: number,
): { readonly size: number; readonly offset: number } {
  let [unpackedSize, size, offset] = [24, 20, 42].map((place) => view.getUint32(at + place, true));
  for (let field = extraAt; field + 4 <= extraAt + extraLength;) {
    const length = view.getUint16(field + 2, true);
    if (view.getUint16(field, true) === 1) {
      let place = field + 4;
      const next = (): number => {
        place += 8;
        return Number(view.getBigUint64(place - 8, true));
      };
      if (unpackedSize === IN_ZIP64) unpackedSize = next();
      if (size === IN_ZIP64) size = next();
      if (offset === IN_ZIP64) offset = next();
    }
    field += 4 + length;
  }
  return { size: size ?? 0, offset: offset ?? 0 };
}

/** Unpacks a part, to at most `most` bytes. */
export async function* partBytes(
  { packed, stored }: ZipPart,
  found: string,
  most: number = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    if (packed.length > 0) yield packed;
  };
  if (!stored) {
    yield* unpacked(whole(), "deflate-raw", found, most);
    return;
  }
  if (packed.length > most) throw new TableRefused({ code: "too_large", most, unpacked: true });
  yield* whole();
}

/** A part to be written, with its size. */
export interface WrittenPart {
  readonly name: string;
  readonly size: number;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Writes an archive whose parts are not compressed, without their checksums, which readers of streams cannot check. */
export async function* zipOf(parts: readonly WrittenPart[]): AsyncGenerator<Uint8Array> {
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const part of parts) {
    const { name, size } = part;
    const encoded = new TextEncoder().encode(name);
    const local = header(LOCAL, 30, encoded);
    const entry = header(DIRECTORY, 46, encoded);
    local.view.setUint32(18, size, true);
    local.view.setUint32(22, size, true);
    local.view.setUint16(26, encoded.length, true);
    entry.view.setUint32(20, size, true);
    entry.view.setUint32(24, size, true);
    entry.view.setUint16(28, encoded.length, true);
    entry.view.setUint32(42, offset, true);
    entries.push(entry.bytes);
    yield local.bytes;
    yield* part.bytes();
    offset += local.bytes.length + size;
  }
  const length = entries.reduce((sum, entry) => sum + entry.length, 0);
  yield* entries;
  const end = header(END, 22, new Uint8Array());
  end.view.setUint16(8, parts.length, true);
  end.view.setUint16(10, parts.length, true);
  end.view.setUint32(12, length, true);
  end.view.setUint32(16, offset, true);
  yield end.bytes;
}

function header(
  sign: number,
  length: number,
  name: Uint8Array,
): { readonly bytes: Uint8Array; readonly view: DataView } {
  const bytes = new Uint8Array(length + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, sign, true);
  bytes.set(name, length);
  return { bytes, view };
}
