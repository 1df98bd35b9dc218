import { normalized } from "../base/normalized.ts";
import { trimText, wordForm } from "../model/text.ts";
import { MAX_PHOTOS } from "../catalogue/model-profile.ts";
import type { ImportedAnimal, ReadAnimal } from "./animal.ts";
import { pictureAddress } from "./pictures.ts";

/** What tells to which animal the files of an archive belong. */
type Named = Pick<ImportedAnimal, "name" | "number" | "profile" | "photos">;

/**
 * Finds the files of an archive that are photos of an animal. A column with their names decides; otherwise a file
 * belongs to the animal whose number or name its own name or its folder is: `A12.jpg`, `A12-2.jpg`, `Bella (2).jpg`,
 * `Bella/anything.jpg`. A name that several animals have belongs to none of them.
 */
export interface PhotoFiles {
  /** Counts an animal; all animals of a table are counted before the first is asked for its photos. */
  note(animal: Named): void;
  /** Returns the photos of an animal, at most 12: names of files, and addresses and the like as the table has them. */
  of(animal: Named): readonly string[];
  /** Says why a text of a table names no single file of the archive. */
  faultOf(text: string): string;
  /** Returns the pictures that no animal was given, in the order of the archive. */
  unused(): readonly string[];
}

/** Names that end so are pictures; the content decides whether they can become photos. */
const PICTURE = /\.(?:jpe?g|jpe|jfif|png|webp|heic|heif|avif|gif|bmp|tiff?)$/iu;

/** Returns whether a name of a file says that it is a picture. */
export function isPictureName(name: string): boolean {
  return PICTURE.test(name);
}

/** Creates the finder for the files of an archive. */
export function photoFiles(archived: readonly string[]): PhotoFiles {
  const names = [...new Set(archived.filter(isPictureName))];
  const paths = indexOf(names, pathForm);
  const ends = indexOf(names, (name) => lastOf(pathForm(name)));
  /** How many animals have a number, or a name, that is in the name of a file. */
  const claims = new Map<string, { numbers: number; names: number }>();
  const forms = new Map(names.map((name) => [name, formsOf(name)]));
  for (const form of [...forms.values()].flat()) claims.set(form, { numbers: 0, names: 0 });
  let byForm: ReadonlyMap<string, readonly string[]> | undefined;
  const used = new Set<string>();
  /** The files that a row names: they belong to no other animal. */
  const taken = new Set<string>();

  const named = (text: string): string | undefined => {
    const form = pathForm(text);
    const [only, ...others] = paths.get(form) ?? ends.get(lastOf(form)) ?? [];
    return others.length === 0 ? only : undefined;
  };
  const note: PhotoFiles["note"] = (animal) => {
    byForm = undefined;
    for (const form of numbersOf(animal)) {
      const claim = claims.get(form);
      if (claim !== undefined) claim.numbers++;
    }
    const claim = claims.get(wordsForm(animal.name));
    if (claim !== undefined) claim.names++;
    for (const text of animal.photos) {
      const file = named(text);
      if (file !== undefined) taken.add(file);
    }
  };
  /** Gives each file to the first of its forms that an animal has. */
  const divided = (): ReadonlyMap<string, readonly string[]> => {
    const found = new Map<string, string[]>();
    for (const [name, own] of forms) {
      if (taken.has(name)) continue;
      const form = own.find((one) => {
        const claim = claims.get(one);
        return claim !== undefined && claim.numbers + claim.names > 0;
      });
      if (form !== undefined) found.set(form, [...(found.get(form) ?? []), name]);
    }
    for (const files of found.values()) files.sort(inOrder);
    return found;
  };
  const matched = (animal: Named): readonly string[] => {
    byForm ??= divided();
    const own = numbersOf(animal).filter((form) => claims.get(form)?.numbers === 1);
    const form = wordsForm(animal.name);
    const claim = claims.get(form);
    if (claim?.numbers === 0 && claim.names === 1) own.push(form);
    return [...new Set(own.flatMap((one) => byForm?.get(one) ?? []))];
  };
  const photosOf = (animal: Named): readonly string[] => {
    const own = animal.photos.map((text) => named(text) ?? text);
    if (own.some((text) => forms.has(text))) return own;
    const found = matched(animal);
    return found.length > 0 ? found : own;
  };
  return {
    note,
    of: (animal) => {
      const photos = [...new Set(photosOf(animal))].slice(0, MAX_PHOTOS);
      for (const photo of photos) if (forms.has(photo)) used.add(photo);
      return photos;
    },
    faultOf: (text) =>
      (ends.get(lastOf(pathForm(text)))?.length ?? 0) > 1
        ? "several files of the archive have this name: name the folder as well"
        : "the archive has no such file",
    unused: () => names.filter((name) => !used.has(name)),
  };
}

/** Returns a reader of rows whose animals have photos of an archive. */
export function withPhotoFiles<Arguments extends readonly unknown[]>(
  readRow: (...row: Arguments) => ReadAnimal,
  files: PhotoFiles | undefined,
): (...row: Arguments) => ReadAnimal {
  if (files === undefined) return readRow;
  return (...row) => {
    const read = readRow(...row);
    if (!("animal" in read)) return read;
    return { animal: { ...read.animal, photos: files.of(read.animal) } };
  };
}

/** Tells whether a text of a table can only be the name of a file: it is neither an address nor data. */
export function isFileName(text: string): boolean {
  return !text.startsWith("data:") && pictureAddress(text) === undefined;
}

function indexOf(
  names: readonly string[],
  formOf: (name: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const name of names) {
    const form = formOf(name);
    const known = index.get(form);
    if (known === undefined) index.set(form, [name]);
    else known.push(name);
  }
  return index;
}

/** The form in which paths are compared: without case, the kind of slash and a slash or `./` at the beginning. */
function pathForm(path: string): string {
  const plain = normalized(path, "NFC").toLowerCase().replaceAll("\\", "/");
  return trimText(plain.replace(/^(?:\.?\/)+/u, ""));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The form in which words of names are compared: letters and digits without case and accents, and one space between words. */
function wordsForm(text: string): string {
  return normalized(wordForm(text), "NFD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The longest name whose words are compared, in UTF-16 code units. */
const MAX_NAME = 500;
/** The number that tells one photo of an animal from the others: ` 2`, `-2`, `_02`, ` (2)`, or directly behind a letter. */
const COUNTED = /(?:[\s_.-]{0,3}\(\d{1,3}\)|[\s_.-]{1,3}\d{1,3}|(?<=\p{L})\d{1,3})$/u;

/** Returns what an animal of this file may be called, in the order of preference. */
function formsOf(name: string): readonly string[] {
  if (name.length > MAX_NAME || name.split("/").includes("..")) return [];
  const folders = name.split("/");
  const stem = (folders.pop() ?? "").replace(PICTURE, "");
  const forms = [stem, stem.replace(COUNTED, ""), ...folders.toReversed()].map(wordsForm);
  return [...new Set(forms)].filter((form) => form !== "");
}

function numbersOf({ number, profile: { externalId } }: Named): string[] {
  const numbers = [externalId, number].flatMap((one) => (one === undefined ? [] : wordsForm(one)));
  return [...new Set(numbers)].filter((form) => form !== "");
}

/** Compares names of files as people order them: `2.jpg` is before `10.jpg`. */
function inOrder(a: string, b: string): number {
  const [one = "", other = ""] = [a, b].map((name) =>
    wordsForm(name.replace(PICTURE, "")).replaceAll(/\d{1,15}/gu, (digits) =>
      digits.padStart(15, "0"),
    ),
  );
  return one < other ? -1 : Number(one > other);
}
