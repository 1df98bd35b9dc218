import type { Orientation } from "../images.ts";
import { isAt, little, u16, u32 } from "./bytes.ts";

const ORIENTATION = 0x0112;
const SHORT = 3;

/** Returns the orientation in EXIF data, which begin with a TIFF header (CIPA DC-008 §4.5); 1 if they have none. */
export function orientationIn(exif: Uint8Array): Orientation {
  const isLittle = isAt(exif, 0, "II");
  if (!isLittle && !isAt(exif, 0, "MM")) return 1;
  const short = (at: number): number => (isLittle ? little(exif, at, 2) : u16(exif, at));
  const directory = isLittle ? little(exif, 4, 4) : u32(exif, 4);
  const entries = directory < 8 ? 0 : short(directory);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + 12 * index;
    if (entry + 12 > exif.length) break;
    if (short(entry) !== ORIENTATION || short(entry + 2) !== SHORT) continue;
    return orientations.find((one) => one === short(entry + 8)) ?? 1;
  }
  return 1;
}

const orientations = [1, 2, 3, 4, 5, 6, 7, 8] as const;
