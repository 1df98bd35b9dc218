import { isSideways, type Picture, type Rendition } from "./images.ts";

/** The longer side of the largest form of a photo, in pixels. */
const MASTER_SIDE = 2_560;
/** The widths of the smaller forms for pages. A form is never larger than the original. */
const WIDTHS = [400, 800, 1_600] as const;
/** The width of the JPEG, for feeds and mail, whose readers may not know WebP. */
const FEED_WIDTH = 1_200;

/** Returns the forms of a photo: the master first, then the smaller ones for pages, the narrowest first, and the JPEG. */
export function renditionsOf({
  width,
  height,
  orientation,
}: Picture): readonly [Rendition, ...Rendition[]] {
  const upright = isSideways(orientation) ? { width: height, height: width } : { width, height };
  const master = within(upright, MASTER_SIDE, MASTER_SIDE);
  return [
    { ...master, type: "image/webp", quality: 82 },
    ...WIDTHS.filter((each) => each < master.width).map((each): Rendition => ({
      ...within(master, each, Infinity),
      type: "image/webp",
      quality: 80,
    })),
    { ...within(master, FEED_WIDTH, Infinity), type: "image/jpeg", quality: 82 },
  ];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the size that fits, of the same shape. A very long picture keeps at least one pixel a side. */
function within({ width, height }: Size, most: number, mostHigh: number): Size {
  const scale = Math.min(1, most / width, mostHigh / height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
