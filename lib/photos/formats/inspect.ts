import { done, refused, type Result } from "../../base/result.ts";
import type { OtherFormat, PictureFault } from "../fault.ts";
import type { Picture } from "../images.ts";
import { MAX_PICTURE_PIXELS } from "../limits.ts";
import { isAt } from "./bytes.ts";
import { coloursOf, type Colours } from "./colours.ts";
import { readJpeg } from "./jpeg.ts";
import { PNG_SIGNATURE, readPng } from "./png.ts";
import type { StillFile } from "./still-file.ts";
import { readWebp } from "./webp.ts";

/** A picture that can become a photo. */
export interface InspectedPicture extends Picture {
  readonly colours: Colours;
}

/**
 * Reads the headers of a picture and decides, before anything is decoded, whether it can become a photo. The picture of the
 * result is in `bytes`, which change.
 */
export async function inspectPicture(
  bytes: Uint8Array,
): Promise<Result<InspectedPicture, PictureFault>> {
  const read = await readStill(bytes);
  if (!read.ok) return read;
  const { profile, ...picture } = read.value;
  const { width, height } = picture;
  if (width * height > MAX_PICTURE_PIXELS) return refused({ kind: "pixels", width, height });
  return done({ ...picture, colours: profile === undefined ? "srgb" : coloursOf(profile) });
}

function readStill(
  bytes: Uint8Array,
): Result<StillFile, PictureFault> | Promise<Result<StillFile, PictureFault>> {
  if (isAt(bytes, 0, "\u00ff\u00d8\u00ff")) return readJpeg(bytes);
  if (isAt(bytes, 0, PNG_SIGNATURE)) return readPng(bytes);
  if (isAt(bytes, 0, "RIFF") && isAt(bytes, 8, "WEBP")) return readWebp(bytes);
  return refused({ kind: "format", format: otherFormat(bytes) });
}

/** The first bytes of formats that are refused by name. */
const SIGNATURES: readonly (readonly [text: string, format: OtherFormat])[] = [
  ["GIF8", "GIF"],
  ["II*\0", "TIFF"],
  ["MM\0*", "TIFF"],
  ["BM", "BMP"],
  ["%PDF-", "PDF"],
  ["8BPS", "PSD"],
  ["PK\u0003\u0004", "ZIP"],
  ["\u00ff\u000a", "JPEG XL"],
  ["\0\0\0\u000cJXL ", "JPEG XL"],
];

/** Bytes in which the brands of a HEIC or AVIF, or the root of an SVG, are looked for. */
const LOOK = 512;

function otherFormat(bytes: Uint8Array): OtherFormat | undefined {
  const signed = SIGNATURES.find(([text]) => isAt(bytes, 0, text));
  if (signed !== undefined) return signed[1];
  // The box that names the brands of a file (ISO/IEC 14496-12 §4.3).
  if (isAt(bytes, 4, "ftyp")) return formatOfBrands(bytes);
  const text = new TextDecoder().decode(bytes.subarray(0, LOOK));
  return text.includes("<svg") ? "SVG" : undefined;
}

function formatOfBrands(bytes: Uint8Array): OtherFormat | undefined {
  const size = Math.min(bytes.length, LOOK, (bytes[2] ?? 0) * 256 + (bytes[3] ?? 0));
  const has = (...brands: readonly string[]): boolean => {
    for (let at = 8; at + 4 <= size; at += 4) {
      if (brands.some((brand) => isAt(bytes, at, brand))) return true;
    }
    return false;
  };
  if (has("avif", "avis")) return "AVIF";
  return has("heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1") ? "HEIC" : undefined;
}
