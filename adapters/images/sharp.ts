import { PictureUndecodable, type Images, type Orientation } from "../../lib/photos/images.ts";
import { MAX_PICTURE_PIXELS } from "../../lib/photos/limits.ts";

/** The part of the package `sharp` that is used. */
export type Sharp = (
  input: Uint8Array,
  options: { readonly limitInputPixels: number; readonly failOn: "error" },
) => SharpPipeline;

/** A pipeline of `sharp`. */
export interface SharpPipeline {
  rotate(degrees: number): SharpPipeline;
  flip(): SharpPipeline;
  flop(): SharpPipeline;
  resize(width: number, height: number, options: { readonly fit: "fill" }): SharpPipeline;
  flatten(options: { readonly background: string }): SharpPipeline;
  png(options: { readonly compressionLevel: number }): SharpPipeline;
  webp(options: { readonly quality: number }): SharpPipeline;
  jpeg(options: { readonly quality: number }): SharpPipeline;
  toBuffer(): Promise<Uint8Array>;
}

/**
 * Decodes and encodes with the function that the package `sharp` exports, on threads of its own. In a host without
 * `Bun.Image`, such as Node, install `sharp` and pass it.
 */
export function sharpImages(sharp: Sharp): Images {
  const open = (bytes: Uint8Array): SharpPipeline => sharp(bytes, OPTIONS);
  return {
    render: async ({ bytes, orientation }, wanted) => {
      const [largest] = wanted.toSorted((a, b) => b.width * b.height - a.width * a.height);
      if (largest === undefined) return [];
      const source = await turned(open(bytes), orientation)
        .resize(largest.width, largest.height, FILL)
        .png({ compressionLevel: 0 })
        .toBuffer()
        .catch((cause: unknown) => {
          // It states no reason: bytes are in memory, so that nothing else can fail.
          throw new PictureUndecodable("sharp cannot decode the picture.", { cause });
        });
      const made: Uint8Array[] = [];
      for (const { width, height, type, quality } of wanted) {
        const form = open(source).resize(width, height, FILL);
        const encoded =
          type === "image/webp"
            ? form.webp({ quality })
            : form.flatten({ background: "#ffffff" }).jpeg({ quality });
        made.push(await encoded.toBuffer());
      }
      return made;
    },
  };
}

const OPTIONS = { limitInputPixels: MAX_PICTURE_PIXELS, failOn: "error" } as const;
const FILL = { fit: "fill" } as const;

/** `sharp` mirrors before it rotates: `flip` exchanges top and bottom, `flop` left and right. */
function turned(image: SharpPipeline, orientation: Orientation): SharpPipeline {
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
      return image.flop().rotate(270);
    case 6:
      return image.rotate(90);
    case 7:
      return image.flop().rotate(90);
    case 8:
      return image.rotate(270);
  }
}
