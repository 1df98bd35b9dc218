import { problem, type Problem } from "../base/problem.ts";
import type { TableFault } from "./table.ts";

const MIB = 1_048_576;

/** Returns the problem of a file that cannot be read: what was found, and what to do. */
export function tableProblem(fault: TableFault): Problem {
  const code = fault.code === "too_large" ? "payload_too_large" : "unreadable_file";
  return problem(code, tableMessage(fault));
}

function tableMessage(fault: TableFault): string {
  switch (fault.code) {
    case "empty":
      return "The file is empty. Export the animals again, with a header and one row per animal.";
    case "too_large": {
      const unpacked = fault.unpacked ? "unpacks to" : "has";
      return `The file ${unpacked} more than ${fault.most / MIB} MiB. Split it, or leave out columns.`;
    }
    case "encoding": {
      const samples = fault.samples.map(({ line, text }) => `line ${line}: ${shown(text)}`);
      return `The file is not UTF-8. It could be Windows-1252, and would then have: ${samples.join("; ")}. If that is right, say so with --encoding windows-1252; otherwise save the file as UTF-8.`;
    }
    case "not_decodable":
      return `Near line ${fault.line} the file has bytes that ${fault.encoding} cannot have. Save it as UTF-8, or name its encoding.`;
    case "not_a_table":
      return `The file is ${fault.found}. Save the table as CSV or as an Excel workbook (.xlsx).`;
    case "damaged":
      return `The file is ${fault.found}, and is damaged or was cut off. Export it again.`;
    case "too_many_files":
      return `The archive has more than ${fault.most} files. Split it.`;
    case "unusable_archive":
      return `${shown(fault.name)} in the archive ${unusable[fault.reason]}. Make the archive again, as an ordinary zip.`;
    case "no_single_table":
      return fault.names.length === 0
        ? "The archive has no table of animals. Add one (CSV, .xlsx or JSON), or send the table first and the archive as its photos."
        : `The archive has several tables: ${fault.names.map(shown).join(", ")}. Leave one, or send the table first and the archive as its photos.`;
    case "unclosed_quote":
      return `The quote that begins on line ${fault.line} is never closed: ${shown(fault.text)}. Close or remove it.`;
    case "too_many_rows":
      return `The file has more than ${fault.most} rows. Split it.`;
    case "too_many_columns":
      return `Line ${fault.line} has more than ${fault.most} columns. Remove those that are not needed.`;
    case "too_many_cells":
      return `The workbook has more than ${fault.most} cells. Remove columns, or save the sheet as CSV.`;
    case "row_too_long":
      return `The row that begins on line ${fault.line} is longer than ${fault.most} characters. Is there a quote or a bracket too many?`;
    case "no_list":
      return `The JSON has no single list of animals. It has: ${fault.members.map(shown).join(", ")}. Send a list of objects, or an object whose member "animals" has it.`;
    case "not_json":
      return `The file is no valid JSON: ${fault.message}`;
  }
}

const unusable = {
  password: "has a password",
  compression: "is compressed in an unusual way",
  ratio: "unpacks to far more than its size",
} as const;

function shown(text: string): string {
  return JSON.stringify(text);
}
