import { csvRow } from "../base/csv.ts";
import type { Pet } from "../catalogue/model.ts";
import type { Profile } from "../catalogue/model-profile.ts";
import type { PhotoShown } from "../catalogue/profile-schema.ts";
import { exportHeader, exportRow, type ExportDelimiter } from "./export-rows.ts";
import { zipArchive, type ZipMember } from "./zip/write.ts";

/** An animal of an export. */
export interface ExportedPet {
  readonly pet: Pet;
  /** The name of its category. */
  readonly category: string;
  readonly profile: Profile & { readonly photos?: readonly PhotoShown[] };
}

/** Where the animals and the photos of an export come from. */
export interface ExportSource {
  /** Reads the animals, oldest first, in batches. */
  animals(): AsyncIterable<readonly ExportedPet[]>;
  /** Reads the largest size of a photo; undefined if it was removed meanwhile. */
  picture(photo: PhotoShown): Promise<Uint8Array | undefined>;
  /** Called after each photo. */
  onPhoto?(count: number): void;
}

/** How an export is written. */
export interface ExportArchiveOptions {
  /** What separates the columns. */
  readonly delimiter: ExportDelimiter;
  /** The time of its files, in milliseconds. */
  readonly at: number;
}

const encoder = new TextEncoder();

/**
 * Writes animals and their photos as a zip archive, which an import reads: `animals.csv`, whose column `photos` names the
 * files of each animal, the photos, and `photos.csv` with what they show. Only a batch and a photo are in memory.
 */
export function exportArchive(
  source: ExportSource,
  { delimiter, at }: ExportArchiveOptions,
): AsyncGenerator<Uint8Array> {
  return zipArchive(members(source, delimiter), at);
}

async function* members(
  source: ExportSource,
  delimiter: ExportDelimiter,
): AsyncGenerator<ZipMember> {
  const photos: { readonly file: string; readonly photo: PhotoShown }[] = [];
  const rows = async function* (): AsyncGenerator<Uint8Array> {
    yield encoder.encode(exportHeader(delimiter, true));
    for await (const batch of source.animals()) {
      let text = "";
      for (const { pet, category, profile } of batch) {
        const { photos: own = [], ...fields } = profile;
        const named = own.map((photo, index) => ({
          file: `photos/${pet.id}-${index + 1}.webp`,
          photo,
        }));
        photos.push(...named);
        const files = named.map(({ file }) => file);
        text += exportRow(pet, category, fields, delimiter, files);
      }
      if (text !== "") yield encoder.encode(text);
    }
  };
  yield { name: "animals.csv", content: rows() };
  const described = photos.filter(
    ({ photo: { alt, focus } }) => alt !== undefined || focus !== undefined,
  );
  if (described.length > 0)
    yield { name: DESCRIPTIONS, content: descriptions(described, delimiter) };
  let count = 0;
  for (const { file, photo } of photos) {
    const content = await source.picture(photo);
    if (content !== undefined) yield { name: file, content };
    source.onPhoto?.(++count);
  }
}

/** The name of the table that says what photos show. */
export const DESCRIPTIONS = "photos.csv";
/** Rows that are written together. */
const TOGETHER = 500;

async function* descriptions(
  described: readonly { readonly file: string; readonly photo: PhotoShown }[],
  delimiter: ExportDelimiter,
): AsyncGenerator<Uint8Array> {
  let text = `\uFEFF${csvRow(["file", "alt", "focusX", "focusY"], delimiter)}`;
  for (const [index, { file, photo }] of described.entries()) {
    const { alt = "", focus } = photo;
    text += csvRow([file, alt, String(focus?.x ?? ""), String(focus?.y ?? "")], delimiter);
    if (index % TOGETHER !== TOGETHER - 1) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}
