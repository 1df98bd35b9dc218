import { inflateSync } from "node:zlib";

/** Decodes a picture with Bun to red, green, blue and alpha of each pixel, row by row. */
export async function pixelsOf(picture: Uint8Array): Promise<Uint8Array> {
  const png = await new Bun.Image(picture).png({ compressionLevel: 0 }).bytes();
  const view = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const data: Uint8Array[] = [];
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) !== IDAT) continue;
    data.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const raw = inflateSync(Buffer.concat(data));
  const bytes = 4 * width;
  const out = new Uint8Array(bytes * height);
  for (let y = 0; y < height; y++) {
    const row = y * (bytes + 1);
    for (let x = 0; x < bytes; x++) {
      const left = x < 4 ? 0 : (out[y * bytes + x - 4] ?? 0);
      const above = y === 0 ? 0 : (out[(y - 1) * bytes + x] ?? 0);
      const both = x < 4 || y === 0 ? 0 : (out[(y - 1) * bytes + x - 4] ?? 0);
      const filter = raw[row] ?? 0;
      out[y * bytes + x] = (raw[row + 1 + x] ?? 0) + predicted(filter, { left, above, both });
    }
  }
  return out;
}

/** "IDAT". */
const IDAT = 0x49444154;

/** What a filter of PNG adds to a byte (PNG third edition §9.2). */
function predicted(
  filter: number,
  { left, above, both }: Readonly<Record<"left" | "above" | "both", number>>,
): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return Math.floor((left + above) / 2);
  if (filter !== 4) return 0;
  const near = left + above - both;
  const distances = [left, above, both].map((value) => Math.abs(near - value));
  return [left, above, both][distances.indexOf(Math.min(...distances))] ?? 0;
}
