import type {
  HeaderFault,
  IgnoredColumn,
  LineFault,
  RowFault,
} from "../../../../lib/management/pet-rows.ts";
import { bytes, number, plural } from "../format.ts";

const animals = (count: number): string =>
  plural(count, { one: "1 animal", other: `${number(count)} animals` });
const rows = (count: number): string =>
  plural(count, { one: "1 row", other: `${number(count)} rows` });

const lines: Readonly<Record<LineFault, string>> = {
  open_quote: "A quote is opened and never closed, or the row is longer than 64 KiB.",
  too_long: "The line is longer than 64 KiB.",
  unclosed_quote: "A quote is opened and never closed.",
  stray_quote:
    'There is a quote in the middle of a field. Put the whole field in quotes, and write "" for each quote in it.',
  not_utf8:
    "The text is not in UTF-8. Save the table again: in Excel as “CSV UTF-8”, elsewhere with the character set UTF-8.",
};

export const importing = {
  title: "Import animals",
  about:
    "All at once from a spreadsheet. First we look at the file; nothing is added until you say so.",

  drop: "Drop a CSV or NDJSON file here",
  dropNow: "Let go to look at the file",
  dropHint: "Up to 64 MB, about a million animals.",
  choose: "Choose a file",
  another: "Choose another file",
  columnsTitle: "What the file says",
  columnsText:
    "The first row names the columns, in any order. Commas, semicolons and tabs separate columns. Unknown columns are ignored. An export can be imported again.",
  columns: [
    ["name", "The animal's name, up to 120 characters."],
    ["category", "The name of its category, or categoryId with its number."],
    ["status", "available, pending or sold. Empty: available."],
    ["id", "Ignored: new numbers are assigned."],
  ] as readonly (readonly [string, string])[],
  template: "Download a template",
  templateNames: ["Rex", "Luna", "Tom, the second"],

  checking: (name: string) => `Looking at ${name}`,
  adding: "Adding the animals",
  soFar: (count: number) => `${rows(count)} so far`,
  cancel: "Stop",

  ready: (count: number) => `${animals(count)} can be added`,
  none: "No animal can be added",
  faulty: (count: number) =>
    plural(count, {
      one: "1 row has a mistake and will be left out",
      other: `${number(count)} rows have a mistake and will be left out`,
    }),
  allRight: "Every row is right.",
  fileLine: (name: string, size: number) => `${name}, ${bytes(size)}`,
  into: (environment: string) => `Into ${environment}`,
  byCategory: "By category",
  byStatus: "By status",
  soldNote: (count: number) =>
    plural(count, {
      one: "One of them is sold: an order is written for it.",
      other: `${number(count)} of them are sold: an order is written for each.`,
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
      one: "One category is not there yet",
      other: `${number(count)} categories are not there yet`,
    }),
  createText: (names: string, count: number) => `Create ${names}, for ${animals(count)}`,
  start: (count: number) => `Add ${animals(count)}`,

  faultsTitle: "Rows with mistakes",
  line: "Line",
  fault: "What is wrong",
  moreFaults: (count: number) => `and ${rows(count)} more`,
  downloadFaults: "Download the list",

  done: (count: number) => (count === 0 ? "No animal was added" : `${animals(count)} added`),
  doneText: "Your sites show them at once.",
  leftOut: (count: number) =>
    plural(count, { one: "1 row was left out.", other: `${number(count)} rows were left out.` }),
  stopped: (count: number) => `Stopped: ${animals(count)} added so far`,
  stoppedText: (line: number) => `Everything before line ${number(line)} is done.`,
  unsure: (from: number, to: number) =>
    `Nobody knows whether lines ${number(from)} to ${number(to)} were added. Look at the animals before you go on.`,
  goOn: (line: number) => `Go on from line ${number(line)}`,
  toAnimals: "To the animals",
  viewerText:
    "Your role allows you to look, not to add. Somebody who may change this account can import.",

  empty: "There is no row in that file.",
  spreadsheet:
    "That is a workbook. Open it and save the table as “CSV UTF-8”, then choose that file.",
  tooLarge: (size: number) =>
    `That file has ${bytes(size)}; 64 MB is the most. Cut it into several.`,
  unreadable: "The file can no longer be read. Was it moved or changed? Choose it again.",
  header: (fault: HeaderFault): string => {
    switch (fault.code) {
      case "unknown_column":
        return fault.meant === undefined
          ? `There is no column “${fault.name}”. The first row must name the columns name, category and, if you like, status.`
          : `There is no column “${fault.name}”. Did you mean “${fault.meant}”?`;
      case "column_twice":
        return `The column “${fault.name}” is there twice.`;
      case "no_name_column":
        return "The column “name” is missing.";
      case "no_category_column":
        return "Exactly one of the columns “category” and “categoryId” is needed.";
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
        return "The line must hold one JSON object.";
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
      ? `There is no category “${name}”.`
      : `There is no category “${name}”. Did you mean “${meant}”?`,
  missing: (field: string) => `“${field}” is missing.`,
  unknownField: (field: string) => `There is nothing called “${field}”.`,
  badName: "The name must be a text of 1 to 120 characters on one line.",
  badStatus: (value: string) =>
    `The status “${value}” does not exist: it is available, pending or sold.`,
  badCategory: "The category must be a name, or categoryId a number.",
};

export type ImportingWords = typeof importing;
