import { MAX_PROFILE_BYTES } from "../limits.ts";
import { joined } from "../../base/parts.ts";
import { ascii, isAt, u16, u32 } from "./bytes.ts";
import { madeProfile, type ColourSpace, type Triple } from "./profile.ts";
import { webpWithProfile } from "./webp.ts";

/** The colour spaces that a photo keeps. Colours of any other space are shown as if they were sRGB. */
export type Colours = "srgb" | "display-p3" | "adobe-rgb";

const SPACES: Readonly<Record<Exclude<Colours, "srgb">, ColourSpace>> = {
  "display-p3": {
    name: "Display P3",
    primaries: [
      [0.51512, 0.2412, -0.00105],
      [0.29198, 0.69225, 0.04189],
      [0.1571, 0.06657, 0.78407],
    ],
    curve: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045],
  },
  "adobe-rgb": {
    name: "Adobe RGB",
    primaries: [
      [0.60974, 0.31111, 0.01947],
      [0.20528, 0.62567, 0.06087],
      [0.14919, 0.06322, 0.74457],
    ],
    curve: [563 / 256],
  },
};

/** Programs round the primaries differently. The spaces differ by more than ten times as much. */
const TOLERANCE = 0.004;

/** Returns the colour space of a profile (ICC.1:2010), by its primaries, since its texts can say anything. */
export function coloursOf(profile: Uint8Array): Colours {
  if (profile.length >= MAX_PROFILE_BYTES || !isAt(profile, 16, "RGB ")) return "srgb";
  const found = ["rXYZ", "gXYZ", "bXYZ"].map((name) => tripleIn(profile, name));
  for (const colours of ["display-p3", "adobe-rgb"] as const) {
    const wanted = SPACES[colours].primaries.flat();
    const near = found
      .flatMap((triple) => triple ?? [])
      .filter((value, index) => Math.abs(value - (wanted[index] ?? Infinity)) < TOLERANCE);
    if (near.length === wanted.length) return colours;
  }
  return "srgb";
}

const TAGS_AT = 132;
/** Real profiles have at most 20. */
const MAX_TAGS = 100;

function tripleIn(profile: Uint8Array, name: string): Triple | undefined {
  const tags = Math.min(u32(profile, TAGS_AT - 4), MAX_TAGS);
  for (let index = 0; index < tags; index++) {
    const tag = TAGS_AT + 12 * index;
    if (!isAt(profile, tag, name)) continue;
    const at = u32(profile, tag + 4);
    if (at < 0 || at + 20 > profile.length || !isAt(profile, at, "XYZ ")) return undefined;
    const number = (offset: number): number => (u32(profile, at + offset) | 0) / 65_536;
    return [number(8), number(12), number(16)];
  }
  return undefined;
}

/** Adds a profile of our own for the colours to a rendition. A picture without one is in sRGB (CSS Color 4 §10.1). */
export function withColours(
  rendition: Uint8Array,
  colours: Colours,
  size: {
    readonly type: "image/webp" | "image/jpeg";
    readonly width: number;
    readonly height: number;
  },
): Uint8Array {
  if (colours === "srgb") return rendition;
  const profile = madeProfile(SPACES[colours]);
  return size.type === "image/webp"
    ? webpWithProfile(rendition, profile, size)
    : jpegWithProfile(rendition, profile);
}

/** The segment of a profile follows that of JFIF, which comes first. */
function jpegWithProfile(bytes: Uint8Array, profile: Uint8Array): Uint8Array {
  const at = isAt(bytes, 6, "JFIF") ? 4 + u16(bytes, 4) : 2;
  const head = ascii("\u00ff\u00e2\0\0ICC_PROFILE\0\u0001\u0001");
  new DataView(head.buffer).setUint16(2, head.length - 2 + profile.length);
  return joined([bytes.subarray(0, at), head, profile, bytes.subarray(at)]);
}
