import { readTime } from "../base/clock.ts";
import { MAX_ID } from "../base/id.ts";
import { MAX_CATEGORY_NAME, type Category, type PetStatus } from "../catalogue/model.ts";
import { MAX_PHOTOS, profileLeaves, type Profile } from "../catalogue/model-profile.ts";
import { faultOfName } from "../model/text.ts";
import { SKIP, type ImportChoices } from "./choices.ts";
import { bornAt, dateIn, type PartialDate } from "./dates.ts";
import type { ImportField } from "./fields.ts";
import type { Mapping } from "./mapping.ts";
import { looksLikeHtml, plainText, trimmedLines } from "./plain-text.ts";
import { categoryFinder, newCategoryName } from "./species.ts";
import type { Cell } from "./table.ts";
import { faultOfText, statusOf, valueTable, type TextBound, type ValueFault } from "./values.ts";
import {
  answerMeant,
  isStageOfLife,
  saysNothing,
  sexMeant,
  sizeMeant,
  valueForm,
} from "./words.ts";

/** An animal of a file, ready to be added. */
export interface ImportedAnimal {
  readonly line: number;
  readonly name: string;
  /** The number of a category, or the name of one to create. */
  readonly category: number | string;
  readonly status: PetStatus;
  readonly profile: Profile;
  /** The addresses or data of its photos, in their order; at most 12. */
  readonly photos: readonly string[];
  /** When it was adopted, in milliseconds; only for `sold`. */
  readonly soldAt?: number;
}

/** What a row of a file says. */
export type ReadAnimal =
  | { readonly animal: ImportedAnimal }
  /** The person chose to leave out such rows. */
  | { readonly skipped: true }
  | { readonly faults: readonly [ColumnFault, ...ColumnFault[]] };

/** The fault of a value and the column that has it, if one has. */
export type ColumnFault = ValueFault & { readonly column?: string };

/** What the rows of a file are read with. */
export interface AnimalReaderOptions {
  readonly mapping: Mapping;
  readonly choices: ImportChoices;
  /** The categories of the catalogue. */
  readonly categories: readonly Category[];
  /** The present date, `2026-11-26`: what an age counts back from. */
  readonly today: string;
}

const MAX_NAME = 120;
/** The longest value that a fault shows. */
const MAX_FOUND = 80;

/** The leaf of a profile that bounds a text. */
const leaves = {
  breed: profileLeaves["breed.text"],
  colour: profileLeaves.colour,
  fee: profileLeaves.fee,
  externalId: profileLeaves.externalId,
  source: profileLeaves.source,
  microchip: profileLeaves.microchip,
  specialNeeds: profileLeaves.specialNeeds,
  text: profileLeaves.text,
  staffNotes: profileLeaves.staffNotes,
} as const;

/** A value of a row and the column that it is from. */
interface Found {
  readonly column: string;
  readonly value: string;
}

