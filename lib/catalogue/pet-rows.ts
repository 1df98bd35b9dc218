import type { FieldKind } from "../base/fields.ts";
import type { ImportRow } from "./import.ts";
import { csvRow, parseCsvRow, separatorOf, type CsvFault, type CsvSeparator } from "../base/csv.ts";
import { parseJsonText } from "../base/json.ts";
import { statusNamed } from "./status-words.ts";
import { petFieldKinds, petFields, type NewPet, type Pet } from "./model.ts";
import { misspelt } from "../base/nearest.ts";
import { wordForm } from "../model/text.ts";
import type { RawRecord, RecordFault } from "../base/records.ts";
import { done, refused, type Result } from "../base/result.ts";

/** The formats of a file of animals. */
export const petFormats = ["csv", "ndjson"] as const;
/** The format of a file of animals. */
export type PetFormat = (typeof petFormats)[number];

/** A column of a file of animals. */
export type PetColumn = "id" | "category" | keyof NewPet;

/** The columns of a file of animals. Imported animals get new ids; `id` is a column so that exports can be imported. */
export const petColumns: readonly PetColumn[] = [
  "id",
  ...petFields.flatMap((field): readonly PetColumn[] =>
    field === "categoryId" ? ["category", field] : [field],
  ),
];

/** The columns of an export. Categories appear by name, because their ids differ between catalogues. */
export const exportColumns: readonly PetColumn[] = petColumns.filter(
  (column) => column !== "categoryId",
);

/** The columns that people see of an animal to import: those of an export without the id. */
export type ShownColumn = Exclude<PetColumn, "id" | "categoryId">;
export const shownColumns: readonly ShownColumn[] = petColumns.filter(
  (column) => column !== "id" && column !== "categoryId",
);

/** Returns the kind of the field that a column gives. */
export function kindOf(column: ShownColumn): FieldKind {
  return petFieldKinds[column === "category" ? "categoryId" : column];
}

