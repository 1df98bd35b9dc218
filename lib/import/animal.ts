import { MAX_ID } from "../base/id.ts";
import { LargeMap } from "../base/large-map.ts";
import { MAX_CATEGORY_NAME, type Category, type PetStatus } from "../catalogue/model.ts";
import { MAX_PHOTOS, type Profile } from "../catalogue/model-profile.ts";
import { faultOfName, normalText, trimText } from "../model/text.ts";
import { SKIP, type ImportChoices } from "./choices.ts";
import type { Mapping } from "./mapping.ts";
import { isNumberColumn, type ImportField } from "./fields.ts";
import { plainText } from "./plain-text.ts";
import { keyOf, readProfile } from "./read-profile.ts";
import {
  rowContext,
  rowView,
  shownValue,
  type ColumnFault,
  type Found,
  type RowView,
} from "./row-view.ts";
import { categoryFinder, type CategoryFinder } from "./species.ts";
import type { Cell } from "./table.ts";
import { statusOf } from "./values.ts";
import { answerMeant, valueForm } from "./words.ts";

/** An animal of a file, ready to be added. */
export interface ImportedAnimal {
  readonly line: number;
  readonly name: string;
  /** The number of a category, or the name of one to create. */
  readonly category: number | string;
  readonly status: PetStatus;
  readonly profile: Profile;
  /** The addresses, names of files or data of its photos, in their order; at most 12. */
  readonly photos: readonly string[];
  /** Its number in the file, which is not imported: photos can be named by it. */
  readonly number?: string;
  /** When it was adopted, in milliseconds; only for `sold`. */
  readonly soldAt?: number;
}

/** What a row of a file says. */
export type ReadAnimal =
  | { readonly animal: ImportedAnimal }
  /** The person chose to leave out such rows, or the row before has the animal. */
  | { readonly skipped: true }
  | { readonly faults: readonly [ColumnFault, ...ColumnFault[]] };

/** What the rows of a file are read with. */
export interface AnimalReaderOptions {
  readonly mapping: Mapping;
  readonly choices: ImportChoices;
  /** The categories of the catalogue. */
  readonly categories: readonly Category[];
  /** The present date, `2026-11-26`: what an age counts back from. */
  readonly today: string;
  /** Called with the profile of each row that has a key, also of rows with faults and of those that are left out. */
  readonly onKey?: ((profile: Profile) => void) | undefined;
}

const MAX_NAME = 120;

/** Creates a reader of rows. It remembers the keys of the rows that it has read. */
export function animalReader({
  mapping,
  choices,
  categories,
  today,
  onKey,
}: AnimalReaderOptions): (line: number, cells: readonly Cell[]) => ReadAnimal {
  const context = rowContext(mapping, choices, today);
  const known = {
    finder: categoryFinder(categories),
    ids: new Set(categories.map(({ id }) => id)),
  };
  const numbers = mapping.columns.flatMap((column) =>
    column.reason === "unused" && isNumberColumn(column.name) ? [column.number - 1] : [],
  );
  /** The line of each key. */
  const keys = new LargeMap<string, number>();
  /** What the row before says of these fields, as it is written. */
  let before: Readonly<Record<"number" | "source" | "name", string>> | undefined;
  /** The columns that say more about an animal than its number and name. */
  const details = [...context.columnsOf].flatMap(([field, indexes]) =>
    field === "externalId" || field === "source" || field === "name" ? [] : indexes,
  );
  /** Some programs write a row for each vaccination, below the animal's own row. */
  const isFurtherRow = (row: RowView): boolean => {
    const written = (field: ImportField): string => row.one(field)?.value ?? "";
    const own = { number: written("externalId"), source: written("source"), name: written("name") };
    const isSame =
      own.number !== "" &&
      own.number === before?.number &&
      own.source === before.source &&
      (own.name === "" || own.name === before.name);
    before = own;
    return isSame && details.length > 0 && details.every((at) => (row.cells[at] ?? "") === "");
  };

  return (line, cells) => {
    const row = rowView(context, cells);
    if (isFurtherRow(row)) return { skipped: true };
    // The fields are read in the order in which people look for faults.
    const name = readName(row);
    const category = readCategory(row, known);
    const status = readStatus(row);
    const profile = readProfile(row);
    if (profile.externalId !== undefined) onKey?.(profile);
    const photos = row.all("photo").flatMap(({ value }) => photosIn(value));
    const soldAt = status === "sold" ? row.instant("soldAt") : undefined;
    if (category === SKIP || status === SKIP) return { skipped: true };
    const { externalId: found } = profile;
    if (found !== undefined) {
      const earlier = keys.add(keyOf(profile), line);
      if (earlier !== undefined) {
        row.fail({ code: "key_twice", found, line: earlier }, row.columnOf("externalId"));
      }
    }
    const [first, ...rest] = row.faults;
    if (first !== undefined) return { faults: [first, ...rest] };
    if (name === undefined || category === undefined || status === undefined) {
      throw new TypeError("A row without a fault lacks a field.");
    }
    const number = numbers.map((at) => String(cells[at] ?? "")).find((value) => value !== "");
    return {
      animal: {
        ...{ line, name, category, status, profile, photos: photos.slice(0, MAX_PHOTOS) },
        ...(soldAt !== undefined && { soldAt }),
        ...(number !== undefined && { number }),
      },
    };
  };
}

