import { crc32, utf8 } from "../../lib/base/digest.ts";
import { joined } from "../../lib/base/parts.ts";
import { ascii } from "../../lib/photos/formats/bytes.ts";
import type { Images } from "../../lib/photos/images.ts";

/** Makes pictures as cameras and programs write them. */

/** Images that are quickly made: each size has bytes of its own, which depend on those of the picture. */
export const quickImages: Images = {
  render: async ({ bytes }, wanted) =>
    wanted.map(({ width, type }) => utf8(`${type} ${width} of ${Bun.hash(bytes)}`)),
};

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture with a gradient, so that it is not trivial to compress. */
export function drawn({ width, height }: Size): Bun.Image {
  const row = (width * 3 + 3) & ~3;
  const bytes = new Uint8Array(54 + row * height);
  const view = new DataView(bytes.buffer);
  bytes.set(ascii("BM"));
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      bytes.set(
        [(x * 3 + y) & 255, ((x >> 2) ^ (y >> 2)) & 255, (y * 2) & 255],
        54 + y * row + x * 3,
      );
    }
  }
  return new Bun.Image(bytes);
}

export const jpegOf = (size: Size, progressive = false): Promise<Uint8Array> =>
  drawn(size).jpeg({ quality: 80, progressive }).bytes();
export const pngOf = (size: Size): Promise<Uint8Array> => drawn(size).png().bytes();
export const webpOf = (size: Size): Promise<Uint8Array> => drawn(size).webp().bytes();

/** Makes a segment of a JPEG. */
export function segment(marker: number, content: Uint8Array): Uint8Array {
  const length = content.length + 2;
  return joined([new Uint8Array([0xff, marker, length >> 8, length & 255]), content]);
}

/** Adds segments behind the start of a JPEG. */
export function jpegWith(jpeg: Uint8Array, ...segments: readonly Uint8Array[]): Uint8Array {
  return joined([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

/** Makes EXIF data with an orientation, the name of a camera, and a place. */
export function exifOf(orientation: number, littleEndian = true): Uint8Array {
  const texts = ascii("Secret Camera 51.5007N 0.1246W\0");
  const view = new DataView(new ArrayBuffer(8 + 2 + 24 + 4 + texts.length));
  const bytes = new Uint8Array(view.buffer);
  bytes.set(ascii(littleEndian ? "II*\0" : "MM\0*"));
  view.setUint32(4, 8, littleEndian);
  view.setUint16(8, 2, littleEndian);
  const entry = (at: number, tag: number, type: number, count: number): void => {
    view.setUint16(at, tag, littleEndian);
    view.setUint16(at + 2, type, littleEndian);
    view.setUint32(at + 4, count, littleEndian);
  };
  entry(10, 0x0110, 2, texts.length);
  view.setUint32(18, 38, littleEndian);
  entry(22, 0x0112, 3, 1);
  view.setUint16(30, orientation, littleEndian);
  bytes.set(texts, 38);
  return bytes;
}

/** The segment of EXIF data in a JPEG. */
export const exifSegment = (exif: Uint8Array): Uint8Array =>
  segment(0xe1, joined([ascii("Exif\0\0"), exif]));

/** The segment of a colour profile in a JPEG. */
export const profileSegment = (profile: Uint8Array): Uint8Array =>
  segment(0xe2, joined([ascii("ICC_PROFILE\0\u0001\u0001"), profile]));

/** Makes a chunk of a PNG. */
export function pngChunk(name: string, content: Uint8Array): Uint8Array {
  const out = joined([new Uint8Array(4), ascii(name), content, new Uint8Array(4)]);
  const view = new DataView(out.buffer);
  view.setUint32(0, content.length);
  view.setUint32(out.length - 4, crc32(String.fromCharCode(...out.subarray(4, -4))));
  return out;
}

/** Adds chunks behind the header of a PNG. */
export function pngWith(png: Uint8Array, ...chunks: readonly Uint8Array[]): Uint8Array {
  return joined([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

/** Makes a chunk of a WebP. */
export function webpChunk(name: string, content: Uint8Array): Uint8Array {
  const out = joined([ascii(name), new Uint8Array(4), content, new Uint8Array(content.length % 2)]);
  new DataView(out.buffer).setUint32(4, content.length, true);
  return out;
}

/** Makes an extended WebP of a simple one, with more chunks and these flags. */
export function webpWith(
  webp: Uint8Array,
  { width, height }: Size,
  flags: number,
  ...chunks: readonly Uint8Array[]
): Uint8Array {
  const extended = new Uint8Array(10);
  const view = new DataView(extended.buffer);
  extended[0] = flags;
  view.setUint32(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  const out = joined([
    webp.subarray(0, 12),
    webpChunk("VP8X", extended),
    webp.subarray(12),
    ...chunks,
  ]);
  new DataView(out.buffer).setUint32(4, out.length - 8, true);
  return out;
}
