import type { HeaderFault, ImportFault, LineFault, RowFault } from "../lib/management/index.ts";
import { quoted } from "../settings/values.ts";

/** Describes the fault of a row, to follow the number of its line. */
export function rowFaultText(fault: ImportFault): string {
  return "problem" in fault ? fault.problem.message : ownFaultText(fault.fault);
}

function ownFaultText(fault: RowFault): string {
  switch (fault.code) {
    case "field_count":
      return `the row has ${fault.found} fields instead of ${fault.expected}`;
    case "not_json":
      return fault.message.replace(/^The line/, "the line");
    case "not_an_object":
      return "the line must hold one JSON object";
    case "unknown_member":
      return `unknown field ${quoted(fault.name)}; did you mean ${fault.meant}?`;
    case "two_categories":
      return "give category or categoryId, not both";
    case "open_quote":
    case "too_long":
    case "unclosed_quote":
    case "stray_quote":
    case "not_utf8":
      return LINE[fault.code];
  }
}

const LINE: Readonly<Record<LineFault, string>> = {
  open_quote: "a quote is never closed, or the row is longer than 64 KiB",
  too_long: "the line is longer than 64 KiB",
  unclosed_quote: "a quote is never closed",
  stray_quote: "a quote is inside an unquoted field; quote the field, and double the quotes in it",
  not_utf8: "the line is not valid UTF-8",
};

/** Explains in a sentence why no row of a CSV file can be read. */
export function headerFaultText(fault: HeaderFault): string {
  switch (fault.code) {
    case "unknown_column":
      return `Line 1: unknown column ${quoted(fault.name)}. Did you mean ${fault.meant}?`;
    case "column_twice":
      return `Line 1: the column ${fault.name} appears twice.`;
    case "no_name_column":
      return `We found no column with the animals' names.${namesOf(fault.columns)} Name that column "name".`;
    case "no_category_column":
      return "Line 1: the column category or categoryId is missing.";
    case "empty":
      return "The file is empty.";
    case "no_rows":
      return "The file has no rows with animals.";
    case "open_quote":
    case "too_long":
    case "unclosed_quote":
    case "stray_quote":
    case "not_utf8":
      return `Line 1: ${LINE[fault.code]}.`;
  }
}

function namesOf(columns: readonly string[]): string {
  return columns.length === 0 ? "" : ` The file has: ${columns.map(quoted).join(", ")}.`;
}

/** Rows of a file with the same fault. */
export interface FaultGroup {
  /** Error code of the API or of the parser: `unknown_category`, `field_count` … */
  readonly code: string;
  /** Message of the first row. */
  readonly message: string;
  readonly count: number;
  /** Numbers of the first lines. */
  readonly lines: readonly number[];
}

export interface FaultGroups {
  readonly add: (fault: ImportFault, message: string) => void;
  /** Returns the groups in the order of their first lines. */
  readonly all: () => readonly FaultGroup[];
}

/** The most groups with a message of their own; further rows are grouped by code. */
const MAX_MESSAGES = 20;
const MAX_LINES = 5;

/** Counts the faults of a file in constant memory. */
export function createFaultGroups(): FaultGroups {
  const groups = new Map<string, { group: FaultGroup; readonly lines: number[] }>();
  return {
    add: (fault, message) => {
      const { code } = "problem" in fault ? fault.problem : fault.fault;
      const own = `${code} ${message}`;
      const isOwn = groups.has(own) || groups.size < MAX_MESSAGES;
      const key = isOwn ? own : code;
      const known = groups.get(key);
      if (known === undefined) {
        const lines = [fault.line];
        const words = isOwn ? message : `More rows with ${code}, such as: ${message}`;
        groups.set(key, { group: { code, message: words, count: 1, lines }, lines });
        return;
      }
      if (known.lines.length < MAX_LINES) known.lines.push(fault.line);
      known.group = { ...known.group, count: known.group.count + 1 };
    },
    all: () => Array.from(groups.values(), ({ group }) => group),
  };
}

/** Formats a group as one line: `line 4: There is no category "Unicorns".` or `3 rows: …. Lines 4, 7, 9` */
export function groupText({ message, count, lines }: FaultGroup): string {
  if (count === 1) return `line ${lines[0]}: ${message}`;
  const sentence = /[.)]$/.test(message) ? message : `${message}.`;
  const more = count > lines.length ? ", …" : "";
  return `${count} rows: ${sentence} Lines ${lines.join(", ")}${more}`;
}
