/**
 * Decodes pictures and encodes them again. Every adapter must guarantee (`imagesContract`):
 *
 * - The renditions are in the order asked for, each of exactly its width, height and type.
 * - The picture is turned as its orientation says before it is scaled. WebP keeps transparency, and a JPEG shows it on
 *   white.
 * - A rendition contains pixels only: no metadata and no colour profile. Colours are not converted.
 * - The work is off the event loop, and only one decoding of the original is in memory at a time.
 * - It rejects with `PictureUndecodable` if the bytes cannot be decoded. Other rejections are failures of the server.
 */
export interface Images {
  render(picture: Picture, wanted: readonly Rendition[]): Promise<readonly Uint8Array[]>;
}

/** A still picture whose headers were read: complete, within the limits, and without metadata. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly type: PictureType;
  /** The width in pixels, as stored: before the picture is turned. */
  readonly width: number;
  /** The height in pixels, as stored. */
  readonly height: number;
  readonly orientation: Orientation;
}

/** The formats that a photo may be sent in. */
export type PictureType = "image/jpeg" | "image/png" | "image/webp";

/** How a stored picture is turned and mirrored to be shown, as EXIF numbers it (CIPA DC-008, tag 0x0112); 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** One form of a photo. */
export interface Rendition {
  /** The width in pixels, after turning. */
  readonly width: number;
  /** The height in pixels, after turning. */
  readonly height: number;
  readonly type: "image/webp" | "image/jpeg";
  /** A quality from 1 to 100. */
  readonly quality: number;
}

/** Thrown by `Images` if the bytes are no picture that it can decode. */
export class PictureUndecodable extends Error {
  override readonly name = "PictureUndecodable";
}

/** Returns whether the orientation exchanges width and height. */
export function isSideways(orientation: Orientation): boolean {
  return orientation >= 5;
}
