import type { ImportField } from "../../../../lib/import/fields.ts";
import type { ShownFault, ShownQuestion } from "../../../../lib/import/plan-shown.ts";
import { bytes, number, plural } from "../format.ts";
import { animalFields } from "./animal-fields.ts";

const animals = (count: number): string =>
  plural(count, { one: "1 animal", other: `${number(count)} animals` });
const rows = (count: number): string =>
  plural(count, { one: "1 row", other: `${number(count)} rows` });

const fields: Readonly<Record<ImportField, string>> = {
  ...animalFields,
  category: animalFields.categoryId,
  categoryId: "Category number",
  age: "Age",
  secondBreed: "Second breed",
  purebred: "Purebred",
  notGoodWithChildren: "Not good with children",
  notGoodWithDogs: "Not good with dogs",
  notGoodWithCats: "Not good with cats",
  soldAt: "Adoption date",
  photo: "Photo",
};

const inColumn = (column: string | undefined): string =>
  column === undefined || column === "" ? "" : ` in “${column}”`;

export const importing = {
  title: "Import animals",
  recent: {
    title: "Recent imports",
    file: "File",
    begun: "Started",
    result: "Result",
    added: (count: number) => `${animals(count)} added`,
    changed: (count: number) => `${animals(count)} changed`,
    show: (name: string) => `Show ${name === "" ? "import" : name}`,
    action: "Show",
  },
  about:
    "Bring animals from a spreadsheet or another program. Nothing is imported until everything in the file is understood.",

  drop: "Drop a file here, and your photos as a zip",
  dropNow: "Drop to upload",
  dropHint: "CSV, Excel (.xlsx) or JSON, up to 64 MB, and a zip with photos",
  choose: "Choose files",
  another: "Choose another file",
  columnsTitle: "Files",
  columnsText:
    "Use the file as your program exports it. Columns are recognized by their names; you can change what each is used for. Exports of ShelterManager, Petfinder, Adopt-a-Pet, RescueGroups and Shelterluv are known.",
  template: "Download template",
  templateNames: ["Rex", "Luna", "Tom, the second"],

  sending: (name: string) => `Uploading ${name}`,
  working: {
    reading: "Reading the file",
    running: "Importing animals",
    undoing: "Undoing the import",
  },
  percent: (percent: number, seconds: number | undefined) =>
    seconds === undefined ? `${percent} %` : `${percent} %, ${number(seconds)} s left`,
  keepsGoing: "The import continues if you leave this page.",
  cancel: "Cancel import",
  stop: "Cancel upload",

  ready: (count: number) => `${animals(count)} can be imported`,
  none: "No animals can be imported yet",
  recognized: (system: string) => `This is an export of ${system}.`,
  noRows: "The file has no rows with animals.",
  allRight: "Every row is understood.",
  faulty: (count: number) =>
    plural(count, {
      one: "1 row has an error or an unknown value.",
      other: `${number(count)} rows have errors or unknown values.`,
    }),
  updates: (count: number) =>
    plural(count, {
      one: "1 animal is here already, and will be updated.",
      other: `${number(count)} animals are here already, and will be updated.`,
    }),
  skipped: (count: number) => `${rows(count)} left out.`,
  newCategories: (names: string) => `New categories: ${names}.`,
  goodRows: (count: number) => `Leave out ${rows(count)}, and import the others`,
  fileLine: (name: string, size: number) => `${name}, ${bytes(size)}`,
  into: (environment: string) => `Environment: ${environment}`,
  start: (count: number) => `Import ${animals(count)}`,
  preview: "Preview",

  questionsTitle: "Questions",
  choosePlease: "Choose an answer",
  question: ({ code, field = "name", column = "", count = 0 }: ShownQuestion): string => {
    switch (code) {
      case "no_column":
        return `Which column has the ${fields[field].toLowerCase()}?`;
      case "several_columns":
        return `Several columns could be the ${fields[field].toLowerCase()}. Which one is it?`;
      case "no_such_column":
        return `The file has no column “${column}”. Which one is the ${fields[field].toLowerCase()}?`;
      case "no_status":
        return "We found no column with the status. What is it?";
      case "too_many_categories":
        return "The file has more than 50 new categories. Which column has the category?";
      case "alike":
        return plural(count, {
          one: "1 animal with the same name and category is here already. Is it the same one?",
          other: `${number(count)} animals with the same name and category are here already. Are they the same?`,
        });
      case "missing_key":
        return "We cannot tell which animals the file no longer has: it has rows that cannot be read, or no column with their numbers.";
      case "many_missing":
        return plural(count, {
          one: "1 animal would be set to adopted, which is more than half. Is this the whole list?",
          other: `${number(count)} animals would be set to adopted, which is more than half. Is this the whole list?`,
        });
    }
  },
  datesAsked: (column: string, sample: string) =>
    `Dates in “${column}”, such as ${sample}, have two meanings. Without an answer, only the year of a birth is imported.`,
  dateOrders: { day: "Day first: 31/12/2024", month: "Month first: 12/31/2024" },
  photos: (count: number) =>
    plural(count, {
      one: "1 photo is found. It is added if the animal has no photos yet.",
      other: `${number(count)} photos are found. They are added to animals that have no photos yet.`,
    }),
  unusedPhotos: (count: number, names: readonly string[]) =>
    plural(count, {
      one: `1 picture of the archive belongs to no animal: ${names.join(", ")}. Name it after the animal's number or name, such as “Bella 2.jpg”.`,
      other: `${number(count)} pictures of the archive belong to no animal: ${names.join(", ")}${count > names.length ? ", …" : ""}. Name them after the animal's number or name, such as “Bella 2.jpg”.`,
    }),
  allAre: (status: string) => `All animals are ${status}`,
  alikeSkip: "The same: leave them out",
  alikeAdd: "Others: add them",
  missing: (count: number, names: readonly string[]) =>
    `From the same source, and no longer in the file: ${names.join(", ")}${count > names.length ? ", …" : ""}`,
  missingSell: (count: number) => `Set ${animals(count)} to adopted`,
  missingLeave: "Leave animals as they are that are not in the file",
  skipRows: "Leave these rows out",
  leaveEmpty: "Leave it empty",
  sexes: { female: "Female", male: "Male", unknown: "Not determined" },
  sizes: { small: "Small", medium: "Medium", large: "Large", extra_large: "Extra large" },
  answers: { yes: "Yes", no: "No", unknown: "Not tested" },
  createCategory: (name: string) => `Create the category “${name}”`,
  columnNamed: (name: string, at: number) => (name === "" ? `Column ${number(at)}` : name),
  lines: (count: number, lines: readonly number[]) =>
    count === 1
      ? `Line ${number(lines[0] ?? 0)}`
      : `${rows(count)}: lines ${lines.map(number).join(", ")}${count > lines.length ? ", …" : ""}`,

  mappingTitle: "Columns",
  columnHeading: "Column",
  fieldHeading: "Used for",
  samplesHeading: "Values",
  filledHeading: "Filled",
  fieldOf: (column: string) => `What is “${column}”?`,
  notImported: "Not imported",
  fields,

  faultsTitle: "Rows with errors",
  fault: "Error",
  lineHeading: "Lines",
  rowsHeading: "Rows",
  faultOf: ({ code, field = "name", found = "", column, message }: ShownFault): string => {
    switch (code) {
      case "no_name":
        return "The row has no name.";
      case "unknown_value":
        if (found !== "") return `What does “${found}”${inColumn(column)} mean? (${fields[field]})`;
        return field === "status"
          ? "What is the status of rows without one?"
          : "The row has no category.";
      case "not_text":
        return `${fields[field]}: “${found}” is no text.`;
      case "two_categories":
        return "The category and its number are different ones.";
      case "key_twice":
        return `The number “${found}” is in the file twice.`;
      case "nul":
        return "The row contains the character U+0000.";
      case "field_count":
        return "The row has more fields than the header.";
      case "not_an_object":
        return "The line must be one JSON object.";
      default:
        return message;
    }
  },

  unreadable: "The file cannot be read",
  asWindows: "Read it as Windows-1252",

  done: (count: number) => (count === 0 ? "No animals were added" : `${animals(count)} added`),
  doneText: "Your sites show them now.",
  updated: (count: number) => `${animals(count)} updated.`,
  same: (count: number) => `${animals(count)} unchanged.`,
  sold: (count: number) => `${animals(count)} set to adopted, as the file no longer has them.`,
  leftOut: (count: number) =>
    plural(count, { one: "1 row was left out.", other: `${number(count)} rows were left out.` }),
  stopped: (count: number) => `The import ended early: ${animals(count)} added`,
  undone: (count: number) => `The import was undone: ${animals(count)}`,
  kept: (count: number, names: readonly string[]) =>
    `${animals(count)} changed since, and stay: ${names.join(", ")}${count > names.length ? ", …" : ""}.`,
  photosAdded: (count: number) =>
    count === 1 ? "1 photo was added." : `${count} photos were added.`,
  photosFailed: (count: number, names: readonly string[]) =>
    `${count === 1 ? "1 picture" : `${count} pictures`} could not be read or fetched: ${[...new Set(names)].join(", ")}${count > names.length ? ", …" : ""}. Add photos on the animals' pages.`,
  undo: "Undo import",
  undoUntil: "Undo expires",
  toAnimals: "Show animals",
  viewerText:
    "Your role can view animals but not add them. Staff and owners of this account can import.",
};

export type ImportingWords = typeof importing;
