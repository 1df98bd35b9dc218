import type { ManifestFile } from "../model/deploy.ts";
import type { Site } from "../site.ts";

/** An animal's photo, in the formats that the deploy has it in. */
export interface Photo {
  /** What every browser can show, if there is such a one. */
  readonly plain: ManifestFile;
  /** Smaller ones for browsers that take them, best first. */
  readonly better: readonly ManifestFile[];
}

const better = ["avif", "webp"] as const;
const plain = ["jpg", "jpeg", "png"] as const;

/** The photo of an animal: `/animals/<id>/photo.…` of the deploy. */
export function photoOf({ files }: Site, id: number): Photo | undefined {
  const among = (endings: readonly string[]): readonly ManifestFile[] =>
    endings.flatMap((ending) => files.get(`/animals/${id}/photo.${ending}`) ?? []);
  const modern = among(better);
  const fallback = among(plain)[0] ?? modern.at(-1);
  if (fallback === undefined) return undefined;
  return { plain: fallback, better: modern.filter((file) => file !== fallback) };
}
