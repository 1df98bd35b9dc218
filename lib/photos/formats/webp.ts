import { done, refused, type Result } from "../../base/result.ts";
import { nextTurn } from "../../base/steps.ts";
import type { PictureFault } from "../fault.ts";
import type { Orientation } from "../images.ts";
import { MAX_PARTS, STEP_PARTS } from "../limits.ts";
import { joined } from "../../base/parts.ts";
import { ascii, isAt, little, partsOf } from "./bytes.ts";
import { orientationIn } from "./exif.ts";
import { profileAt, tooManyParts, type StillFile } from "./still-file.ts";

/** Flags of the extended header (RFC 9649 §2.7.1). */
const ANIMATED = 0x02;
const ALPHA = 0x10;
const PROFILE = 0x20;

/** The length of a file header, and of an extended header with its own. */
const FILE_HEADER = 12;
const EXTENDED_HEADER = 18;

/**
 * Reads a WebP of the length that its header states, which a file that was cut off does not reach. Keeps its pixels, and
 * changes `bytes`.
 */
export async function readWebp(bytes: Uint8Array): Promise<Result<StillFile, PictureFault>> {
  const stated = little(bytes, 4, 4) + 8;
  if (stated > bytes.length) return refused({ kind: "cut" });
  const { keep, kept } = partsOf(bytes);
  let orientation: Orientation | undefined;
  let profile: Uint8Array | undefined;
  let canvas: Size | undefined;
  let frame: Size | undefined;
  keep(0, FILE_HEADER);
  for (let at = FILE_HEADER, parts = 0; at + 8 <= stated; parts++) {
    if (parts === MAX_PARTS) return tooManyParts;
    if (parts % STEP_PARTS === STEP_PARTS - 1) await nextTurn();
    const length = little(bytes, at + 4, 4);
    const [start, end] = [at + 8, at + 8 + length];
    if (end > stated) return refused({ kind: "cut" });
    const is = (name: string): boolean => isAt(bytes, at, name);
    // A chunk of odd length is followed by one byte.
    const next = Math.min(end + (length % 2), stated);
    if (is("VP8X")) {
      if (((bytes[start] ?? 0) & ANIMATED) !== 0) return refused({ kind: "animated" });
      if (length < 10 || canvas !== undefined) return refused({ kind: "damaged" });
      canvas = {
        width: little(bytes, start + 4, 3) + 1,
        height: little(bytes, start + 7, 3) + 1,
      };
      keep(at, next);
    } else if (is("VP8 ") || is("VP8L")) {
      if (frame !== undefined) return refused({ kind: "damaged" });
      frame = is("VP8 ") ? lossyAt(bytes, start, end) : losslessAt(bytes, start, end);
      if (frame === undefined) return refused({ kind: "damaged" });
      keep(at, next);
    } else if (is("ALPH")) {
      keep(at, next);
    } else if (is("ANIM") || is("ANMF")) {
      return refused({ kind: "animated" });
    } else if (is("ICCP")) {
      profile ??= profileAt(bytes, start, end);
    } else if (is("EXIF")) {
      // Some programs write the name that JPEG needs before the data.
      const offset = isAt(bytes, start, "Exif\0\0") ? 6 : 0;
      orientation ??= orientationIn(bytes.subarray(start + offset, end));
    }
    at = next;
  }
  if (frame === undefined) return refused({ kind: "damaged" });
  if (canvas !== undefined && (canvas.width !== frame.width || canvas.height !== frame.height)) {
    return refused({ kind: "damaged" });
  }
  return done({
    type: "image/webp",
    ...frame,
    orientation: orientation ?? 1,
    profile,
    bytes: restated(kept()),
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads the size in the frame header of lossy data (RFC 6386 §9.1). */
function lossyAt(bytes: Uint8Array, start: number, end: number): Size | undefined {
  if (start + 10 > end || !isAt(bytes, start + 3, "\u009d\u0001\u002a")) return undefined;
  const width = little(bytes, start + 6, 2) & 0x3fff;
  const height = little(bytes, start + 8, 2) & 0x3fff;
  return width === 0 || height === 0 ? undefined : { width, height };
}

/** Reads the size in the header of lossless data (RFC 9649 §3.4). */
function losslessAt(bytes: Uint8Array, start: number, end: number): Size | undefined {
  if (start + 5 > end || bytes[start] !== 0x2f) return undefined;
  const bits = little(bytes, start + 1, 4);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Whether lossless data have transparency is a bit of their header. */
function hasAlpha(bytes: Uint8Array): boolean {
  if (isAt(bytes, FILE_HEADER, "VP8L")) return ((bytes[FILE_HEADER + 12] ?? 0) & 0x10) !== 0;
  return isAt(bytes, FILE_HEADER, "VP8X") && ((bytes[FILE_HEADER + 8] ?? 0) & ALPHA) !== 0;
}

/** States in the headers of a copy that transparency is all that remains of the extensions. */
function restated(bytes: Uint8Array): Uint8Array {
  const alpha = hasAlpha(bytes) ? ALPHA : 0;
  if (isAt(bytes, FILE_HEADER, "VP8X")) bytes[FILE_HEADER + 8] = alpha;
  return withLength(bytes);
}

/** Adds a colour profile to a still WebP that has none. */
export function webpWithProfile(
  bytes: Uint8Array,
  profile: Uint8Array,
  { width, height }: Size,
): Uint8Array {
  const extended = new Uint8Array(EXTENDED_HEADER);
  const view = new DataView(extended.buffer);
  extended.set(ascii("VP8X"));
  view.setUint32(4, 10, true);
  extended[8] = PROFILE | (hasAlpha(bytes) ? ALPHA : 0);
  // Sides of 24 bits, less one.
  view.setUint32(12, width - 1, true);
  view.setUint16(15, (height - 1) & 0xffff, true);
  extended[17] = (height - 1) >>> 16;
  const head = new Uint8Array(8);
  head.set(ascii("ICCP"));
  new DataView(head.buffer).setUint32(4, profile.length, true);
  const had = isAt(bytes, FILE_HEADER, "VP8X") ? EXTENDED_HEADER : 0;
  return withLength(
    joined([
      bytes.subarray(0, FILE_HEADER),
      extended,
      head,
      profile,
      new Uint8Array(profile.length % 2),
      bytes.subarray(FILE_HEADER + had),
    ]),
  );
}

/** States the length of a file in its header. */
function withLength(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(4, bytes.length - 8, true);
  return bytes;
}
