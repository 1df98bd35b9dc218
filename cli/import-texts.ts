import { shellWord } from "../lib/base/readable.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import {
  fieldTyped,
  importFields,
  type ImportField,
  type ImportRequest,
  type ImportView,
  type ShownFault,
  type ShownPlan,
  type ShownQuestion,
} from "../lib/management/index.ts";
import { quoted } from "../settings/values.ts";

type MapChoice = NonNullable<ImportRequest["map"]>[number];
type ValueChoice = NonNullable<ImportRequest["values"]>[number];

/** Parses `FIELD=COLUMN`. */
export function mapChoice(text: string): Result<MapChoice, string> {
  const at = text.indexOf("=");
  if (at === -1)
    return refused(`must be FIELD=COLUMN, such as name="Animal name", not ${quoted(text)}`);
  const field = fieldIn(text.slice(0, at));
  return field.ok ? done({ field: field.value, column: text.slice(at + 1) }) : field;
}

/** Parses `FIELD:FOUND=VALUE`. */
export function valueChoice(text: string): Result<ValueChoice, string> {
  const [colon, equals] = [text.indexOf(":"), text.lastIndexOf("=")];
  if (colon === -1 || equals < colon) {
    return refused(`must be FIELD:FOUND=VALUE, such as status:Adoption=sold, not ${quoted(text)}`);
  }
  const field = fieldIn(text.slice(0, colon));
  if (!field.ok) return field;
  const [found, value] = [text.slice(colon + 1, equals), text.slice(equals + 1)];
  return done({ field: field.value, found, value });
}

function fieldIn(word: string): Result<ImportField, string> {
  const field = fieldTyped(word.trim());
  return field === undefined
    ? refused(`has no field ${quoted(word)}; the fields are ${importFields.join(", ")}`)
    : done(field);
}

/** Writes the choices of an import as options, to use again for such files. */
export function optionsOf(request: ImportRequest): readonly string[] {
  const {
    preset,
    map = [],
    values = [],
    dates,
    createCategories,
    alike,
    encoding,
    missing,
  } = request;
  return [
    ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ...(preset === undefined ? [] : [`--preset ${preset}`]),
    ...map.map(({ field, column }) => `--map ${shellWord(`${field}=${column}`)}`),
    ...values.map(
      ({ field, found, value }) => `--value ${shellWord(`${field}:${found}=${value}`)}`,
    ),
    ...(dates === undefined ? [] : [`--dates ${dates}-first`]),
    ...(createCategories === true ? ["--create-categories"] : []),
    ...(alike === undefined ? [] : [`--alike ${alike}`]),
    ...(missing === undefined ? [] : [`--missing ${missing}`]),
  ];
}

