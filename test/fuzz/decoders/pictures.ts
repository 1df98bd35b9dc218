import { deflateSync } from "node:zlib";

import { inspectPicture } from "../../../lib/photos/formats/inspect.ts";
import { joined } from "../../../lib/base/parts.ts";
import { ascii } from "../../../lib/photos/formats/bytes.ts";
import { withColours } from "../../../lib/photos/formats/colours.ts";
import type { Chance } from "../../helpers/chance.ts";
import {
  exifOf,
  exifSegment,
  jpegOf,
  jpegWith,
  pngChunk,
  pngOf,
  pngWith,
  profileSegment,
  segment,
  webpChunk,
  webpOf,
  webpWith,
} from "../../helpers/pictures.ts";
import { ofBytes, type Decoder } from "../kit/decoder.ts";
import { bytesOf } from "./writing.ts";

const SIZE = { width: 17, height: 9 };
/** The longest upload has 25 MiB. Time and memory are linear, which smaller inputs show as well. */
const LONGEST = 4 * 1_048_576;

/** Repeats `part` up to about `size` bytes. */
function filled(size: number, part: Uint8Array): Uint8Array {
  const all = new Uint8Array(size - (size % part.length));
  for (let at = 0; at < all.length; at += part.length) all.set(part, at);
  return all;
}

const accepts = async (bytes: Uint8Array): Promise<boolean> =>
  (await inspectPicture(bytes.slice())).ok;

export async function pictures(): Promise<readonly Decoder[]> {
  const [jpeg, progressive, png, webp] = await Promise.all([
    jpegOf(SIZE),
    jpegOf(SIZE, true),
    pngOf(SIZE),
    webpOf(SIZE),
  ]);
  const tagged = withColours(jpeg, "display-p3", { type: "image/jpeg", ...SIZE });
  const p3 = tagged.subarray(tagged.indexOf(0xe2) + 17, tagged.indexOf(0xe2) + 400);
  const exif = (random: Chance): Uint8Array =>
    random.pick([
      exifOf(random.between(0, 9), random.true(0.5)),
      Uint8Array.from(bytesOf(random, 0, 60)),
    ]);
  const profile = (random: Chance): Uint8Array =>
    random.pick([p3, Uint8Array.from(bytesOf(random, 0, 300))]);
  return [
    ofBytes({
      name: "JPEG",
      file: "lib/photos/formats/jpeg.ts",
      valid: (random) =>
        jpegWith(
          random.pick([jpeg, progressive]),
          ...(random.true(0.5) ? [exifSegment(exif(random))] : []),
          ...(random.true(0.5) ? [profileSegment(profile(random))] : []),
        ),
      longest: LONGEST,
      inputs: 10_000,
      stretches: 4,
      perByteUs: 0.1,
      decode: accepts,
      extremes: [
        (size) => joined([jpeg.subarray(0, -2), filled(size, ascii("\u00ff\0"))]),
        (size) => joined([jpeg.subarray(0, 2), new Uint8Array(size).fill(0xff)]),
        (size) => jpegWith(jpeg, filled(size, segment(0xdb, new Uint8Array()))),
        (size) => jpegWith(jpeg, filled(size, exifSegment(ascii("II*\0\u0008\0\0\0\u00ff\u00ff")))),
      ],
    }),
    ofBytes({
      name: "PNG",
      file: "lib/photos/formats/png.ts",
      valid: (random) =>
        pngWith(
          png,
          ...(random.true(0.5) ? [pngChunk("eXIf", exif(random))] : []),
          ...(random.true(0.5)
            ? [pngChunk("iCCP", joined([ascii("x\0\0"), deflateSync(profile(random))]))]
            : []),
        ),
      longest: LONGEST,
      inputs: 10_000,
      stretches: 4,
      perByteUs: 0.1,
      decode: accepts,
      extremes: [
        (size) => pngWith(png, filled(size, pngChunk("tEXt", new Uint8Array()))),
        (size) => pngWith(png, filled(size, pngChunk("PLTE", new Uint8Array()))),
        (size) =>
          pngWith(
            png,
            filled(
              size,
              pngChunk("iCCP", joined([ascii("x\0\0"), deflateSync(new Uint8Array(1_000_000))])),
            ),
          ),
      ],
    }),
    ofBytes({
      name: "WebP",
      file: "lib/photos/formats/webp.ts",
      valid: (random) =>
        webpWith(
          webp,
          SIZE,
          0,
          ...(random.true(0.5) ? [webpChunk("EXIF", exif(random))] : []),
          ...(random.true(0.5) ? [webpChunk("ICCP", profile(random))] : []),
        ),
      longest: LONGEST,
      inputs: 10_000,
      stretches: 4,
      perByteUs: 0.1,
      decode: accepts,
      extremes: [
        (size) => webpWith(webp, SIZE, 0, filled(size, webpChunk("ALPH", new Uint8Array()))),
        (size) => webpWith(webp, SIZE, 0, filled(size, webpChunk("EXIF", ascii("II*\0")))),
      ],
    }),
  ];
}
