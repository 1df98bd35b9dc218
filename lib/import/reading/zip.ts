import { MAX_PARTS, MAX_UNPACKED_BYTES } from "../limits.ts";
import { TableRefused } from "../table.ts";
import { directoryEntries, directoryPlace, lengths, signs } from "../zip/directory.ts";
import { unpacked } from "./bytes.ts";

/** A part of a zip archive. */
export interface ZipPart {
  readonly name: string;
  /** Its bytes in the archive. */
  readonly packed: Uint8Array;
  readonly stored: boolean;
}

/** Returns the parts of a zip archive as its directory lists them (APPNOTE 4.3). Refuses a damaged archive. */
export function zipParts(bytes: Uint8Array, found: string): readonly ZipPart[] {
  const damaged = (): never => {
    throw new TableRefused({ code: "damaged", found });
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const place = directoryPlace(bytes, 0);
  if (place === undefined || place.count > MAX_PARTS) return damaged();
  const { start: directory, length, count } = place;
  const entries = directoryEntries(bytes.subarray(directory, directory + length), count);
  if (entries === undefined) return damaged();
  return entries.map(({ name, encrypted, method, packed, offset }) => {
    if (encrypted) {
      throw new TableRefused({ code: "not_a_table", found: `${found} with a password` });
    }
    if (method !== 0 && method !== 8) damaged();
    if (offset + lengths.local > bytes.length) damaged();
    if (view.getUint32(offset, true) !== signs.local) damaged();
    const names = view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    const start = offset + lengths.local + names;
    if (start + packed > bytes.length) damaged();
    return { name, packed: bytes.subarray(start, start + packed), stored: method === 0 };
  });
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
    const local = header(signs.local, lengths.local, encoded);
    const entry = header(signs.entry, lengths.entry, encoded);
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
  const end = header(signs.end, lengths.end, new Uint8Array());
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