/** Returns the lines that say what keeps a file from being imported, and which options answer. */
export function openPoints({ questions, faults, animals, faulty }: ShownPlan): readonly string[] {
  const answerable = faults.filter(({ code }) => code === "unknown_value");
  const wrong = faults.filter(({ code }) => code !== "unknown_value");
  const lines = questions.flatMap((question) => [question.message, ...indented(answers(question))]);
  for (const fault of answerable) {
    lines.push(grouped(fault), ...indented(valueAnswers(fault)));
  }
  for (const fault of wrong) lines.push(grouped(fault));
  if (faulty > 0 && animals > 0) {
    const rows = faulty === 1 ? "1 row" : `${faulty} rows`;
    lines.push(
      `To import the other ${animals === 1 ? "animal" : `${animals} animals`} and leave out ${rows}: --good-rows`,
    );
  }
  return lines;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

/** `3 rows: There is no category "Rabbit". Lines 4, 7, 9` */
export function grouped({ message, count, lines, more }: ShownFault): string {
  const others = more ? "More such rows, for example: " : "";
  if (count === 1) return `Line ${lines[0]}: ${others}${message}`;
  const rest = count > lines.length ? ", …" : "";
  return `${count} rows: ${others}${message} Lines ${lines.join(", ")}${rest}`;
}

function answers({ code, field, columns = [], meant }: ShownQuestion): readonly string[] {
  const names = columns.map(({ name }) => name);
  const best = meant ?? names[0] ?? "COLUMN";
  switch (code) {
    case "no_column":
      return names.length === 0 ? [] : [`Choose it: --map ${shellWord(`${field}=${best}`)}`];
    case "several_columns":
      return columns.map(
        ({ name, number }) => `${quoted(name)}: --map ${shellWord(`${field}=#${number}`)}`,
      );
    case "no_such_column":
      return [`Choose one: --map ${shellWord(`${field}=${best}`)}`];
    case "no_status":
      return [
        `If one of them is the status: --map ${shellWord(`status=${best}`)}`,
        "If all animals have the same: --value status:=available (or =pending, =sold)",
      ];
    case "too_many_categories":
      return ["Choose another column: --map category=COLUMN"];
    case "alike":
      return [
        "If they are the same animals, leave them out: --alike skip",
        "If they are others, add them: --alike add",
        "So that the next import updates animals: --key COLUMN, with a column that has a number for each",
      ];
    case "missing_key":
      return ["Leave missing animals as they are: --missing leave"];
    case "many_missing":
      return [
        "If it is the whole list: --many-missing",
        "Leave missing animals as they are: --missing leave",
      ];
  }
}

function valueAnswers({ field = "name", found = "" }: ShownFault): readonly string[] {
  const option = (value: string): string => `--value ${shellWord(`${field}:${found}=${value}`)}`;
  if (field === "status") {
    return [
      `Say what it means: ${option("available")} (or =pending, =sold, =skip to leave it out)`,
    ];
  }
  if (field === "category" || field === "categoryId") {
    if (found === "") return ["Say which: --value category:=NAME (or =skip to leave it out)"];
    if (field === "categoryId") return [];
    return [
      `Say which: ${option("NAME")} (or =skip to leave it out), or create it: --create-categories`,
    ];
  }
  return [`Say what it means: ${option("…")}, or leave it empty: ${option("")}`];
}

/** Says which animals are here and not in the file, and what becomes of them. */
export function missingText(
  { count, first }: NonNullable<ShownPlan["missing"]>,
  choice: ImportRequest["missing"],
): string {
  const names = first.map(({ id, name }) => `${name} (${id})`).join(", ");
  const animals = count === 1 ? "1 animal" : `${count} animals`;
  const are = `${animals} from this source ${count === 1 ? "is" : "are"} not in the file: ${names}${count > first.length ? ", …" : ""}.`;
  return choice === "sold"
    ? `${are} The import would set ${count === 1 ? "it" : "them"} to sold.`
    : `${are} The import leaves ${count === 1 ? "it" : "them"}. To set ${count === 1 ? "it" : "them"} to sold: --missing sold`;
}

/** Returns the lines that show what each column is used for. */
export function mappingRows({ columns }: ShownPlan): readonly (readonly string[])[] {
  const shown = columns.filter(({ filled, reason }) => filled > 0 || reason === "chosen");
  return shown.map(({ name, fields, filled, samples }) => [
    name === "" ? "(no name)" : name.slice(0, 30),
    fields.length > 0 ? fields.join(", ") : "not imported",
    String(filled),
    samples
      .map((sample) => sample.slice(0, 20))
      .join(" | ")
      .slice(0, 50),
  ]);
}

/** Names the pictures that did not become photos. */
export function photoLines({ photos }: ImportView): readonly string[] {
  if (photos === undefined || photos.failed === 0) return [];
  const lines = photos.named.map(
    ({ line, name, photo, reason }) => `line ${line}, ${name}: ${photo}: ${reason}`,
  );
  const more = photos.failed - photos.named.length;
  return [
    `${photos.failed === 1 ? "1 picture" : `${photos.failed} pictures`} could not be read or fetched. The animals were imported without them.`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
