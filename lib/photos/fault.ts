import { problem, type Problem } from "../base/problem.ts";
import type { PictureType } from "./images.ts";
import { MAX_PICTURE_PIXELS, MAX_SCANS } from "./limits.ts";

/** Why a picture cannot become a photo. */
export type PictureFault =
  /** Another format, or none that is known. */
  | { readonly kind: "format"; readonly format: OtherFormat | undefined }
  | { readonly kind: "type"; readonly declared: string; readonly found: PictureType }
  /** The end is missing. */
  | { readonly kind: "cut" }
  | { readonly kind: "damaged" }
  | { readonly kind: "animated" }
  /** A valid form of the format that decoders do not read. */
  | { readonly kind: "unusual"; readonly what: string }
  | { readonly kind: "pixels"; readonly width: number; readonly height: number }
  | { readonly kind: "scans" };

/** A format that is recognized only to be refused. */
export type OtherFormat =
  | "HEIC"
  | "AVIF"
  | "JPEG XL"
  | "GIF"
  | "TIFF"
  | "BMP"
  | "SVG"
  | "PDF"
  | "PSD"
  | "ZIP";

const SAVE_AS = "Save it as JPEG, PNG or WebP and send it again.";

/** Returns the refusal that says what was found and what to do. */
export function problemOf(fault: PictureFault): Problem {
  switch (fault.kind) {
    case "format":
      return problem("unsupported_media_type", textOfFormat(fault.format));
    case "type":
      return problem(
        "unsupported_media_type",
        `The picture is sent as ${fault.declared.slice(0, 60)}, but it is ${fault.found}. Send it with its own Content-Type.`,
      );
    case "cut":
      return problem(
        "invalid_picture",
        "The end of the picture is missing. It was cut off when it was copied or sent. Send the original again.",
      );
    case "damaged":
      return problem(
        "invalid_picture",
        `The picture is damaged and cannot be decoded. Open it in an image editor. ${SAVE_AS}`,
      );
    case "animated":
      return problem(
        "invalid_picture",
        `The picture is animated, and photos are still. Choose one of its pictures. ${SAVE_AS}`,
      );
    case "unusual":
      return problem("invalid_picture", `The picture is ${fault.what}. ${SAVE_AS}`);
    case "pixels":
      return problem(
        "invalid_picture",
        `The picture has ${fault.width} × ${fault.height} pixels, which is more than ${MAX_PICTURE_PIXELS / 1_000_000} megapixels. Make it smaller and send it again.`,
      );
    case "scans":
      return problem(
        "invalid_picture",
        `The progressive JPEG has more than ${MAX_SCANS} scans, which takes too long to decode. ${SAVE_AS}`,
      );
  }
}

function textOfFormat(format: OtherFormat | undefined): string {
  return format === undefined
    ? "The file is not a picture in JPEG, PNG or WebP. Photos can be sent in these formats."
    : TEXTS[format];
}

const TEXTS: Readonly<Record<OtherFormat, string>> = {
  HEIC: "The picture is in HEIC, the format of many phone cameras, which browsers cannot show. Export it as JPEG and send it again. To make an iPhone take JPEG: Settings, Camera, Formats, Most Compatible.",
  AVIF: `The picture is in AVIF. ${SAVE_AS}`,
  "JPEG XL": `The picture is in JPEG XL. ${SAVE_AS}`,
  GIF: `The picture is a GIF, which has too few colours for a photo. ${SAVE_AS}`,
  TIFF: `The picture is a TIFF, or the raw data of a camera. ${SAVE_AS}`,
  BMP: `The picture is a BMP. ${SAVE_AS}`,
  SVG: `The file is an SVG drawing, not a photo. ${SAVE_AS}`,
  PDF: "The file is a PDF document. Export the photo as JPEG and send it again.",
  PSD: `The file is a project of an image editor. ${SAVE_AS}`,
  ZIP: "The file is a zip archive. Unpack it and send each photo.",
};