/** Returns an animal with the columns of an export, in their order, without the fields that it lacks. */
export function exportedPet(pet: Pet, category: string): Readonly<Record<string, string | number>> {
  const values: Readonly<Partial<Record<PetColumn, string | number>>> = { ...pet, category };
  const columns = exportColumns.map((column) => [column, values[column]] as const);
  return Object.fromEntries(
    columns.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Returns an animal as a row of an export in CSV, empty in the columns of fields that it lacks. */
export function exportedRow(pet: Pet, category: string): string {
  const values = exportedPet(pet, category);
  return csvRow(exportColumns.map((column) => values[column] ?? ""));
}

/** A fault of a line of any kind. */
export type LineFault = RecordFault | CsvFault | "not_utf8";

/** A fault that a row has whatever the catalogue contains. */
export type RowFault =
  | { readonly code: LineFault | "not_an_object" | "two_categories" }
  | { readonly code: "field_count"; readonly found: number; readonly expected: number }
  /** A member that misspells the name of a field without which the row would mean something else. */
  | { readonly code: "unknown_member"; readonly name: string; readonly meant: PetColumn }
  /** A sentence about "The line". */
  | { readonly code: "not_json"; readonly message: string };

/** A fault of the CSV header, without which no row can be read, or a file without rows. */
export type HeaderFault =
  | { readonly code: LineFault | "no_category_column" | "empty" | "no_rows" }
  /** `columns`: those that the file has, at most 20. */
  | { readonly code: "no_name_column"; readonly columns: readonly string[] }
  /** A column that misspells one without which the rows would mean something else. */
  | { readonly code: "unknown_column"; readonly name: string; readonly meant: PetColumn }
  | { readonly code: "column_twice"; readonly name: PetColumn };

/** An unknown column or member of a file, and the known name that it misspells. */
export interface IgnoredColumn {
  readonly name: string;
  readonly meant?: PetColumn;
}

/** The most unknown columns reported: the file decides how many it has. */
const MAX_IGNORED = 20;
const MAX_COLUMN_NAME = 80;

/** An unchecked animal to add, or the fault of its row or header. */
export type PetRow =
  | { readonly line: number; readonly row: Result<ImportRow, RowFault> }
  | { readonly line: number; readonly header: HeaderFault };

/**
 * Creates a reader that parses the rows of a file and skips blank lines. After a faulty header it must not be called
 * again. `onIgnored` is called once per unknown column or member, for at most 20 of them.
 */
export function petReader(
  format: PetFormat,
  onIgnored: (column: IgnoredColumn) => void,
): (record: RawRecord) => PetRow | undefined {
  const ignored = new Set<string>();
  const ignore: Ignore = (whole, present) => {
    const name = whole.slice(0, MAX_COLUMN_NAME);
    if (ignored.has(name) || ignored.size >= MAX_IGNORED) return;
    ignored.add(name);
    onIgnored(columnLike(name, present));
  };
  const parse = format === "csv" ? csvReader(ignore) : objectReader(ignore);
  // Keeps a byte order mark, which is only allowed in the first row and removed below.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let headless = format === "csv";
  const faulty = (line: number, code: LineFault): PetRow =>
    headless ? { line, header: { code } } : { line, row: refused({ code }) };
  return (record) => {
    const { line } = record;
    if ("fault" in record) return faulty(line, record.fault);
    let text: string;
    try {
      text = decoder.decode(record.bytes);
    } catch {
      return faulty(line, "not_utf8");
    }
    if (line === 1) text = text.replace(/^\uFEFF/, "");
    if (text.trim() === "") return undefined;
    const row = parse(text);
    headless = false;
    if (row === undefined) return undefined;
    return "header" in row ? { line, ...row } : { line, row };
  };
}

/** Records an unknown name, which cannot be a misspelling of a `present` column. */
type Ignore = (name: string, present: readonly string[]) => void;

type Read = Result<ImportRow, RowFault> | { readonly header: HeaderFault } | undefined;

interface Header {
  /** Undefined for an unknown column. */
  readonly columns: readonly (PetColumn | undefined)[];
  readonly separator: CsvSeparator;
}

/** Reads CSV rows; returns undefined for the header. */
function csvReader(ignore: Ignore): (text: string) => Read {
  let known: Header | undefined;
  return (text) => {
    if (known === undefined) {
      const header = headerOf(text, ignore);
      if (!header.ok) return { header: header.failure };
      known = header.value;
      return undefined;
    }
    const { columns, separator } = known;
    const fields = parseCsvRow(text, separator);
    if (!fields.ok) return refused({ code: fields.failure });
    const [found, expected] = [fields.value.length, columns.length];
    if (found !== expected) return refused({ code: "field_count", found, expected });
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const value = fields.value[index];
      if (column === undefined || column === "id") continue;
      if (value === undefined || value === "") continue;
      if (column === "status" && wordForm(value) === "") continue;
      row[column] = cellOf(column, value);
    }
    return done(row);
  };
}

/** Converts ids to numbers; leaves other values unchanged. */
function cellOf(column: PetColumn, value: string): string | number {
  if (column === "categoryId" && /^\d{1,16}$/.test(value)) return Number(value);
  return column === "status" ? statusIn(value) : value;
}

/** Converts the word for a status; leaves unknown words unchanged. */
function statusIn(value: string): string {
  return statusNamed(value) ?? value.trim();
}

/** Reads the header. Ignores case, white space around names and invisible characters. */
function headerOf(text: string, ignore: Ignore): Result<Header, HeaderFault> {
  const separator = separatorOf(text);
  const fields = parseCsvRow(text, separator);
  if (!fields.ok) return refused({ code: fields.failure });
  const columns: (PetColumn | undefined)[] = [];
  const unknown: string[] = [];
  for (const field of fields.value) {
    const name = field.trim();
    const form = wordForm(name);
    const column = petColumns.find((one) => one.toLowerCase() === form);
    if (column !== undefined && columns.includes(column)) {
      return refused({ code: "column_twice", name: column });
    }
    if (column === undefined) unknown.push(name);
    columns.push(column);
  }
  if (!columns.includes("name")) {
    const names = fields.value.filter((field) => wordForm(field) !== "");
    const shown = names
      .slice(0, MAX_IGNORED)
      .map((field) => field.trim().slice(0, MAX_COLUMN_NAME));
    return refused(missing(["name"], unknown) ?? { code: "no_name_column", columns: shown });
  }
  const [byName, byId] = [columns.includes("category"), columns.includes("categoryId")];
  if (byName && byId) return refused(noCategory);
  if (!byName && !byId) return refused(missing(["category", "categoryId"], unknown) ?? noCategory);
  // Without its column, every animal would become available.
  const noStatus = columns.includes("status") ? undefined : missing(["status"], unknown);
  if (noStatus !== undefined) return refused(noStatus);
  const present = columns.filter((column) => column !== undefined);
  for (const name of unknown) ignore(name, present);
  return done({ columns, separator });
}

const noCategory: HeaderFault = { code: "no_category_column" };

/** Returns the fault of a required column with a mistyped name, which must not be ignored. */
function missing(
  required: readonly PetColumn[],
  unknown: readonly string[],
): HeaderFault | undefined {
  for (const name of unknown) {
    const meant = misspelt(wordForm(name), required);
    if (meant !== undefined) {
      return { code: "unknown_column", name: name.slice(0, MAX_COLUMN_NAME), meant };
    }
  }
  return undefined;
}

function columnLike(name: string, present: readonly string[]): IgnoredColumn {
  // A misspelt id column makes no difference.
  const absent = petColumns.filter((column) => column !== "id" && !present.includes(column));
  const meant = misspelt(wordForm(name), absent);
  return { name, ...(meant === undefined ? {} : { meant }) };
}

/** The deepest nesting, equal to that of API bodies. */
const MAX_DEPTH = 32;

/** Parses as strictly as the API: refuses text that two parsers could read differently. */
function objectReader(ignore: Ignore): (text: string) => Result<ImportRow, RowFault> {
  return (text) => parseObject(text, ignore);
}

function parseObject(text: string, ignore: Ignore): Result<ImportRow, RowFault> {
  const parsed = parseJsonText(text, MAX_DEPTH, "The line");
  if (!parsed.ok) return refused({ code: "not_json", message: parsed.failure.message });
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refused({ code: "not_an_object" });
  }
  if ("category" in value && "categoryId" in value) return refused({ code: "two_categories" });
  const row: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const known = petColumns.some((column) => column === name);
    if (!known) {
      const meant = "status" in value ? undefined : misspelt(name, ["status"] as const);
      if (meant !== undefined) {
        return refused({ code: "unknown_member", name: name.slice(0, MAX_COLUMN_NAME), meant });
      }
      ignore(name, Object.keys(value));
    } else if (name !== "id") {
      row[name] = name === "status" && typeof member === "string" ? statusIn(member) : member;
    }
  }
  return done(row);
}
