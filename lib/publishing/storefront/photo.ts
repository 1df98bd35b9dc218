import type { PhotoFocus, PhotoSize, StoredPhoto } from "../../catalogue/model-profile.ts";
import { photoPath } from "../../catalogue/photo-address.ts";
import { animalFilesIn, type PhotoEnding } from "../model/animal-files.ts";
import type { ManifestFile } from "../model/deploy.ts";
import type { Site } from "../site.ts";

/** A photo of an animal, of its profile or of the deploy. */
export interface Photo {
  /** In a format that every browser and reader of feeds supports, if there is one. */
  readonly plain: PhotoFile;
  /** Smaller modern formats, best first. */
  readonly better: readonly Better[];
  /** The largest form. */
  readonly whole: string;
  readonly alt?: string | undefined;
  readonly focus?: PhotoFocus | undefined;
}

export interface PhotoFile {
  readonly path: string;
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
}

/** A form of a photo for browsers that know its type. */
export interface Better {
  readonly type: string;
  /** A path, or several with their widths: `/a 400w, /b 800w`. */
  readonly srcset: string;
  /** Whether `srcset` has widths. */
  readonly scaled: boolean;
}

const modern = ["avif", "webp"] as const;
const plain = ["jpg", "jpeg", "png"] as const;

/** Finds an animal's photo in the deploy, `/animals/<id>/photo.…`, in upper or lower case. */
export function deployedPhoto({ files }: Site, id: number): Photo | undefined {
  const photos = animalFilesIn(files).get(id)?.photos;
  const among = (endings: readonly PhotoEnding[]): readonly ManifestFile[] =>
    endings.flatMap((ending) => photos?.get(ending) ?? []);
  const better = among(modern);
  const fallback = among(plain)[0] ?? better.at(-1);
  if (fallback === undefined) return undefined;
  return {
    plain: fallback,
    better: better
      .filter((file) => file !== fallback)
      .map(({ path, type }) => ({ type, srcset: path, scaled: false })),
    whole: fallback.path,
  };
}

/** Returns a photo of a profile. */
export function profilePhoto(photo: StoredPhoto): Photo | undefined {
  const { sizes, alt, focus } = photo;
  const file = (size: PhotoSize): PhotoFile => ({
    path: photoPath(photo, size),
    type: size.type,
    size: size.bytes,
  });
  const [largest] = sizes;
  const jpeg = sizes.find(({ type }) => type === "image/jpeg") ?? largest;
  if (largest === undefined || jpeg === undefined) return undefined;
  const webps = sizes.filter(({ type }) => type === "image/webp");
  return {
    plain: file(jpeg),
    better: [
      {
        type: "image/webp",
        srcset: webps.map((size) => `${photoPath(photo, size)} ${size.width}w`).join(", "),
        scaled: true,
      },
    ],
    whole: photoPath(photo, largest),
    alt,
    focus,
  };
}
