import type { Pet } from "./model.ts";
import type { PhotoSize, StoredPhoto } from "./model-profile.ts";

/** The host of a site that serves photos of the animals that it shows. */
export interface PhotoHost {
  /** The address in front of `/photos/`, such as `https://pets.shelter.org`. */
  readonly base: string;
  /** Changes when `base` changes, or what `shows` returns. For an `ETag`. */
  readonly key: string;
  /** Returns whether the site shows the animal. */
  shows(pet: Pick<Pet, "categoryId" | "status">): boolean;
}

/** Names a size of a photo, as its address does: `{hash}/400.webp`. */
export interface PhotoName {
  readonly hash: string;
  readonly file: string;
}

const PATH = /^\/photos\/([0-9a-f]{64})\/(\d{1,4}\.(?:webp|jpg))$/;

/** Returns the size of a photo that a path names. */
export function photoNamed(path: string): PhotoName | undefined {
  const [, hash, file] = PATH.exec(path) ?? [];
  return hash === undefined || file === undefined ? undefined : { hash, file };
}

/** Returns the path of a size of a photo. It never changes, and another content has another path. */
export function photoPath({ hash }: Pick<StoredPhoto, "hash">, size: PhotoSize): string {
  return `/photos/${hash}/${photoFile(size)}`;
}

/** Returns the name of a size among those of its photo. */
export function photoFile({ width, type }: PhotoSize): string {
  return `${width}.${type === "image/jpeg" ? "jpg" : "webp"}`;
}
