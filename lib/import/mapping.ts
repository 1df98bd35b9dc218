import { nearest } from "../base/nearest.ts";
import type { ImportChoices } from "./choices.ts";
import {
  bornAt,
  dateIn,
  joinedEvidence,
  noEvidence,
  provenOrder,
  type DateOrder,
} from "./dates.ts";
import { columnForm, fieldNamed, isUnused, ruleOf, type ImportField } from "./fields.ts";
import { presetField, presetFor, presetMark, presetNamed, type Preset } from "./presets.ts";
import type { ColumnSurvey, Survey } from "./survey.ts";
import { answerMeant, isStageOfLife, sexMeant, sizeMeant } from "./words.ts";

/** Why a column gives its field or none. */
export type MappingReason =
  /** The person said so. */
  | "chosen"
  | "preset"
  /** The column's name means the field. */
  | "name"
  /** Understood, and not imported. */
  | "unused"
  /** Another column gives the field. */
  | "other_column"
  /** The column's name means a field, but most of its values do not. */
  | "values"
  /** The column has no values. */
  | "empty"
  | "unknown";

/** A column of a file, and what it is used for. */
export interface MappedColumn {
  readonly name: string;
  /** Usually one; none for a column that is not imported. */
  readonly fields: readonly ImportField[];
  readonly reason: MappingReason;
  /** The status that a filled cell gives its row, in a preset. */
  readonly mark?: string;
}

/** A column with what the rows say about it. */
export interface SurveyedColumn extends MappedColumn {
  /** Its number in the file, from 1. */
  readonly number: number;
  readonly filled: number;
  /** The first different values, at most 3. */
  readonly samples: readonly string[];
  /** The order of its dates, if it is known. */
  readonly dates?: DateOrder;
}

/** A question about the columns. Nothing is imported before it is answered. */
export type ColumnQuestion =
  /** No column gives the field. `columns` are those that could, at most 40. */
  | {
      readonly code: "no_column";
      readonly field: "name" | "category";
      readonly columns: readonly string[];
      readonly meant?: string;
    }
  /** Several columns could give the field. */
  | {
      readonly code: "several_columns";
      readonly field: ImportField;
      readonly columns: readonly { readonly name: string; readonly number: number }[];
    }
  /** A choice names a column that the file lacks, or has twice. */
  | {
      readonly code: "no_such_column";
      readonly field: ImportField;
      readonly column: string;
      readonly columns: readonly string[];
      readonly meant?: string;
    }
  /** No column gives the status, and `columns`, which are not understood, might. */
  | { readonly code: "no_status"; readonly columns: readonly string[]; readonly meant?: string };

/** A date that has two meanings, of which nothing in its column decides. Only its year is imported, or nothing. */
export interface DateWarning {
  readonly field: ImportField;
  readonly column: string;
  readonly sample: string;
}

/** The columns of a file, before its rows are read. */
export interface Draft {
  readonly preset?: Preset;
  /** The file has all columns of an export of Petstore: its texts are taken as they are. */
  readonly own: boolean;
  readonly columns: readonly MappedColumn[];
  readonly questions: readonly ColumnQuestion[];
}

/** The columns of a file, after its rows were surveyed. */
export interface Mapping extends Omit<Draft, "columns"> {
  readonly columns: readonly SurveyedColumn[];
  readonly rows: number;
  /** Empty and missing statuses mean available: every column is understood, or a question asks about all of them. */
  readonly assumesAvailable: boolean;
  readonly warnings: readonly DateWarning[];
}

const MAX_SHOWN = 40;
/** The columns by which an export of Petstore is recognised. */
const OWN = ["id", "name", "category", "status", "goodWithChildren", "externalId", "source"];

