import { joined } from "../../base/parts.ts";
import { lazyStream } from "../../publishing/archive/byte-source.ts";
import { MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "../limits.ts";
import { TableRefused, type TableSource } from "../table.ts";

/** The largest piece that is decoded or unpacked at once, so that other requests have their turn. */
const PIECE = 16 * 1_024;
/** Compressed bytes at a time: they unpack to at most 1,032 times as many. */
const COMPRESSED_PIECE = 4 * 1_024;

/** Returns a source of the same bytes in pieces of at most 16 KiB. Refuses a file that is too large. */
export function bounded(source: TableSource): TableSource {
  return { open: () => inPieces(source.open(), PIECE, MAX_FILE_BYTES) };
}

async function* inPieces(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  most: number,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > most) throw new TableRefused({ code: "too_large", most, unpacked: false });
    for (let at = 0; at < chunk.length; at += size) yield chunk.subarray(at, at + size);
  }
}

/** Returns the first bytes of a file, at most `most`, and whether they are all of it. */
export async function headOf(
  source: TableSource,
  most: number,
): Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source.open()) {
    parts.push(piece);
    length += piece.length;
    if (length > most) break;
  }
  return { bytes: joined(parts).subarray(0, most), whole: length <= most };
}

/** Returns all bytes of a file. */
export async function allOf(source: TableSource): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const piece of source.open()) parts.push(piece);
  return joined(parts);
}

/** Tells whether bytes begin as gzip does (RFC 1952 §2.3.1). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Returns a source of the unpacked bytes of a file that is compressed with gzip. */
export function gunzipped(source: TableSource): TableSource {
  return {
    open: () => inPieces(unpacked(source.open(), "gzip", "a gzip file"), PIECE, Infinity),
  };
}

/** Unpacks a stream. Refuses one that is damaged, or unpacks to more than `most` bytes. */
export async function* unpacked(
  packed: AsyncIterable<Uint8Array>,
  format: "gzip" | "deflate-raw",
  found: string,
  most: number = MAX_UNPACKED_BYTES,
): AsyncGenerator<Uint8Array> {
  const pieces = inPieces(packed, COMPRESSED_PIECE, Infinity);
  let failure: { readonly reason: unknown } | undefined;
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      const piece = await pieces.next();
      return piece.done === true ? undefined : piece.value;
    } catch (reason) {
      failure = { reason };
      throw reason;
    }
  };
  const reader = lazyStream(next).pipeThrough(decompression(format)).getReader();
  let total = 0;
  try {
    for (;;) {
      const { value } = await reader.read().catch(() => {
        throw failure === undefined ? new TableRefused({ code: "damaged", found }) : failure.reason;
      });
      if (value === undefined) return;
      total += value.length;
      if (total > most) throw new TableRefused({ code: "too_large", most, unpacked: true });
      yield value;
    }
  } finally {
    // Cancelling a stream that failed rejects.
    await reader.cancel().catch(() => undefined);
    await pieces.return(undefined).catch(() => undefined);
  }
}

/** The DOM types require an ArrayBuffer behind the input; decompression itself refuses a shared one. */
function decompression(
  format: "gzip" | "deflate-raw",
): ReadableWritablePair<Uint8Array, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new DecompressionStream(format) as ReadableWritablePair<Uint8Array, Uint8Array>;
}
