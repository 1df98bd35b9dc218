import { readTime } from "../base/clock.ts";
import { profileLeaves } from "../catalogue/model-profile.ts";
import { normalLines, normalText } from "../model/text.ts";
import type { ImportChoices } from "./choices.ts";
import { dateIn, type PartialDate } from "./dates.ts";
import type { ImportField } from "./fields.ts";
import type { Mapping } from "./mapping.ts";
import { looksLikeHtml, plainText, trimmedLines } from "./plain-text.ts";
import type { Cell } from "./table.ts";
import {
  faultOfText,
  valueTable,
  type TextBound,
  type ValueFault,
  type ValueTable,
} from "./values.ts";
import { saysNothing } from "./words.ts";

/** The fault of a value and the column that has it, if one has. */
export type ColumnFault = ValueFault & { readonly column?: string };

/** A value of a row and the column that it is from. */
export interface Found {
  readonly column: string;
  readonly value: string;
}

/** What all rows of a file are read with. */
export interface RowContext {
  readonly mapping: Mapping;
  readonly choices: ImportChoices;
  readonly table: ValueTable;
  /** The present date, `2026-11-26`. */
  readonly today: string;
  /** The indexes of the columns that give a field. */
  readonly columnsOf: ReadonlyMap<ImportField, readonly number[]>;
}

/** Creates the context of a file. */
export function rowContext(mapping: Mapping, choices: ImportChoices, today: string): RowContext {
  const columnsOf = new Map<ImportField, number[]>();
  for (const { fields, number } of mapping.columns) {
    for (const field of fields) columnsOf.set(field, [...(columnsOf.get(field) ?? []), number - 1]);
  }
  const table = valueTable(choices.values ?? [], mapping.preset);
  return { mapping, choices, table, today, columnsOf };
}

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

/** A field that is a text with a bound. */
export type TextField = keyof typeof leaves;

/** The longest value that a fault shows. */
const MAX_FOUND = 80;

/** Returns a value cut to the length that a fault shows. */
export function shownValue(value: string): string {
  return value.length > MAX_FOUND ? `${value.slice(0, MAX_FOUND)}…` : value;
}

/** A row of a file by its fields. Its methods return undefined for a value that says nothing, or whose fault they note. */
export interface RowView {
  readonly context: RowContext;
  readonly cells: readonly Cell[];
  readonly faults: readonly ColumnFault[];
  /** Notes a fault. */
  readonly fail: (fault: ValueFault, column?: string) => undefined;
  /** Notes a value that means nothing. */
  readonly unknown: (field: ImportField, found: Found) => undefined;
  /** Returns the name of the first column of a field. */
  readonly columnOf: (field: ImportField) => string;
  /** Returns the filled cells of a field. */
  readonly all: (field: ImportField) => readonly Found[];
  readonly one: (field: ImportField) => Found | undefined;
  /** Reads a value among a closed set of meanings. */
  readonly among: <Meaning>(
    field: ImportField,
    meant: (value: string) => Meaning | undefined,
  ) => Meaning | undefined;
  /** Returns the texts of a field, without HTML. */
  readonly texts: (field: ImportField) => readonly Found[];
  /** Returns a text that fits into its field. */
  readonly bounded: (
    field: TextField,
    text: string | undefined,
    column?: string,
  ) => string | undefined;
  readonly line: (field: TextField) => string | undefined;
  readonly date: (field: ImportField) => PartialDate | undefined;
  readonly instant: (field: ImportField) => number | undefined;
}

/** The values of a field that the file does not have, as most fields of a row are. */
const NONE: readonly Found[] = [];

/** Creates the view of a row. */
export function rowView(context: RowContext, cells: readonly Cell[]): RowView {
  const { mapping, table, today, columnsOf } = context;
  const { preset, own } = mapping;
  const faults: ColumnFault[] = [];
  const nameOf = (index: number): string => mapping.columns[index]?.name ?? "";
  const fail: RowView["fail"] = (fault, column) => {
    faults.push(column === undefined ? fault : { ...fault, column });
    return undefined;
  };
  const unknown: RowView["unknown"] = (field, { value, column }) =>
    fail({ code: "unknown_value", field, found: shownValue(value) }, column);
  const all: RowView["all"] = (field) => {
    const indexes = columnsOf.get(field);
    if (indexes === undefined) return NONE;
    const found: Found[] = [];
    for (const index of indexes) {
      const value = String(cells[index] ?? "");
      if (value !== "") found.push({ column: nameOf(index), value });
    }
    return found;
  };
  const one: RowView["one"] = (field) => all(field)[0];

  const among: RowView["among"] = (field, meant) => {
    const found = one(field);
    if (found === undefined) return undefined;
    const word = table.instead(field, found.value) ?? found.value;
    if (saysNothing(word)) return undefined;
    const meaning = meant(word);
    if (meaning !== undefined) return meaning;
    const other = table.otherwise(field);
    if (other === undefined) return unknown(field, found);
    return saysNothing(other) ? undefined : (meant(other) ?? unknown(field, found));
  };

  const texts: RowView["texts"] = (field) =>
    all(field).flatMap(({ column, value }) => {
      const chosen = table.instead(field, value) ?? value;
      if (own) return [{ column, value: chosen }];
      const isHtml = preset?.html === true || looksLikeHtml(chosen);
      const text = isHtml ? plainText(chosen) : trimmedLines(chosen);
      return saysNothing(text) ? [] : [{ column, value: text }];
    });
  const bounded: RowView["bounded"] = (field, text, column = one(field)?.column) => {
    if (text === undefined) return undefined;
    const bound: TextBound = leaves[field];
    const value =
      bound.kind === "lines"
        ? normalLines(text)
        : normalText(own ? text : text.replaceAll(/\s+/gu, " "));
    if (value === "") return undefined;
    const fault = faultOfText(value, bound);
    if (fault === undefined) return value;
    return fail({ code: "invalid_value", field, found: shownValue(value), fault }, column);
  };
  const line: RowView["line"] = (field) => {
    const [found] = texts(field);
    return bounded(field, found?.value, found?.column);
  };

  const date: RowView["date"] = (field) => {
    const index = columnsOf.get(field)?.find((at) => (cells[at] ?? "") !== "") ?? -1;
    const found = one(field);
    if (found === undefined) return undefined;
    const written = table.instead(field, found.value) ?? found.value;
    if (saysNothing(written)) return undefined;
    const read = dateIn(written, mapping.columns[index]?.dates);
    if (read === undefined) return unknown(field, found);
    if (read.date <= today) return read;
    const fault = "must not be in the future";
    return fail(
      { code: "invalid_value", field, found: shownValue(found.value), fault },
      found.column,
    );
  };
  const instant: RowView["instant"] = (field) => {
    const at = readTime(one(field)?.value ?? "");
    if (at !== undefined) return at;
    const day = date(field);
    // Noon, so that the day is the same wherever it is read.
    return day?.precision === "day" ? readTime(`${day.date}T12:00:00Z`) : undefined;
  };

  const columnOf: RowView["columnOf"] = (field) => nameOf(columnsOf.get(field)?.[0] ?? -1);
  return {
    ...{ context, cells, faults, fail, unknown, columnOf, all, one },
    ...{ among, texts, bounded, line, date, instant },
  };
}