/** Decides what the columns of a file are used for, from their names and the choices of the person. */
export function draftMapping(names: readonly string[], choices: ImportChoices): Draft {
  const preset = choices.preset === undefined ? presetFor(names) : presetNamed(choices.preset);
  const questions: ColumnQuestion[] = [];
  const chosen = chosenColumns(names, choices, questions);
  const columns = names.map((name, index) => {
    const fields = chosen.byIndex.get(index);
    const column = suggested(name, preset, chosen.fields);
    if (fields === undefined) return column;
    // A number may be the name as well: animals without a name have nothing else.
    const key = column.fields.includes("externalId") ? (["externalId"] as const) : [];
    return { name, fields: [...fields, ...key], reason: "chosen" } as const;
  });
  const settled = withoutDoubles(columns, names, questions);
  for (const field of ["name", "category"] as const) {
    const gives = settled.some(
      ({ fields }) =>
        fields.includes(field) || (field === "category" && fields.includes("categoryId")),
    );
    const asked = questions.some((one) => "field" in one && one.field === field);
    if (!gives && !asked) questions.push(missing(field, settled));
  }
  return {
    ...(preset === undefined ? {} : { preset }),
    own: OWN.every((name) => names.includes(name)),
    columns: settled,
    questions,
  };
}

interface Chosen {
  readonly byIndex: ReadonlyMap<number, readonly ImportField[]>;
  /** The fields that the person chose a column for, or none. */
  readonly fields: ReadonlySet<ImportField>;
}

function chosenColumns(
  names: readonly string[],
  { map = [] }: ImportChoices,
  questions: ColumnQuestion[],
): Chosen {
  const byIndex = new Map<number, readonly ImportField[]>();
  for (const { field, column } of map) {
    if (column === "") continue;
    const found = columnsCalled(column, names);
    const [index] = found;
    if (index === undefined) {
      const meant = nearest(column, names);
      const shown = shownNames(names);
      questions.push({
        code: "no_such_column",
        field,
        column,
        columns: shown,
        ...(meant === undefined ? {} : { meant }),
      });
    } else if (found.length > 1 && ruleOf(field).joins !== true) {
      questions.push(several(field, found, names));
    } else {
      for (const one of found) {
        byIndex.set(one, [...new Set([...(byIndex.get(one) ?? []), field])]);
      }
    }
  }
  return { byIndex, fields: new Set(map.map(({ field }) => field)) };
}

/** Finds columns by name, ignoring case and punctuation if none is equal, by `name#2` or by `#5`. */
export function columnsCalled(written: string, names: readonly string[]): readonly number[] {
  const all = [...names.keys()];
  const equal = all.filter((index) => names[index] === written);
  if (equal.length > 0) return equal;
  const form = columnForm(written);
  const like = form === "" ? [] : all.filter((index) => columnForm(names[index] ?? "") === form);
  if (like.length > 0 && !written.includes("#")) return like;
  const numbered = /^(.*)#(\d{1,4})$/su.exec(written);
  if (numbered === null) return like;
  const [, name = "", digits = ""] = numbered;
  const among = name === "" ? all : columnsCalled(name, names);
  const index = among[Number(digits) - 1];
  return index === undefined ? [] : [index];
}

function suggested(
  name: string,
  preset: Preset | undefined,
  taken: ReadonlySet<ImportField>,
): MappedColumn {
  if (preset !== undefined) {
    const mark = presetMark(preset, name);
    if (mark !== undefined) return { name, fields: [], reason: "preset", mark };
    const field = presetField(preset, name);
    if (field === undefined) return { name, fields: [], reason: "unused" };
    return taken.has(field) ? other(name) : { name, fields: [field], reason: "preset" };
  }
  const named = fieldNamed(name);
  if (named === undefined) {
    return { name, fields: [], reason: isUnused(name) ? "unused" : "unknown" };
  }
  const { field } = named;
  return taken.has(field) ? other(name) : { name, fields: [field], reason: "name" };
}

function other(name: string): MappedColumn {
  return { name, fields: [], reason: "other_column" };
}

/** Of several columns for a field, keeps the one with the best name; asks if two names are equally good. */
function withoutDoubles(
  columns: readonly MappedColumn[],
  names: readonly string[],
  questions: ColumnQuestion[],
): readonly MappedColumn[] {
  const result = [...columns];
  const byField = new Map<ImportField, number[]>();
  for (const [index, { fields, reason }] of columns.entries()) {
    const [field] = fields;
    if (field === undefined || reason === "chosen" || ruleOf(field).joins === true) continue;
    byField.set(field, [...(byField.get(field) ?? []), index]);
  }
  for (const [field, indexes] of byField) {
    if (indexes.length < 2) continue;
    const rank = (index: number): number => fieldNamed(names[index] ?? "")?.rank ?? 0;
    const least = Math.min(...indexes.map(rank));
    const best = indexes.filter((index) => rank(index) === least);
    if (best.length > 1) questions.push(several(field, best, names));
    for (const index of indexes) {
      if (best.length === 1 && index === best[0]) continue;
      result[index] = other(names[index] ?? "");
    }
  }
  return result;
}

