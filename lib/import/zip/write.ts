import { isoTime } from "../../base/clock.ts";
import { crc32Of } from "../../base/digest.ts";
import { lazyStream } from "../../publishing/archive/byte-source.ts";
import { IN_ZIP64, lengths, signs } from "./directory.ts";

/** A file to be written to an archive: bytes are stored as they are, and a stream is deflated. */
export interface ZipMember {
  readonly name: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** An entry that was written. */
interface Written {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

const IN_UTF8 = 0x800;
/** The sizes and the checksum follow the content. */
const WITH_DESCRIPTOR = 8;
/** Zip 4.5, on Unix: names are in UTF-8 (APPNOTE 4.4.2, 4.4.3). */
const MADE_BY = 0x0300 + 45;
const NEEDS = 20;
const NEEDS_ZIP64 = 45;
/** A regular file that its owner can write and everyone can read. */
const MODE = (0o100644 << 16) >>> 0;

/** Writes a zip archive with zip64 where it is long (APPNOTE 4.3). `at` is the time of its files, in milliseconds. */
export async function* zipArchive(
  members: AsyncIterable<ZipMember>,
  at: number,
): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  const when = dosTime(at);
  let offset = 0;
  for await (const { name, content } of members) {
    const encoded = new TextEncoder().encode(name);
    const begun = { name: encoded, offset };
    let entry: Written;
    if (content instanceof Uint8Array) {
      const size = content.length;
      entry = { ...begun, flags: IN_UTF8, method: 0, crc: crc32Of(content), packed: size, size };
      yield localHeader(entry, when);
      yield content;
      offset += lengths.local + encoded.length + size;
    } else {
      const flags = IN_UTF8 | WITH_DESCRIPTOR;
      const unknown = { ...begun, flags, method: 8, crc: 0, packed: 0, size: 0 };
      yield localHeader(unknown, when);
      const count = { crc: 0, size: 0 };
      let packed = 0;
      for await (const piece of deflated(content, count)) {
        packed += piece.length;
        yield piece;
      }
      entry = { ...unknown, ...count, packed };
      yield descriptor(entry);
      offset += lengths.local + encoded.length + packed + DESCRIPTOR_BYTES;
    }
    written.push(entry);
  }
  const start = offset;
  for (const entry of written) {
    const bytes = directoryEntry(entry, when);
    offset += bytes.length;
    yield bytes;
  }
  yield endOf(written.length, start, offset - start);
}

async function* deflated(
  content: AsyncIterable<Uint8Array>,
  count: { crc: number; size: number },
): AsyncGenerator<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  const counted = lazyStream(async () => {
    const next = await iterator.next();
    if (next.done === true) return undefined;
    count.crc = crc32Of(next.value, count.crc);
    count.size += next.value.length;
    return next.value;
  });
  // The DOM types require an ArrayBuffer behind the input.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const pair = new CompressionStream("deflate-raw") as ReadableWritablePair<Uint8Array, Uint8Array>;
  const reader = counted.pipeThrough(pair).getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    yield value;
  }
}

function record(length: number, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}

function localHeader(
  { name, flags, method, crc, packed, size }: Written,
  [time, date]: DosTime,
): Uint8Array {
  const bytes = record(lengths.local + name.length, (view) => {
    view.setUint32(0, signs.local, true);
    view.setUint16(4, NEEDS, true);
    view.setUint16(6, flags, true);
    view.setUint16(8, method, true);
    view.setUint16(10, time, true);
    view.setUint16(12, date, true);
    view.setUint32(14, crc, true);
    view.setUint32(18, packed, true);
    view.setUint32(22, size, true);
    view.setUint16(26, name.length, true);
  });
  bytes.set(name, lengths.local);
  return bytes;
}

const DESCRIPTOR_BYTES = 16;

function descriptor({ crc, packed, size }: Written): Uint8Array {
  return record(DESCRIPTOR_BYTES, (view) => {
    view.setUint32(0, signs.descriptor, true);
    view.setUint32(4, crc, true);
    view.setUint32(8, packed, true);
    view.setUint32(12, size, true);
  });
}

/** Only the place of an entry can be long: a photo has a few MiB. */
function directoryEntry(
  { name, flags, method, crc, packed, size, offset }: Written,
  [time, date]: DosTime,
): Uint8Array {
  const isLong = offset >= IN_ZIP64;
  const extra = isLong ? 12 : 0;
  const bytes = record(lengths.entry + name.length + extra, (view) => {
    view.setUint32(0, signs.entry, true);
    view.setUint16(4, MADE_BY, true);
    view.setUint16(6, isLong ? NEEDS_ZIP64 : NEEDS, true);
    view.setUint16(8, flags, true);
    view.setUint16(10, method, true);
    view.setUint16(12, time, true);
    view.setUint16(14, date, true);
    view.setUint32(16, crc, true);
    view.setUint32(20, packed, true);
    view.setUint32(24, size, true);
    view.setUint16(28, name.length, true);
    view.setUint16(30, extra, true);
    view.setUint32(38, MODE, true);
    view.setUint32(42, isLong ? IN_ZIP64 : offset, true);
    if (!isLong) return;
    const field = lengths.entry + name.length;
    view.setUint16(field, 1, true);
    view.setUint16(field + 2, 8, true);
    view.setBigUint64(field + 4, BigInt(offset), true);
  });
  bytes.set(name, lengths.entry);
  return bytes;
}

function endOf(count: number, start: number, length: number): Uint8Array {
  const isLong = count >= 0xffff || start >= IN_ZIP64 || length >= IN_ZIP64;
  const before = isLong ? lengths.end64 + lengths.locator64 : 0;
  return record(before + lengths.end, (view) => {
    if (isLong) {
      view.setUint32(0, signs.end64, true);
      view.setBigUint64(4, BigInt(lengths.end64 - 12), true);
      view.setUint16(12, MADE_BY, true);
      view.setUint16(14, NEEDS_ZIP64, true);
      for (const [place, value] of [
        [24, count],
        [32, count],
        [40, length],
        [48, start],
      ] as const) {
        view.setBigUint64(place, BigInt(value), true);
      }
      view.setUint32(lengths.end64, signs.locator64, true);
      view.setBigUint64(lengths.end64 + 8, BigInt(start + length), true);
      view.setUint32(lengths.end64 + 16, 1, true);
    }
    view.setUint32(before, signs.end, true);
    view.setUint16(before + 8, isLong ? 0xffff : count, true);
    view.setUint16(before + 10, isLong ? 0xffff : count, true);
    view.setUint32(before + 12, isLong ? IN_ZIP64 : length, true);
    view.setUint32(before + 16, isLong ? IN_ZIP64 : start, true);
  });
}

type DosTime = readonly [time: number, date: number];

/** A time as MS-DOS writes it, in steps of two seconds from 1980 on. */
function dosTime(at: number): DosTime {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = isoTime(at)
    .split(/\D/u)
    .map(Number);
  const years = Math.min(127, Math.max(0, year - 1980));
  return [(hour << 11) | (minute << 5) | (second >> 1), (years << 9) | (month << 5) | day];
}
