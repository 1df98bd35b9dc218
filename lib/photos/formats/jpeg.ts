import { done, refused, type Result } from "../../base/result.ts";
import { nextTurn } from "../../base/steps.ts";
import type { PictureFault } from "../fault.ts";
import { MAX_PARTS, MAX_SCANS, STEP_BYTES, STEP_PARTS } from "../limits.ts";
import type { Orientation } from "../images.ts";
import { isAt, partsOf, u16 } from "./bytes.ts";
import { orientationIn } from "./exif.ts";
import { profileAt, tooManyParts, type StillFile } from "./still-file.ts";

/** Markers of a JPEG file (ITU-T T.81 table B.1). */
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Tables of quantization and Huffman codes, the interval of restarts, and Adobe's data, which say how colours are stored. */
const KEPT = [0xdb, 0xc4, 0xdd, 0xee] as const;

/**
 * Reads a JPEG up to its end marker, which a file that was cut off lacks; phones write more pictures behind it. Keeps the
 * segments that decoding needs, and changes `bytes`.
 */
export async function readJpeg(bytes: Uint8Array): Promise<Result<StillFile, PictureFault>> {
  const { keep, kept } = partsOf(bytes);
  let orientation: Orientation | undefined;
  let profile: Uint8Array | undefined;
  let frame: Frame | undefined;
  let scans = 0;
  keep(0, 2);
  let pauseAt = STEP_BYTES;
  for (let at = 2, parts = 0; ; parts++) {
    if (parts === MAX_PARTS) return tooManyParts;
    // Many short searches take as long as a long one.
    if (at >= pauseAt || parts % STEP_PARTS === STEP_PARTS - 1) {
      await nextTurn();
      pauseAt = at + STEP_BYTES;
    }
    const start = (await markerFrom(bytes, at)) + 2;
    const marker = bytes[start - 1];
    if (marker === undefined) return refused({ kind: "cut" });
    if (marker === END) {
      keep(start - 2, start);
      break;
    }
    if (marker === START) return refused({ kind: "damaged" });
    const length = u16(bytes, start);
    const end = start + length;
    if (length < 0 || end > bytes.length) return refused({ kind: "cut" });
    if (length < 2) return refused({ kind: "damaged" });
    at = end;
    if (marker === SCAN) {
      if (frame === undefined) return refused({ kind: "damaged" });
      if (++scans > MAX_SCANS) return refused({ kind: "scans" });
      // Behind the coded data, which end at the next marker that is no restart.
      at = await markerFrom(bytes, end);
      keep(start - 2, at);
    } else if (isFrame(marker)) {
      if (frame !== undefined) return refused({ kind: "damaged" });
      const read = frameAt(bytes, marker, start);
      if (!read.ok) return read;
      frame = read.value;
      keep(start - 2, end);
    } else if (marker === 0xe1 && isAt(bytes, start + 2, "Exif\0\0")) {
      orientation ??= orientationIn(bytes.subarray(start + 8, end));
    } else if (marker === 0xe2 && isAt(bytes, start + 2, "ICC_PROFILE\0\u0001\u0001")) {
      profile ??= profileAt(bytes, start + 16, end);
    } else if (KEPT.some((one) => one === marker)) {
      keep(start - 2, end);
    }
  }
  if (frame === undefined || scans === 0) return refused({ kind: "damaged" });
  return done({
    type: "image/jpeg",
    ...frame,
    orientation: orientation ?? 1,
    profile,
    bytes: kept(),
  });
}

/** Finds the next marker that has a segment, or the end marker. Returns the end of the bytes if there is none. */
async function markerFrom(bytes: Uint8Array, from: number): Promise<number> {
  for (let at = from; ;) {
    const until = at + STEP_BYTES;
    at = markerWithin(bytes, at, until);
    if (at < until || at >= bytes.length) return at;
    await nextTurn();
  }
}

/** Bytes that are compared one by one: `indexOf` is slower if 0xff follows so soon, and faster for what coded data have. */
const NEAR = 16;

/** Finds a marker that begins before `until`. Otherwise returns a later place to continue at. */
function markerWithin(bytes: Uint8Array, from: number, until: number): number {
  let at = from;
  while (at < until) {
    const near = Math.min(at + NEAR, bytes.length);
    while (at < near && bytes[at] !== 0xff) at++;
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : bytes[at + 1];
    if (next === undefined) return bytes.length;
    // Any number of 0xff may precede a marker.
    if (next === 0xff) at++;
    else if (isAlone(next)) at += 2;
    else return at;
  }
  return at;
}

/** A stuffed zero, a temporary marker or a restart: they have no segment. */
function isAlone(marker: number): boolean {
  return marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** The markers of frames are 0xc0 to 0xcf, without those of Huffman tables, extensions and arithmetic conditioning. */
function isFrame(marker: number): boolean {
  return (marker & 0xf0) === 0xc0 && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

type Frame = Pick<StillFile, "width" | "height">;

function frameAt(bytes: Uint8Array, marker: number, start: number): Result<Frame, PictureFault> {
  const [precision, height, width] = [
    bytes[start + 2],
    u16(bytes, start + 3),
    u16(bytes, start + 5),
  ];
  if (marker > 0xc2) {
    return refused({ kind: "unusual", what: "a JPEG with lossless or arithmetic coding" });
  }
  if (precision !== 8) return refused({ kind: "unusual", what: "a JPEG with 12 bits a colour" });
  if (width <= 0 || height <= 0) return refused({ kind: "damaged" });
  return done({ width, height });
}