function several(
  field: ImportField,
  indexes: readonly number[],
  names: readonly string[],
): ColumnQuestion {
  const columns = indexes.map((index) => ({ name: names[index] ?? "", number: index + 1 }));
  return { code: "several_columns", field, columns };
}

function missing(field: "name" | "category", columns: readonly MappedColumn[]): ColumnQuestion {
  const free = columns.filter(({ fields }) => fields.length === 0).map(({ name }) => name);
  const meant = nearest(field, free);
  return {
    code: "no_column",
    field,
    columns: shownNames(free),
    ...(meant === undefined ? {} : { meant }),
  };
}

function shownNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => name !== "").slice(0, MAX_SHOWN);
}

/** Decides finally, with what the rows say: which suggestions their values contradict, and what an empty status means. */
export function finishMapping(draft: Draft, survey: Survey, choices: ImportChoices): Mapping {
  const warnings: DateWarning[] = [];
  // A column whose dates have two meanings is written like the others of its file.
  const inFile = provenOrder(joinedEvidence(survey.columns.map(({ order }) => order)));
  const columns = draft.columns.map((column, index): SurveyedColumn => {
    const found = survey.columns[index] ?? nothingFound;
    const shown = { number: index + 1, filled: found.filled, samples: found.samples };
    const { name, fields, reason } = column;
    const [field] = fields;
    if (field === undefined) {
      return found.filled === 0 && reason !== "preset"
        ? { name, fields, reason: "empty", ...shown }
        : { ...column, ...shown };
    }
    if (reason === "name" && !suits(field, found)) {
      return { name, fields: [], reason: "values", ...shown };
    }
    const dated = fields.find((one) => ruleOf(one).kind === "date");
    if (dated === undefined) return { ...column, ...shown };
    const { order } = found;
    const dates = choices.dates ?? provenOrder(order) ?? draft.preset?.dates ?? inFile;
    if (dates !== undefined) return { ...column, ...shown, dates };
    if (order.either !== undefined)
      warnings.push({ field: dated, column: name, sample: order.either });
    return { ...column, ...shown };
  });
  const unknown = columns.filter(({ reason }) => reason === "unknown" || reason === "values");
  const statusAnswered = (choices.values ?? []).some(
    ({ field, found }) => field === "status" && (found === "" || found === "*"),
  );
  const hasStatus = columns.some(({ fields }) => fields.includes("status"));
  const questions = [...draft.questions];
  const asks = draft.preset === undefined && unknown.length > 0 && !hasStatus && !statusAnswered;
  const assumesAvailable = draft.preset === undefined && (unknown.length === 0 || asks);
  if (asks) {
    const names = shownNames(unknown.map(({ name }) => name));
    const meant = nearest("status", names);
    questions.push({
      code: "no_status",
      columns: names,
      ...(meant === undefined ? {} : { meant }),
    });
  }
  return { ...draft, columns, questions, rows: survey.rows, assumesAvailable, warnings };
}

const nothingFound: ColumnSurvey = {
  filled: 0,
  samples: [],
  values: [],
  order: noEvidence,
};

/** Returns true unless most of a column's values mean nothing for a field that only its name suggests. */
function suits(field: ImportField, { values }: ColumnSurvey): boolean {
  const { kind } = ruleOf(field);
  const means = tests[kind];
  if (means === undefined || values.length === 0) return true;
  return values.filter(means).length * 2 >= values.length;
}

const tests: Readonly<Record<string, ((value: string) => boolean) | undefined>> = {
  sex: (value) => sexMeant(value) !== undefined,
  size: (value) => sizeMeant(value) !== undefined,
  yesNo: (value) => answerMeant(value) !== undefined,
  date: (value) => dateIn(value, undefined) !== undefined,
  age: (value) => isStageOfLife(value) || bornAt(value, "2026-01-01") !== undefined,
};
