import { parseJson } from "../lib/base/json.ts";
import { nearest } from "../lib/base/nearest.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import type { ImportRow } from "../lib/index.ts";
import { parseCsvRow } from "./csv.ts";
import { Failure } from "./exit.ts";
import type { RawRecord } from "./records.ts";
import { quoted } from "./values.ts";

export const petFormats = ["csv", "ndjson"] as const;
export type PetFormat = (typeof petFormats)[number];

/** An animal to be added, not checked yet, or why the row is none. */
export interface PetRow {
  /** Of the file, from 1. */
  readonly line: number;
  readonly row: Result<ImportRow, string>;
}

/** What a file may say of an animal. Ids are given anew: `id` is there so that an export can be read back. */
const columns = ["id", "name", "category", "categoryId", "status"] as const;

/** Animals of the rows of a file; blank lines are none. Throws when a CSV file does not begin with its columns. */
export function petReader(format: PetFormat): (record: RawRecord) => PetRow | undefined {
  const parse = format === "csv" ? csvReader() : parseObject;
  // The reader keeps a byte order mark: only the first row may have one.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (record) => {
    const { line } = record;
    if ("fault" in record) return { line, row: refused(record.fault) };
    let text: string;
    try {
      text = decoder.decode(record.bytes);
    } catch {
      return { line, row: refused("the line is not valid UTF-8") };
    }
    if (line === 1) text = text.replace(/^\uFEFF/, "");
    if (text.trim() === "") return undefined;
    const row = parse(text);
    return row === undefined ? undefined : { line, row };
  };
}

/** Undefined for the row of the columns' names. */
function csvReader(): (text: string) => Result<ImportRow, string> | undefined {
  let header: readonly string[] | undefined;
  return (text) => {
    const fields = parseCsvRow(text);
    if (header === undefined) {
      header = headerOf(fields);
      return undefined;
    }
    if (!fields.ok) return fields;
    if (fields.value.length !== header.length) {
      return refused(`the row has ${fields.value.length} fields instead of ${header.length}`);
    }
    const row: Record<string, unknown> = {};
    for (const [index, column] of header.entries()) {
      const value = fields.value[index];
      if (value === undefined || value === "" || column === "id") continue;
      row[column] = column === "categoryId" && /^\d{1,16}$/.test(value) ? Number(value) : value;
    }
    return done(row);
  };
}

function headerOf(fields: Result<readonly string[], string>): readonly string[] {
  if (!fields.ok) throw new Failure("failed", `Line 1: ${fields.failure}.`);
  const names = fields.value.map((name) => name.trim());
  const known: readonly string[] = columns;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, columns);
    const hint =
      meant === undefined ? `Columns are ${columns.join(", ")}.` : `Did you mean ${meant}?`;
    throw new Failure("failed", `Line 1: there is no column ${quoted(unknown)}. ${hint}`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new Failure("failed", `Line 1: the column ${twice} stands there twice.`);
  if (!names.includes("name")) throw new Failure("failed", "Line 1: the column name is missing.");
  if (names.includes("category") === names.includes("categoryId")) {
    throw new Failure("failed", "Line 1: one of the columns category and categoryId is needed.");
  }
  return names;
}

/** As deep as a body of the API may be nested. */
const MAX_DEPTH = 32;
const encoder = new TextEncoder();

/** As strict as the API with its bodies: what two parsers would read differently is refused. */
function parseObject(text: string): Result<ImportRow, string> {
  const parsed = parseJson(encoder.encode(text), MAX_DEPTH);
  if (!parsed.ok) return refused(parsed.failure.message.replace(/^The body/, "the line"));
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refused("the line must hold one JSON object");
  }
  if ("category" in value && "categoryId" in value) {
    return refused("give category or categoryId, not both");
  }
  if (!("id" in value)) return done(value);
  const { id: _id, ...row } = value;
  return done(row);
}
