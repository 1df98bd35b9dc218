import type { ColumnFault } from "./row-view.ts";
import { ruleOf } from "./fields.ts";
import type { ColumnQuestion, DateWarning } from "./mapping.ts";
import type { Missing, MissingQuestion } from "./missing.ts";
import { MAX_CREATED_CATEGORIES } from "./plan.ts";
import type { RowFault } from "./table.ts";

/** Explains in a sentence what is wrong with a row. */
export function faultMessage(fault: RowFault | ColumnFault): string {
  switch (fault.code) {
    case "no_name":
      return "The row has no name.";
    case "unknown_value":
      return unknownMessage(fault);
    case "invalid_value":
      return `${subject(fault)} ${fault.fault}.`;
    case "not_text":
      return `${subject(fault)} must be a text, not ${quoted(fault.found)}.`;
    case "two_categories":
      return "The category and the category's number are different ones.";
    case "key_twice":
      return `The number ${quoted(fault.found)} is on line ${fault.line} already.`;
    case "nul":
      return "The row contains the character U+0000.";
    case "field_count":
      return `The row has ${fault.found} fields, and the header ${fault.expected}.`;
    case "too_long":
      return `The row is longer than ${fault.most} characters.`;
    case "not_json":
      return fault.message.endsWith(".") ? fault.message : `${fault.message}.`;
    case "not_an_object":
      return "The line must have one JSON object.";
  }
}

function unknownMessage({
  field,
  found,
  column,
}: Extract<ColumnFault, { code: "unknown_value" }>): string {
  const where = column === undefined || column === "" ? "" : ` in the column ${quoted(column)}`;
  if (field === "status") {
    return found === ""
      ? "The row has no status."
      : `${quoted(found)}${where} is not a known status.`;
  }
  if (field === "category") {
    return found === "" ? "The row has no category." : `There is no category ${quoted(found)}.`;
  }
  if (field === "categoryId") return `There is no category with the number ${quoted(found)}.`;
  const { kind } = ruleOf(field);
  if (kind === "date") return `${quoted(found)}${where} is not a date.`;
  return kind === "age"
    ? `${quoted(found)}${where} is not an age.`
    : `${quoted(found)}${where} is not known.`;
}

/** Names the value of a fault: `The name "x"`. */
function subject({
  field,
  found,
  column,
}: {
  readonly field: string;
  readonly found: string;
  readonly column?: string;
}): string {
  if (field === "name") return "The name";
  const where = column === undefined || column === "" ? "" : ` in the column ${quoted(column)}`;
  return `${quoted(found.slice(0, 30))}${where}`;
}

/** Explains in one or two sentences what has to be answered about the columns. */
export function questionMessage(question: ColumnQuestion): string {
  switch (question.code) {
    case "no_column": {
      const what =
        question.field === "name" ? "the animals' names" : "the animals' category, such as Dogs";
      const has =
        question.columns.length === 0 ? "" : ` The file also has: ${list(question.columns)}.`;
      return `We found no column with ${what} (${question.field}).${has}`;
    }
    case "several_columns":
      return `Several columns could be the ${question.field}: ${question.columns.map(({ name, number }) => `${quoted(name)} (#${number})`).join(", ")}.`;
    case "no_such_column": {
      const meant = question.meant === undefined ? "" : ` Did you mean ${quoted(question.meant)}?`;
      return `The file has no column ${quoted(question.column)}.${meant} It has: ${list(question.columns)}.`;
    }
    case "no_status":
      return `We found no column with the status, and do not know what is in: ${list(question.columns)}.`;
  }
}

/** Explains that a file needs too many new categories. */
export const tooManyCategoriesMessage: string = `The file has more than ${MAX_CREATED_CATEGORIES} categories that do not exist. Is this the right column?`;

/** Explains why animals that are not in the file are not set to sold yet. */
export function missingMessage(question: MissingQuestion, missing: Missing | undefined): string {
  if (missing === undefined) {
    return "The file has no column with numbers of the animals, so that we cannot tell which animals it no longer has.";
  }
  const { count, of, unread } = missing;
  if (question === "missing_key") {
    const rows = unread === 1 ? "1 row" : `${unread} rows`;
    return `${rows} cannot be read, so that we cannot tell which animals the file no longer has.`;
  }
  return `${count} of ${of} animals from this source are not in the file, and would be set to sold. Is this the whole list?`;
}

/** Explains what becomes of dates that have two meanings. */
export function warningMessage({ field, column, sample }: DateWarning): string {
  const kept = field === "birth" ? "Only the year is imported" : "Such dates are not imported";
  return `The dates in the column ${quoted(column)} have two meanings, such as ${quoted(sample)}. ${kept}.`;
}

/** Explains what becomes of the photos that a file and its archive have. */
export function photosMessage(count: number, line: number, sample: string): string {
  return count === 1
    ? `The animals get 1 photo, on line ${line}: ${sample}. The import adds it after the animal, if the animal has no photos yet, and says so if it cannot be read or fetched.`
    : `The animals get ${count} photos, such as ${sample} on line ${line}. The import adds them after the animals, to those that have no photos yet, and names those that cannot be read or fetched.`;
}

/** Explains that an archive has pictures that no animal gets. */
export function unusedMessage(count: number, names: readonly string[]): string {
  const some = names.slice(0, 5).map(quoted).join(", ");
  const more = count > 5 ? ", …" : "";
  const what =
    count === 1 ? "1 picture of the archive belongs" : `${count} pictures of the archive belong`;
  return `${what} to no animal: ${some}${more}. Name each picture in a column, or after its animal's number or name, such as "Bella.jpg" and "Bella 2.jpg".`;
}

function list(names: readonly string[]): string {
  return names.map(quoted).join(", ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
