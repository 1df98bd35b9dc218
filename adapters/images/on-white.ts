import { inflate } from "node:zlib";
import { promisify } from "node:util";

const unpacked = promisify(inflate);

/** Rows of at most about so many pixels are blended before other work has a turn. */
const PIXELS_AT_ONCE = 200_000;
const SIGNATURE_BYTES = 8;
const BMP_HEAD_BYTES = 54;
const RGBA = 4;

/**
 * Returns a picture on a white background as a BMP; undefined if it has no transparent pixel. Reads the PNGs that
 * `Bun.Image` writes, with eight bits of red, green, blue and alpha (ISO/IEC 15948, 9.2): it has no operation for this.
 */
export async function onWhite(png: Uint8Array): Promise<Uint8Array | undefined> {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (png[24] !== 8 || png[25] !== 6) return undefined;
  const parts: Uint8Array[] = [];
  for (let at = SIGNATURE_BYTES; at + 8 <= png.length;) {
    const length = view.getUint32(at);
    // "IDAT"
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const rows = new Uint8Array(await unpacked(Buffer.concat(parts)));
  const stride = width * RGBA;
  const bmp = bmpOf(width, height);
  const outStride = (width * 3 + 3) & ~3;
  let isClear = false;
  let previous = new Uint8Array(stride);
  const together = Math.max(1, Math.floor(PIXELS_AT_ONCE / width));
  for (let y = 0; y < height; y++) {
    const begin = y * (stride + 1);
    const row = rows.subarray(begin + 1, begin + 1 + stride);
    unfilter(rows[begin] ?? 0, row, previous);
    previous = row;
    let out = BMP_HEAD_BYTES + (height - 1 - y) * outStride;
    for (let x = 0; x < stride; x += RGBA) {
      const alpha = row[x + 3] ?? 0;
      if (alpha !== 255) isClear = true;
      bmp[out++] = blended(row[x + 2] ?? 0, alpha);
      bmp[out++] = blended(row[x + 1] ?? 0, alpha);
      bmp[out++] = blended(row[x] ?? 0, alpha);
    }
    if (y % together === together - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return isClear ? bmp : undefined;
}

function blended(colour: number, alpha: number): number {
  return Math.round(255 + ((colour - 255) * alpha) / 255);
}

/** Restores the bytes of a row from what its filter has written (ISO/IEC 15948, 9.2). */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array): void {
  if (filter === 0) return;
  for (let at = 0; at < row.length; at++) {
    const left = at < RGBA ? 0 : (row[at - RGBA] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < RGBA ? 0 : (above[at - RGBA] ?? 0);
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, corner);
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [byLeft, byUp] = [Math.abs(guess - left), Math.abs(guess - up)];
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function bmpOf(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(BMP_HEAD_BYTES + ((width * 3 + 3) & ~3) * height);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x424d);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, BMP_HEAD_BYTES, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bytes;
}
