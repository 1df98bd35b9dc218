import { PictureUndecodable, type Images, type Orientation } from "../../lib/photos/images.ts";
import { MAX_PICTURE_PIXELS } from "../../lib/photos/limits.ts";
import { onWhite } from "./on-white.ts";

/** Decodes and encodes with `Bun.Image`, on worker threads of Bun. */
export const bunImages: Images = {
  render: async ({ bytes, type: sourceType, orientation }, wanted) => {
    const [largest] = wanted.toSorted((a, b) => b.width * b.height - a.width * a.height);
    if (largest === undefined) return [];
    // The original is decoded once. A form without compression takes a tenth of the time of decoding it again.
    const source = await turned(new Bun.Image(bytes, OPTIONS), orientation)
      .resize(largest.width, largest.height)
      .png({ compressionLevel: 0 })
      .bytes()
      .catch(refuse);
    const made: Uint8Array[] = [];
    for (const { width, height, type, quality } of wanted) {
      const form = new Bun.Image(source, OPTIONS).resize(width, height);
      if (type === "image/webp") {
        made.push(await form.webp({ quality }).bytes());
        continue;
      }
      // Bun leaves undefined what is behind transparent pixels.
      const opaque =
        sourceType === "image/jpeg"
          ? undefined
          : await onWhite(await form.png({ compressionLevel: 0 }).bytes());
      const whole =
        opaque === undefined
          ? new Bun.Image(source, OPTIONS).resize(width, height)
          : new Bun.Image(opaque, OPTIONS);
      made.push(await whole.jpeg({ quality }).bytes());
    }
    return made;
  },
};

const OPTIONS = { maxPixels: MAX_PICTURE_PIXELS, autoOrient: false } as const;

/** Bun rotates before it mirrors: `flip` exchanges top and bottom, `flop` left and right. */
function turned(image: Bun.Image, orientation: Orientation): Bun.Image {
  switch (orientation) {
    case 1:
      return image;
    case 2:
      return image.flop();
    case 3:
      return image.rotate(180);
    case 4:
      return image.flip();
    case 5:
      return image.rotate(90).flop();
    case 6:
      return image.rotate(90);
    case 7:
      return image.rotate(90).flip();
    case 8:
      return image.rotate(270);
  }
}

const UNDECODABLE = new Set([
  "ERR_IMAGE_DECODE_FAILED",
  "ERR_IMAGE_UNKNOWN_FORMAT",
  "ERR_IMAGE_FORMAT_UNSUPPORTED",
  "ERR_IMAGE_TOO_MANY_PIXELS",
]);

function refuse(error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (UNDECODABLE.has(code)) {
    throw new PictureUndecodable("Bun.Image cannot decode the picture.", { cause: error });
  }
  throw error;
}
