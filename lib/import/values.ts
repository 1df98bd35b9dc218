import type { PetStatus } from "../catalogue/model.ts";
import type { LeafKind } from "../catalogue/model-profile.ts";
import { faultOfCharacters, faultOfName } from "../model/text.ts";
import { petStatuses } from "../catalogue/model-statuses.ts";
import { SKIP, type ValueChoice } from "./choices.ts";
import type { ImportField } from "./fields.ts";
import type { Preset } from "./presets.ts";
import { statusMeant, valueForm } from "./words.ts";

/** Why a value of a row cannot be imported. */
export type ValueFault =
  /** The row has no name. */
  | { readonly code: "no_name" }
  /** A word that means nothing for the field. Empty: an empty cell, or a row without the column. */
  | { readonly code: "unknown_value"; readonly field: ImportField; readonly found: string }
  /** `fault` follows the name of the field: "must be at most 120 characters long". */
  | {
      readonly code: "invalid_value";
      readonly field: ImportField;
      readonly found: string;
      readonly fault: string;
    }
  /** A value of JSON that is no text. */
  | { readonly code: "not_text"; readonly field: ImportField; readonly found: string }
  /** Two columns name different categories. */
  | { readonly code: "two_categories" }
  /** An earlier row, on `line`, has the same number. */
  | { readonly code: "key_twice"; readonly found: string; readonly line: number };

/** Says what words mean for each field: first as the person chose, then as the preset has it. */
export interface ValueTable {
  /** Returns the word to use instead of `found`; undefined if nothing was chosen. */
  readonly instead: (field: ImportField, found: string) => string | undefined;
  /** Returns the word to use for a value that nothing else explains. */
  readonly otherwise: (field: ImportField) => string | undefined;
}

/** Creates the table of the values that a person chose and a preset knows. */
export function valueTable(
  choices: readonly ValueChoice[],
  preset: Preset | undefined,
): ValueTable {
  const chosen = new Map<string, Map<string, string>>(
    Object.entries(preset?.values ?? {}).map(([field, words]) => [
      field,
      new Map(Object.entries(words)),
    ]),
  );
  const others = new Map<ImportField, string>();
  for (const { field, found, value } of choices) {
    if (found === "*") {
      others.set(field, value);
      continue;
    }
    const words = chosen.get(field) ?? new Map<string, string>();
    chosen.set(field, words.set(valueForm(found), value));
  }
  return {
    // Most fields have none: then the form of the value is not needed.
    instead: (field, found) => chosen.get(field)?.get(valueForm(found)),
    otherwise: (field) => others.get(field),
  };
}

/** Returns the status that a word means, `skip`, or undefined for an unknown word. */
export function statusOf(
  found: string,
  table: ValueTable,
  assumesAvailable: boolean,
): PetStatus | typeof SKIP | undefined {
  const word = table.instead("status", found);
  if (word !== undefined) return chosenStatus(word);
  if (valueForm(found) === "") {
    if (assumesAvailable) return "available";
  } else {
    const status = statusMeant(found);
    if (status !== undefined) return status;
  }
  const other = table.otherwise("status");
  return other === undefined ? undefined : chosenStatus(other);
}

function chosenStatus(word: string): PetStatus | typeof SKIP | undefined {
  return word === SKIP
    ? SKIP
    : (petStatuses.find((status) => status === word) ?? statusMeant(word));
}

const encoder = new TextEncoder();

/** The kinds of leaves that are texts. */
export type TextBound = Extract<LeafKind, { readonly kind: "line" | "lines" }>;

/** Returns why a text cannot be stored; undefined if it can. */
export function faultOfText(text: string, bound: TextBound): string | undefined {
  if (bound.kind === "line") return faultOfName(text, bound.maximum);
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  if (encoder.encode(text).length > bound.maxBytes) {
    return `must be at most ${bound.maxBytes} bytes long`;
  }
  return faultOfCharacters(text, "lines");
}
