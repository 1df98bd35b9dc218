/** The longest side of a redrawn image, in pixels. Sites show a logo much smaller, also on sharp screens. */
const LONGEST = 800;
const QUALITY = 0.9;

/**
 * Redraws a PNG, JPEG or WebP image: upright, and without what cameras and programs write beside the picture, such as
 * the place where it was taken. Returns undefined for a file that the browser cannot decode.
 */
export async function redrawn(file: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => {
    // A browser that cannot write the type writes PNG.
    canvas.toBlob((blob) => resolve(blob ?? undefined), file.type, QUALITY);
  });
}
