import type { ManifestFile } from "./deploy.ts";
import { MAX_ID } from "../../base/id.ts";

/** The formats of an animal's photo, by the endings of files. */
export const photoEndings = ["jpg", "jpeg", "png", "webp", "avif"] as const;
/** The ending of an animal's photo. */
export type PhotoEnding = (typeof photoEndings)[number];

/** The largest description of an animal in bytes. */
export const MAX_BIO: number = 64 * 1024;

/** Why the storefront does not use a file below `animals/`. */
export const unusedReasons = [
  "folder",
  "place",
  "photo_name",
  "photo_format",
  "text_name",
  "unknown_animal",
  "text_too_long",
  "text_not_utf8",
] as const;
/** Why the storefront does not use a file below `animals/`. */
export type UnusedReason = (typeof unusedReasons)[number];

/** A file below `animals/` that the storefront does not use. */
export interface UnusedFile {
  readonly path: string;
  readonly reason: UnusedReason;
}

/** What a path below `animals/` is to the storefront; undefined for a path elsewhere, and for pages and other kinds of files. */
export type AnimalPlace =
  | { readonly kind: "photo"; readonly id: number; readonly ending: PhotoEnding }
  | { readonly kind: "bio"; readonly id: number }
  | { readonly kind: "unused"; readonly reason: UnusedReason };

const IMAGE = /\.(?:jpe?g|png|webp|avif|gif|heic|heif|tiff?|bmp|jxl)$/;
const TEXT = /\.(?:md|markdown|txt|docx?|odt|rtf)$/;

/** Classifies a path of a deploy. Upper and lower case do not count. */
export function animalPlace(path: string): AnimalPlace | undefined {
  const [empty, root, folder = "", name, ...deeper] = path.toLowerCase().split("/");
  if (empty !== "" || root !== "animals") return undefined;
  const last = deeper.at(-1) ?? name ?? folder;
  const isImage = IMAGE.test(last);
  if (!isImage && !TEXT.test(last)) return undefined;
  if (name === undefined || deeper.length > 0) return { kind: "unused", reason: "place" };
  const id = /^[1-9]\d{0,15}$/.test(folder) ? Number(folder) : Infinity;
  if (id > MAX_ID) return { kind: "unused", reason: "folder" };
  if (!isImage)
    return name === "bio.md" ? { kind: "bio", id } : { kind: "unused", reason: "text_name" };
  const ending = photoEndings.find((one) => name.endsWith(`.${one}`));
  if (ending === undefined) return { kind: "unused", reason: "photo_format" };
  return name === `photo.${ending}`
    ? { kind: "photo", id, ending }
    : { kind: "unused", reason: "photo_name" };
}

/** Returns whether the file is an animal's description. */
export function isBio(path: string): boolean {
  return animalPlace(path)?.kind === "bio";
}

/** The files of one animal in a deploy. */
export interface AnimalFiles {
  readonly photos: ReadonlyMap<PhotoEnding, ManifestFile>;
  readonly bio: ManifestFile | undefined;
}

/** Returns the files that the storefront uses, by the animal's id. A path in lower case wins over the same in another case. */
export function animalFiles(files: Iterable<ManifestFile>): ReadonlyMap<number, AnimalFiles> {
  const found = new Map<number, { photos: Map<PhotoEnding, ManifestFile>; bio?: ManifestFile }>();
  for (const file of files) {
    const place = animalPlace(file.path);
    if (place === undefined || place.kind === "unused" || faultOfBio(file) !== undefined) continue;
    const animal = found.get(place.id) ?? { photos: new Map<PhotoEnding, ManifestFile>() };
    found.set(place.id, animal);
    if (place.kind === "bio") animal.bio = file;
    else animal.photos.set(place.ending, file);
  }
  return new Map(Array.from(found, ([id, { photos, bio }]) => [id, { photos, bio }] as const));
}

const known = new WeakMap<ReadonlyMap<string, ManifestFile>, ReadonlyMap<number, AnimalFiles>>();

/** Returns the files that the storefront uses, by the animal's id, of a site's files by path. Computes them once. */
export function animalFilesIn(
  files: ReadonlyMap<string, ManifestFile>,
): ReadonlyMap<number, AnimalFiles> {
  const found = known.get(files) ?? animalFiles(files.values());
  known.set(files, found);
  return found;
}

/** Returns why a file cannot be an animal's description; undefined for one that can, and for other files. */
function faultOfBio({ path, size, notUtf8 }: ManifestFile): UnusedReason | undefined {
  if (!isBio(path)) return undefined;
  if (notUtf8 === true) return "text_not_utf8";
  return size > MAX_BIO ? "text_too_long" : undefined;
}

/**
 * Returns the files below `animals/` that the storefront does not use, each with the reason. `isAnimal` knows the animals;
 * those that it leaves out are not reported.
 */
export function unusedFiles(
  files: readonly ManifestFile[],
  isAnimal: (id: number) => boolean | undefined,
): readonly UnusedFile[] {
  return files.flatMap((file) => {
    const { path } = file;
    const place = animalPlace(path);
    if (place === undefined) return [];
    if (place.kind === "unused") return [{ path, reason: place.reason }];
    const reason =
      faultOfBio(file) ?? (isAnimal(place.id) === false ? "unknown_animal" : undefined);
    return reason === undefined ? [] : [{ path, reason }];
  });
}
