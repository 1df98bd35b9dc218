import type {
  HeaderFault,
  IgnoredColumn,
  LineFault,
  RowFault,
  ShownColumn,
} from "../../../../lib/catalogue/pet-rows.ts";
import { statusWords } from "../../../../lib/catalogue/status-words.ts";
import { bytes, number, plural } from "../format.ts";

const { available, pending, sold } = statusWords.en;
const statuses = `${available}, ${pending} or ${sold}`;

const animals = (count: number): string =>
  plural(count, { one: "1 animal", other: `${number(count)} animals` });
const rows = (count: number): string =>
  plural(count, { one: "1 row", other: `${number(count)} rows` });

const lines: Readonly<Record<LineFault, string>> = {
  open_quote: "A quote is never closed, or the row is longer than 64 KiB.",
  too_long: "The line is longer than 64 KiB.",
  unclosed_quote: "A quote is never closed.",
  stray_quote:
    'A field has a quote in the middle. Put the whole field in quotes, and write "" for each quote in it.',
  not_utf8:
    "The text is not UTF-8. Save the table again: in Excel as “CSV UTF-8”, elsewhere with the UTF-8 character set.",
};

export const importing = {
  title: "Import animals",
  about:
    "Add many animals from a spreadsheet. We check the file first; nothing is added until you confirm.",

  drop: "Drop a CSV or NDJSON file here",
  dropNow: "Drop to check the file",
  dropHint: "Up to 64 MB, about a million animals.",
  choose: "Choose file",
  another: "Choose another file",
  columnsTitle: "File format",
  columnsText:
    "The first row names the columns, in any order, separated by commas, semicolons or tabs. Unknown columns are ignored. Exports can be imported again.",
  /** Explains columns. Those that are not here are explained by their label. */
  columns: {
    name: "The animal's name, up to 120 characters.",
    category: "The category's name. You can use categoryId with its number instead.",
    status: `${statuses}. If empty: ${available}.`,
    id: "Not used: Petstore gives every animal a new number.",
  } as Readonly<{ id: string } & Partial<Record<ShownColumn, string>>>,
  template: "Download template",
  templateNames: ["Rex", "Luna", "Tom, the second"],

  checking: (name: string) => `Checking ${name}`,
  adding: "Adding animals",
  soFar: (count: number) => `${rows(count)} so far`,
  cancel: "Stop import",

  ready: (count: number) => `${animals(count)} can be added`,
  none: "No animals can be added",
  faulty: (count: number) =>
    plural(count, {
      one: "1 row has an error and will be skipped",
      other: `${number(count)} rows have errors and will be skipped`,
    }),
  allRight: "Every row is valid.",
  fileLine: (name: string, size: number) => `${name}, ${bytes(size)}`,
  into: (environment: string) => `Environment: ${environment}`,
  byCategory: "By category",
  byStatus: "By status",
  soldNote: (count: number) =>
    plural(count, {
      one: "One animal is already adopted. Importing it records the adoption.",
      other: `${number(count)} animals are already adopted. Importing them records an adoption for each.`,
    }),
  preview: "Preview",
  ignored: (columns: readonly IgnoredColumn[]) =>
    `Unknown columns are ignored: ${columns
      .map(({ name, meant }) =>
        meant === undefined ? `“${name}”` : `“${name}” (did you mean “${meant}”?)`,
      )
      .join(", ")}.`,
  createTitle: (count: number) =>
    plural(count, {
      one: "One category does not exist yet",
      other: `${number(count)} categories do not exist yet`,
    }),
  createText: (names: string, count: number) => `Create ${names}, for ${animals(count)}`,
  start: (count: number) => `Add ${animals(count)}`,

  faultsTitle: "Rows with errors",
  line: "Line",
  fault: "Error",
  moreFaults: (count: number) => `and ${rows(count)} more`,
  downloadFaults: "Download errors",

  done: (count: number) => (count === 0 ? "No animals were added" : `${animals(count)} added`),
  doneText: "Your sites show them now.",
  leftOut: (count: number) =>
    plural(count, { one: "1 row was skipped.", other: `${number(count)} rows were skipped.` }),
  stopped: (count: number) => `Stopped: ${animals(count)} added so far`,
  stoppedText: (line: number) => `The lines before ${number(line)} were imported.`,
  unsure: (from: number, to: number) =>
    `Lines ${number(from)} to ${number(to)} may already have been added. Check your animals before you continue.`,
  goOn: (line: number) => `Continue from line ${number(line)}`,
  toAnimals: "Show animals",
  viewerText:
    "Your role can view animals but not add them. Staff and owners of this account can import.",

  spreadsheet: "This is a workbook. Open it, save the table as “CSV UTF-8”, and choose that file.",
  tooLarge: (size: number) =>
    `The file is ${bytes(size)}; the limit is 64 MB. Split it into several files.`,
  unreadable: "The file can no longer be read. It may have been moved or changed. Choose it again.",
  header: (fault: HeaderFault): string => {
    switch (fault.code) {
      case "unknown_column":
        return `Unknown column “${fault.name}”. Did you mean “${fault.meant}”?`;
      case "column_twice":
        return `The column “${fault.name}” appears twice.`;
      case "no_name_column":
        return `We found no column with the animals' names.${
          fault.columns.length === 0
            ? ""
            : ` Your file has: ${fault.columns.map((column) => `“${column}”`).join(", ")}.`
        } Name that column “name”.`;
      case "no_category_column":
        return "The file needs either a “category” or a “categoryId” column, not both.";
      case "empty":
        return "The file is empty.";
      case "no_rows":
        return "The file has no rows with animals.";
      case "open_quote":
      case "too_long":
      case "unclosed_quote":
      case "stray_quote":
      case "not_utf8":
        return lines[fault.code];
    }
  },
  row: (fault: RowFault): string => {
    switch (fault.code) {
      case "field_count":
        return `The row has ${number(fault.found)} fields instead of ${number(fault.expected)}.`;
      case "not_json":
        return "The line is not valid JSON.";
      case "not_an_object":
        return "The line must be one JSON object.";
      case "unknown_member":
        return `Unknown field “${fault.name}”. Did you mean “${fault.meant}”?`;
      case "two_categories":
        return "Give category or categoryId, not both.";
      case "open_quote":
      case "too_long":
      case "unclosed_quote":
      case "stray_quote":
      case "not_utf8":
        return lines[fault.code];
    }
  },
  unknownCategory: (name: string, meant: string | undefined) =>
    meant === undefined
      ? `The category “${name}” does not exist.`
      : `The category “${name}” does not exist. Did you mean “${meant}”?`,
  missing: (field: string) => `“${field}” is missing.`,
  unknownField: (field: string) => `Unknown field “${field}”.`,
  badName: "The name must be 1 to 120 characters on one line.",
  badStatus: (value: string) => `“${value}” is not a status. Use ${statuses}.`,
  badCategory: "Enter a name as category, or a number as categoryId.",
};

export type ImportingWords = typeof importing;