function readName(row: RowView): string | undefined {
  const { own, preset } = row.context.mapping;
  const index = row.context.columnsOf.get("name")?.[0];
  const column = row.columnOf("name");
  const cell = index === undefined ? "" : (row.cells[index] ?? "");
  if (typeof cell !== "string") {
    return row.fail({ code: "not_text", field: "name", found: String(cell) }, column);
  }
  const text = preset?.html === true ? plainText(cell) : cell;
  // A cell may have line breaks and tabs; a name has none.
  const name = normalText(own ? text : text.replaceAll(/\s+/gu, " "));
  if (name === "") return row.fail({ code: "no_name" }, column);
  const fault = faultOfName(name, MAX_NAME);
  if (fault === undefined) return name;
  return row.fail({ code: "invalid_value", field: "name", found: shownValue(name), fault }, column);
}

/** The categories of a catalogue. */
interface Known {
  readonly finder: CategoryFinder;
  readonly ids: ReadonlySet<number>;
}

function readCategory(row: RowView, known: Known): number | string | undefined {
  const { table } = row.context;
  const [named, numbered] = [row.one("category"), row.one("categoryId")];
  const byId = numbered === undefined ? undefined : categoryNumber(row, numbered, known);
  if (named === undefined && numbered !== undefined) return byId;
  const found = named ?? { column: row.columnOf("category"), value: "" };
  const word = table.instead("category", found.value) ?? found.value;
  const byName =
    word === "" ? row.unknown("category", found) : categoryCalled(row, word, found, known);
  if (byId === undefined || byName === undefined || byId === byName) return byName;
  return row.fail({ code: "two_categories" });
}

function categoryNumber(row: RowView, found: Found, { ids }: Known): number | undefined {
  const written = row.context.table.instead("categoryId", found.value) ?? found.value;
  // A spreadsheet writes 1 as 1.0.
  const digits = /^0*(\d{1,16})(?:[.,]0*)?$/u.exec(written.trim())?.[1];
  const id = Number(digits ?? Number.NaN);
  if (Number.isSafeInteger(id) && id <= MAX_ID && ids.has(id)) return id;
  return row.unknown("categoryId", found);
}

function categoryCalled(
  row: RowView,
  word: string,
  found: Found,
  { finder }: Known,
): number | string | undefined {
  const { table, choices } = row.context;
  if (word === SKIP) return SKIP;
  const known = finder.find(word);
  if (known !== undefined) return known.id;
  const other = table.otherwise("category");
  if (other === SKIP) return SKIP;
  const chosen = other === undefined ? undefined : finder.find(other);
  if (chosen !== undefined) return chosen.id;
  if (choices.createCategories !== true || valueForm(word) === "") {
    return row.unknown("category", found);
  }
  const created = normalText(finder.newName(word));
  const fault = faultOfName(created, MAX_CATEGORY_NAME);
  if (fault === undefined) return created;
  const invalid = { code: "invalid_value", field: "category", found: shownValue(word) } as const;
  return row.fail({ ...invalid, fault }, found.column);
}

function readStatus(row: RowView): PetStatus | typeof SKIP | undefined {
  const { mapping, table } = row.context;
  for (const { mark, name: column, number } of mapping.columns) {
    if (mark === undefined) continue;
    const value = String(row.cells[number - 1] ?? "");
    if (value === "" || answerMeant(value) === "no") continue;
    return statusOf(mark, table, false) ?? row.unknown("status", { column, value: mark });
  }
  const found = row.one("status") ?? { column: row.columnOf("status"), value: "" };
  const status = statusOf(found.value, table, mapping.assumesAvailable);
  return status ?? row.unknown("status", found);
}

/** Several can share a cell. Data of an image contains a comma, and names of files contain spaces. */
function photosIn(value: string): readonly string[] {
  const text = trimText(value);
  if (text.startsWith("data:")) return [text];
  const parts = text.includes("://")
    ? text.split(/[\s,;|]+/u)
    : text.split(/[,;|\n]|(?<=\.(?:jpe?g|png|webp|heic))\s+/iu).map((part) => trimText(part));
  return parts.filter((part) => part !== "");
}