/** Creates a reader of rows. It remembers the keys of the rows that it has read. */
export function animalReader(
  options: AnimalReaderOptions,
): (line: number, cells: readonly Cell[]) => ReadAnimal {
  const { mapping, choices, today } = options;
  const { preset, own } = mapping;
  const table = valueTable(choices.values ?? [], preset);
  const finder = categoryFinder(options.categories);
  const ids = new Set(options.categories.map(({ id }) => id));
  const columnsOf = new Map<ImportField, number[]>();
  for (const { fields, number } of mapping.columns) {
    for (const field of fields) columnsOf.set(field, [...(columnsOf.get(field) ?? []), number - 1]);
  }
  const marks = mapping.columns.filter(({ mark }) => mark !== undefined);
  const keys = new Map<string, number>();

  return (line, cells) => {
    const faults: ColumnFault[] = [];
    const fail = (fault: ValueFault, column?: string): undefined => {
      faults.push(column === undefined ? fault : { ...fault, column });
      return undefined;
    };

    const nameOf = (index: number): string => mapping.columns[index]?.name ?? "";
    /** Returns the filled cells of a field. */
    const all = (field: ImportField): readonly Found[] =>
      (columnsOf.get(field) ?? []).flatMap((index) => {
        const cell = cells[index] ?? "";
        const value = String(cell);
        return value === "" ? [] : [{ column: nameOf(index), value }];
      });
    const one = (field: ImportField): Found | undefined => all(field)[0];
    const unknown = (field: ImportField, { value, column }: Found): undefined =>
      fail({ code: "unknown_value", field, found: shown(value) }, column);

    /** Reads a value among a closed set of meanings. Undefined: it says nothing, or its fault was noted. */
    const among = <Meaning>(
      field: ImportField,
      meant: (value: string) => Meaning | undefined,
    ): Meaning | undefined => {
      const found = one(field);
      const word =
        found === undefined ? undefined : (table.instead(field, found.value) ?? found.value);
      if (found === undefined || word === undefined || saysNothing(word)) return undefined;
      const meaning = meant(word);
      if (meaning !== undefined) return meaning;
      const other = table.otherwise(field);
      if (other === undefined) return unknown(field, found);
      return saysNothing(other) ? undefined : (meant(other) ?? unknown(field, found));
    };

    const texts = (field: ImportField): readonly Found[] =>
      all(field).flatMap(({ column, value }) => {
        const chosen = table.instead(field, value) ?? value;
        const isHtml = !own && (preset?.html === true || looksLikeHtml(chosen));
        const text = isHtml ? plainText(chosen) : own ? chosen : trimmedLines(chosen);
        return text === "" || (!own && saysNothing(text)) ? [] : [{ column, value: text }];
      });
    const bounded = (
      field: keyof typeof leaves,
      text: string | undefined,
      column = one(field)?.column,
    ): string | undefined => {
      if (text === undefined || text === "") return undefined;
      const bound: TextBound = leaves[field];
      const value = bound.kind === "line" && !own ? text.replaceAll(/\s+/gu, " ").trim() : text;
      const fault = faultOfText(value, bound);
      if (fault === undefined) return value.normalize("NFC");
      return fail({ code: "invalid_value", field, found: shown(value), fault }, column);
    };
    const line1 = (field: keyof typeof leaves): string | undefined => {
      const [found] = texts(field);
      return bounded(field, found?.value, found?.column);
    };

    const date = (field: ImportField): PartialDate | undefined => {
      const found = one(field);
      if (found === undefined || saysNothing(found.value)) return undefined;
      const written = table.instead(field, found.value) ?? found.value;
      if (saysNothing(written)) return undefined;
      const index = columnsOf.get(field)?.find((at) => nameOf(at) === found.column) ?? -1;
      const read = dateIn(written, mapping.columns[index]?.dates);
      if (read === undefined) return unknown(field, found);
      if (read.date <= today) return read;
      const fault = "must not be in the future";
      return fail({ code: "invalid_value", field, found: shown(found.value), fault }, found.column);
    };

    const instant = (field: ImportField): number | undefined => {
      const at = readTime(one(field)?.value ?? "");
      if (at !== undefined) return at;
      const day = date(field);
      // Noon, so that the day is the same wherever it is read.
      return day?.precision === "day" ? readTime(`${day.date}T12:00:00Z`) : undefined;
    };

    // The columns are read in the order in which people look for faults.
    const name = readName(
      cells,
      columnsOf.get("name")?.[0],
      { own, html: preset?.html === true },
      fail,
      nameOf,
    );
    const category = readCategory();
    const status = readStatus();
    const profile = readProfile();
    const photos = all("photo")
      .flatMap(({ value }) => photosIn(value))
      .slice(0, MAX_PHOTOS);
    const sold = status === "sold" ? instant("soldAt") : undefined;
    if (category === SKIP || status === SKIP) return { skipped: true };

    const key = profile.externalId;
    if (key !== undefined) {
      const full = JSON.stringify([profile.source, key]);
      const earlier = keys.get(full);
      if (earlier === undefined) keys.set(full, line);
      else fail({ code: "key_twice", found: shown(key), line: earlier }, one("externalId")?.column);
    }
    const [first, ...rest] = faults;
    if (first !== undefined) return { faults: [first, ...rest] };
    if (name === undefined || category === undefined || status === undefined) {
      throw new TypeError("A row without a fault lacks a field.");
    }
    return {
      animal: {
        line,
        name,
        category,
        status,
        profile,
        photos,
        ...(sold === undefined ? {} : { soldAt: sold }),
      },
    };

    function readCategory(): number | string | undefined {
      const named = one("category");
      const numbered = one("categoryId");
      const byId = numbered === undefined ? undefined : categoryNumber(numbered);
      if (named === undefined) {
        if (numbered !== undefined) return byId;
        const chosen = table.instead("category", "");
        if (chosen !== undefined) return categoryCalled(chosen, { column: "", value: "" });
        return unknown("category", {
          column: nameOf(columnsOf.get("category")?.[0] ?? -1),
          value: "",
        });
      }
      const found = categoryCalled(table.instead("category", named.value) ?? named.value, named);
      if (byId !== undefined && found !== undefined && found !== byId)
        return fail({ code: "two_categories" });
      return found;
    }

    function categoryNumber(found: Found): number | undefined {
      // A spreadsheet writes 1 as 1.0.
      const digits = /^0*(\d{1,16})(?:[.,]0*)?$/u.exec(found.value.trim())?.[1];
      const id = Number(digits ?? Number.NaN);
      if (Number.isSafeInteger(id) && id <= MAX_ID && ids.has(id)) return id;
      return unknown("categoryId", found);
    }

    function categoryCalled(word: string, found: Found): number | string | undefined {
      if (word === SKIP) return SKIP;
      const known = finder.find(word);
      if (known !== undefined) return known.id;
      const other = table.otherwise("category");
      if (other === SKIP) return SKIP;
      const chosen = other === undefined ? undefined : finder.find(other);
      if (chosen !== undefined) return chosen.id;
      if (choices.createCategories !== true || valueForm(word) === "")
        return unknown("category", found);
      const created = newCategoryName(word).normalize("NFC");
      const fault = faultOfName(created, MAX_CATEGORY_NAME);
      if (fault === undefined && created !== SKIP) return created;
      return fail(
        { code: "invalid_value", field: "category", found: shown(word), fault: fault ?? "" },
        found.column,
      );
    }

    function readStatus(): PetStatus | typeof SKIP | undefined {
      for (const { mark, name: column, number } of marks) {
        const value = String(cells[number - 1] ?? "");
        if (value === "" || mark === undefined || answerMeant(value) === "no") continue;
        return statusOf(mark, table, false) ?? unknown("status", { column, value: mark });
      }
      const found = one("status");
      const read = statusOf(found?.value ?? "", table, mapping.assumesAvailable);
      if (read !== undefined) return read;
      const column = found?.column ?? nameOf(columnsOf.get("status")?.[0] ?? -1);
      return unknown("status", { column, value: found?.value ?? "" });
    }

    function readProfile(): Profile {
      const sex = among("sex", sexMeant);
      const answer = (field: ImportField) => among(field, answerMeant);
      const flag = (field: ImportField): boolean | undefined => {
        const said = answer(field);
        return said === undefined || said === "unknown" ? undefined : said === "yes";
      };
      const goodWith = {
        children: notFor("notGoodWithChildren") ?? answer("goodWithChildren"),
        dogs: notFor("notGoodWithDogs") ?? answer("goodWithDogs"),
        cats: notFor("notGoodWithCats") ?? answer("goodWithCats"),
      };
      const size = among("size", sizeMeant);
      const stored: Profile["size"] = size === "extra large" ? "extra_large" : size;
      const externalId = line1("externalId");
      return given({
        sex: sex?.sex,
        neutered: flag("neutered") ?? sex?.neutered,
        birth: date("birth") ?? birthByAge(),
        breed: readBreed(flag),
        colour: line1("colour"),
        size: stored,
        goodWith: isEmpty(goodWith) ? undefined : given(goodWith),
        specialNeeds: needs(),
        fee: line1("fee"),
        text: bounded("text", [...new Set(texts("text").map(({ value }) => value))].join("\n\n")),
        staffNotes: bounded("staffNotes", notes()),
        microchip: line1("microchip"),
        externalId,
        source: line1("source") ?? (externalId === undefined ? undefined : preset?.name),
        intakeAt: instant("intakeAt"),
      });

      function notFor(field: ImportField): "no" | undefined {
        return answer(field) === "yes" ? "no" : undefined;
      }
    }

    function birthByAge(): PartialDate | undefined {
      const found = one("age");
      if (found === undefined || columnsOf.get("birth")?.some((at) => (cells[at] ?? "") !== ""))
        return undefined;
      const age = table.instead("age", found.value) ?? found.value;
      if (saysNothing(age) || isStageOfLife(age)) return undefined;
      return bornAt(age, today) ?? unknown("age", found);
    }

    function readBreed(flag: (field: ImportField) => boolean | undefined): Profile["breed"] {
      const [breed, second] = [texts("breed")[0], texts("secondBreed")[0]];
      const both = [breed, second].flatMap((part) => (part === undefined ? [] : [part.value]));
      const text = bounded(
        "breed",
        [...new Set(both)].join(" / "),
        breed?.column ?? second?.column,
      );
      const purebred = flag("purebred");
      const mixed =
        flag("mixedBreed") ??
        (purebred === undefined ? undefined : !purebred) ??
        (both.length > 1 ? true : undefined);
      const read = { text, mixed };
      return isEmpty(read) ? undefined : given(read);
    }

    /** Some systems only say yes or no. */
    function needs(): string | undefined {
      const said = texts("specialNeeds");
      const words = own ? said : said.filter(({ value }) => answerMeant(value) === undefined);
      const [found] = words;
      if (found !== undefined) return bounded("specialNeeds", found.value, found.column);
      return said.some(({ value }) => answerMeant(value) === "yes") ? "Special needs" : undefined;
    }

    function notes(): string | undefined {
      const found = texts("staffNotes");
      const several = (columnsOf.get("staffNotes")?.length ?? 0) > 1;
      return found
        .map(({ column, value }) => (several ? `${column}: ${value}` : value))
        .join("\n\n");
    }
  };
}

