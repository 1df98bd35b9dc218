import { csvRow } from "../base/csv.ts";
import { isoTime } from "../base/clock.ts";
import { petFields, type NewPet, type Pet } from "../catalogue/model.ts";
import { profileLeafNames, type Profile, type ProfileLeaf } from "../catalogue/model-profile.ts";
import { leavesOf } from "../catalogue/model-profile-leaves.ts";
import type { ImportField } from "./fields.ts";
import type { delimiters } from "./table.ts";

/** The column of each leaf of a profile; the precision of a birth is the length of its date. */
const leafColumns: Readonly<Record<ProfileLeaf, ImportField | undefined>> = {
  sex: "sex",
  neutered: "neutered",
  "birth.date": "birth",
  "birth.precision": undefined,
  "breed.text": "breed",
  "breed.mixed": "mixedBreed",
  colour: "colour",
  size: "size",
  "goodWith.children": "goodWithChildren",
  "goodWith.dogs": "goodWithDogs",
  "goodWith.cats": "goodWithCats",
  specialNeeds: "specialNeeds",
  fee: "fee",
  text: "text",
  staffNotes: "staffNotes",
  microchip: "microchip",
  externalId: "externalId",
  source: "source",
  intakeAt: "intakeAt",
};

/** The columns of an export of animals with their profiles. An import knows such a file by them. */
export const fullExportColumns: readonly string[] = [
  "id",
  ...petFields.map(columnOf),
  ...profileLeafNames.flatMap((leaf) => leafColumns[leaf] ?? []),
];

/** A category is exported by its name. */
function columnOf(field: keyof NewPet): string {
  return field === "categoryId" ? "category" : field;
}

/** The delimiter of the fields of an export. */
export type ExportDelimiter = (typeof delimiters)[number];

/** The byte order mark, which makes spreadsheets read a file as UTF-8. */
const BOM = "\uFEFF";

/** Returns the beginning of an export in CSV: a byte order mark and the header, with a column for the files of photos if `photos`. */
export function exportHeader(delimiter: ExportDelimiter, photos = false): string {
  return BOM + csvRow(photos ? [...fullExportColumns, "photos"] : fullExportColumns, delimiter);
}

/** Returns an animal as a row of an export in CSV. `photos` are the names of the files of its photos, if there is a column for them. */
export function exportRow(
  pet: Pet,
  category: string,
  profile: Profile,
  delimiter: ExportDelimiter,
  photos?: readonly string[],
): string {
  const values = exportedAnimal(pet, category, profile);
  const cells = fullExportColumns.map((column) => String(values[column] ?? ""));
  return csvRow(photos === undefined ? cells : [...cells, photos.join(" ")], delimiter);
}

/** Returns an animal with the columns of an export, in their order, without those that it lacks. */
export function exportedAnimal(
  pet: Pet,
  category: string,
  profile: Profile,
): Readonly<Record<string, string | number | boolean>> {
  const leaves = leavesOf(profile);
  const values: Record<string, string | number | boolean> = { id: pet.id };
  for (const field of petFields) {
    const value = field === "categoryId" ? category : pet[field];
    if (value !== undefined) values[columnOf(field)] = value;
  }
  for (const leaf of profileLeafNames) {
    const [column, value] = [leafColumns[leaf], leaves[leaf]];
    if (column === undefined || value === undefined) continue;
    values[column] = leaf === "intakeAt" ? isoTime(Number(value)) : value;
  }
  if (profile.birth !== undefined) {
    const { date, precision } = profile.birth;
    values["birth"] = date.slice(0, precision === "day" ? 10 : precision === "month" ? 7 : 4);
  }
  return values;
}
