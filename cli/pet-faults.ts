import type { HeaderFault, ImportFault, LineFault, RowFault } from "../lib/management/index.ts";
import { petColumns } from "../lib/management/index.ts";
import { quoted } from "../settings/values.ts";

/** What is wrong with a row of a file, as a command says it behind the number of the line. */
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
  stray_quote:
    'a quote stands in the midst of a field; write the field in quotes, and "" for each in it',
  not_utf8: "the line is not valid UTF-8",
};

/** Why no row of a CSV file can be read, as a sentence. */
export function headerFaultText(fault: HeaderFault): string {
  switch (fault.code) {
    case "unknown_column": {
      const { name, meant } = fault;
      const hint =
        meant === undefined ? `Columns are ${petColumns.join(", ")}.` : `Did you mean ${meant}?`;
      return `Line 1: there is no column ${quoted(name)}. ${hint}`;
    }
    case "column_twice":
      return `Line 1: the column ${fault.name} stands there twice.`;
    case "no_name_column":
      return "Line 1: the column name is missing.";
    case "no_category_column":
      return "Line 1: one of the columns category and categoryId is needed.";
    case "open_quote":
    case "too_long":
    case "unclosed_quote":
    case "stray_quote":
    case "not_utf8":
      return `Line 1: ${LINE[fault.code]}.`;
  }
}
