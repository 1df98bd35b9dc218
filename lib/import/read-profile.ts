import type { Profile } from "../catalogue/model-profile.ts";
import { bornAt, type PartialDate } from "./dates.ts";
import type { ImportField } from "./fields.ts";
import type { RowView } from "./row-view.ts";
import { answerMeant, isStageOfLife, saysNothing, sexMeant, sizeMeant } from "./words.ts";

/** Reads the profile of a row. */
export function readProfile(row: RowView): Profile {
  const sex = row.among("sex", sexMeant);
  const goodWith = {
    children: notFor(row, "notGoodWithChildren") ?? row.among("goodWithChildren", answerMeant),
    dogs: notFor(row, "notGoodWithDogs") ?? row.among("goodWithDogs", answerMeant),
    cats: notFor(row, "notGoodWithCats") ?? row.among("goodWithCats", answerMeant),
  };
  const size = row.among("size", sizeMeant);
  const stored: Profile["size"] = size === "extra large" ? "extra_large" : size;
  const externalId = row.line("externalId");
  const { preset } = row.context.mapping;
  return given({
    sex: sex?.sex,
    neutered: flag(row, "neutered") ?? sex?.neutered,
    birth: row.date("birth") ?? birthByAge(row),
    breed: readBreed(row),
    colour: row.line("colour"),
    size: stored,
    goodWith: isEmpty(goodWith) ? undefined : given(goodWith),
    specialNeeds: needs(row),
    fee: row.line("fee"),
    text: row.bounded("text", joined(row.texts("text").map(({ value }) => value))),
    staffNotes: row.bounded("staffNotes", notes(row)),
    microchip: row.line("microchip"),
    externalId,
    source: row.line("source") ?? (externalId === undefined ? undefined : preset?.name),
    intakeAt: row.instant("intakeAt"),
  });
}

function flag(row: RowView, field: ImportField): boolean | undefined {
  const said = row.among(field, answerMeant);
  return said === undefined || said === "unknown" ? undefined : said === "yes";
}

function notFor(row: RowView, field: ImportField): "no" | undefined {
  return row.among(field, answerMeant) === "yes" ? "no" : undefined;
}

function birthByAge(row: RowView): PartialDate | undefined {
  const { table, today } = row.context;
  const found = row.one("age");
  if (found === undefined || row.one("birth") !== undefined) return undefined;
  const age = table.instead("age", found.value) ?? found.value;
  if (saysNothing(age) || isStageOfLife(age)) return undefined;
  return bornAt(age, today) ?? row.unknown("age", found);
}

function readBreed(row: RowView): Profile["breed"] {
  const [breed, second] = [row.texts("breed")[0], row.texts("secondBreed")[0]];
  // A purebred animal has the same breed in both columns.
  const breeds = new Set(
    [breed, second].flatMap((part) => (part === undefined ? [] : [part.value])),
  );
  const text = row.bounded("breed", [...breeds].join(" / "), breed?.column ?? second?.column);
  const purebred = flag(row, "purebred");
  const mixed =
    flag(row, "mixedBreed") ??
    (purebred === undefined ? undefined : !purebred) ??
    (breeds.size > 1 ? true : undefined);
  const read = { text, mixed };
  return isEmpty(read) ? undefined : given(read);
}

/** Some systems only say yes or no. */
function needs(row: RowView): string | undefined {
  const said = row.texts("specialNeeds").map(({ value }) => value);
  const isWords = (value: string): boolean =>
    row.context.mapping.own || answerMeant(value) === undefined;
  const words = said.filter(isWords);
  if (words.length > 0) return row.bounded("specialNeeds", joined(words));
  return said.some((value) => answerMeant(value) === "yes") ? "Special needs" : undefined;
}

function notes(row: RowView): string {
  const several = (row.context.columnsOf.get("staffNotes")?.length ?? 0) > 1;
  const found = row.texts("staffNotes");
  return joined(found.map(({ column, value }) => (several ? `${column}: ${value}` : value)));
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].join("\n\n");
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

/** Returns a text that is equal for equal keys; empty without a key. */
export function keyOf({ externalId, source }: Profile): string {
  return externalId === undefined ? "" : JSON.stringify([source ?? "", externalId]);
}
