import { done, refused, type Result } from "../../base/result.ts";
import { nextTurn } from "../../base/steps.ts";
import type { PictureFault } from "../fault.ts";
import { MAX_PARTS, MAX_PROFILE_BYTES, STEP_PARTS } from "../limits.ts";
import type { Orientation } from "../images.ts";
import { isAt, partsOf, u32 } from "./bytes.ts";
import { orientationIn } from "./exif.ts";
import { tooManyParts, type StillFile } from "./still-file.ts";

export const PNG_SIGNATURE = "\u0089PNG\r\n\u001a\n";

/** The chunks that decoding needs (PNG third edition §11). The header comes first and is kept apart. */
const KEPT = ["PLTE", "tRNS", "IDAT"] as const;

/**
 * Reads a PNG up to its last chunk, which a file that was cut off lacks. Keeps the chunks that decoding needs, and changes
 * `bytes`.
 */
export async function readPng(bytes: Uint8Array): Promise<Result<StillFile, PictureFault>> {
  const { keep, kept } = partsOf(bytes);
  const [width, height] = [u32(bytes, 16), u32(bytes, 20)];
  if (width < 0 || height < 0) return refused({ kind: "cut" });
  const isHeader = u32(bytes, 8) === 13 && isAt(bytes, 12, "IHDR");
  if (!isHeader || width === 0 || height === 0) return refused({ kind: "damaged" });
  let orientation: Orientation | undefined;
  let profile: Uint8Array | undefined;
  let profiled = false;
  let data = false;
  keep(0, 33);
  for (let at = 33, parts = 0; ; parts++) {
    if (parts === MAX_PARTS) return tooManyParts;
    if (parts % STEP_PARTS === STEP_PARTS - 1) await nextTurn();
    const length = u32(bytes, at);
    const [start, end] = [at + 8, at + 12 + length];
    if (length < 0 || end > bytes.length) return refused({ kind: "cut" });
    const is = (name: string): boolean => isAt(bytes, at + 4, name);
    if (is("IEND")) {
      keep(at, end);
      break;
    }
    if (is("acTL")) return refused({ kind: "animated" });
    const content = bytes.subarray(start, end - 4);
    if (KEPT.some(is)) {
      data ||= is("IDAT");
      keep(at, end);
    } else if (is("eXIf")) {
      orientation ??= orientationIn(content);
    } else if (is("iCCP") && !profiled) {
      profiled = true;
      profile = await profileIn(content);
    }
    at = end;
  }
  if (!data) return refused({ kind: "damaged" });
  return done({
    type: "image/png",
    width,
    height,
    orientation: orientation ?? 1,
    profile,
    bytes: kept(),
  });
}

/** The longest name of a profile, before its compressed bytes. */
const MAX_NAME = 79;

/** Unpacks the profile of an `iCCP` chunk; undefined if it is damaged or longer than `MAX_PROFILE_BYTES`. */
async function profileIn(content: Uint8Array): Promise<Uint8Array | undefined> {
  const name = content.indexOf(0);
  if (name < 0 || name > MAX_NAME || content.length > MAX_PROFILE_BYTES + 2 * MAX_NAME) {
    return undefined;
  }
  const packed = new Blob([content.slice(name + 2)]).stream();
  // The DOM types require an ArrayBuffer behind the input.
  const reader = packed.pipeThrough(new DecompressionStream("deflate")).getReader();
  const profile = new Uint8Array(MAX_PROFILE_BYTES);
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (size + next.value.length > profile.length) {
        await reader.cancel();
        return undefined;
      }
      profile.set(next.value, size);
      size += next.value.length;
    }
  } catch {
    // A damaged profile is dropped like an unknown one: the pixels do not depend on it.
    return undefined;
  }
  return profile.subarray(0, size);
}