function readName(
  cells: readonly Cell[],
  index: number | undefined,
  { own, html }: { readonly own: boolean; readonly html: boolean },
  fail: (fault: ValueFault, column?: string) => undefined,
  nameOf: (index: number) => string,
): string | undefined {
  if (index === undefined) return fail({ code: "no_name" });
  const cell = cells[index] ?? "";
  const column = nameOf(index);
  if (typeof cell !== "string")
    return fail({ code: "not_text", field: "name", found: String(cell) }, column);
  const text = html ? plainText(cell) : cell;
  // A cell may have line breaks and tabs; a name has none.
  const name = own ? text : text.replaceAll(/[\s]+/gu, " ").trim();
  if (name === "") return fail({ code: "no_name" }, column);
  const fault = faultOfName(name, MAX_NAME);
  if (fault === undefined) return name.normalize("NFC");
  return fail({ code: "invalid_value", field: "name", found: shown(name), fault }, column);
}

/** Addresses can share a cell; data of an image contains a comma. */
function photosIn(value: string): readonly string[] {
  const text = value.trim();
  return text.startsWith("data:") ? [text] : text.split(/[\s,;|]+/u).filter((part) => part !== "");
}

function shown(value: string): string {
  return value.length > MAX_FOUND ? `${value.slice(0, MAX_FOUND)}…` : value;
}

function isEmpty(members: Readonly<Record<string, unknown>>): boolean {
  return Object.values(members).every((value) => value === undefined);
}

type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns the members that have a value. */
function given<Members extends Readonly<Record<string, unknown>>>(
  members: Members,
): Given<Members> {
  const some = Object.entries(members).filter(([, value]) => value !== undefined);
  // The members that are left have values of their types.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(some) as Given<Members>;
}
