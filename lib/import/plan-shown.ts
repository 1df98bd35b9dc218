import {
  choice,
  count,
  fields,
  flag,
  instant,
  list,
  shape,
  text,
  whole,
  type ValueOf,
} from "../base/shape.ts";
import { petStatuses } from "../catalogue/model-statuses.ts";
import type { ImportChoices } from "./choices.ts";
import { importFields } from "./fields.ts";
import {
  faultMessage,
  missingMessage,
  photosMessage,
  questionMessage,
  tooManyCategoriesMessage,
  unusedMessage,
  warningMessage,
} from "./messages.ts";
import type { ImportRequest } from "./choices-schema.ts";
import { missingQuestion, type Missing } from "./missing.ts";
import type { ImportPlan } from "./plan.ts";
import { importPresets } from "./presets.ts";

const field = choice(importFields, "The field of an animal.");
const number = whole({ minimum: 1, description: "Its number in the file, from 1." });
const lines = list(whole({ minimum: 1 }), {
  description: "The lines of the first rows, at most 10.",
});

const column = shape("ImportColumn", {
  name: text(),
  number,
  fields: list(field, { description: "What the column gives; empty if it is not imported." }),
  reason: choice(
    ["chosen", "preset", "name", "unused", "other_column", "values", "empty", "unknown"],
    "Why: `chosen` by the caller, known from a `preset` or by its `name`; not imported because it is `unused`, because an `other_column` gives the field, because its `values` contradict its name, because it is `empty` or `unknown`.",
  ),
  filled: count("The rows that have a value in it."),
  samples: list(text(), { description: "The first different values, at most 3." }),
});

const question = shape(
  "ImportQuestion",
  {
    code: choice([
      "no_column",
      "several_columns",
      "no_such_column",
      "no_status",
      "too_many_categories",
      "alike",
      "missing_key",
      "many_missing",
    ]),
    message: text(),
  },
  {
    field,
    column: text("The column that was asked for."),
    columns: list(fields({ name: text(), number }), {
      description: "The columns in question, at most 40.",
    }),
    meant: text("The column that is meant, probably."),
    count: count("The number of animals that are alike, or missing in the file."),
    first: list(fields({ line: number, name: text() }), { description: "The first of them." }),
  },
);

const fault = shape(
  "ImportFault",
  {
    code: text(
      "`no_name`, `unknown_value`, `invalid_value`, `not_text`, `two_categories`, `key_twice`, `nul`, `field_count`, `too_long`, `not_json` or `not_an_object`.",
    ),
    message: text("About the first row."),
    count: count("The rows that have it."),
    lines,
    more: flag("True if different values count here, because the file has too many of them."),
  },
  { field, column: text(), found: text("The value; empty for an empty cell.") },
);

const warning = shape(
  "ImportWarning",
  {
    code: choice(["ambiguous_dates", "photos", "unused_photos"]),
    message: text(),
    sample: text(),
  },
  {
    field,
    column: text(),
    line: number,
    count: count("The photos that the animals get, or the pictures that no animal gets."),
    names: list(text(), { description: "The first of these pictures, at most 20." }),
  },
);

const animal = shape(
  "ImportAnimal",
  {
    line: number,
    name: text(),
    category: text("The number of a category, or the name of a new one."),
    status: choice(petStatuses),
    photos: count(),
  },
  { soldAt: instant("When it was adopted.") },
);

/** The plan of an import, as the management API sends it. */
export const importPlanShape = shape(
  "ImportPlan",
  {
    columns: list(column),
    questions: list(question, { description: "What must be answered before the import can run." }),
    faults: list(fault, {
      description: "Rows that cannot be imported, grouped; at most 101 groups.",
    }),
    warnings: list(warning),
    rows: count("The rows of the file."),
    animals: count("The animals that can be imported."),
    updates: count("Those of them that are there by their number, and will be changed."),
    faulty: count("The rows that have faults."),
    skipped: count(
      "The rows that were chosen to be left out, and further rows that only repeat an animal's number and name.",
    ),
    keyed: count("The animals with a number of their own: importing them again changes them."),
    photos: count("The photos that the animals get, by their rows or by an archive."),
    newCategories: list(text(), { description: "The categories that will be created." }),
    first: list(animal, { description: "The first animals." }),
  },
  {
    preset: choice(importPresets),
    presetTitle: text("The name of the system that the file comes from."),
    missing: fields(
      {
        count: count("The animals that the file no longer has."),
        of: count("The animals of the sources of the file that are here and not sold."),
        first: list(fields({ id: whole(), name: text() }), {
          description: "The first of those that are missing, at most 20.",
        }),
      },
      {},
      { description: "Only if the file has a column with numbers of the animals." },
    ),
  },
);
/** The plan of an import, as the management API sends it. */
export type ShownPlan = ValueOf<typeof importPlanShape>;
/** Something that must be answered before an import can run. */
export type ShownQuestion = ShownPlan["questions"][number];
/** Rows with the same fault. */
export type ShownFault = ShownPlan["faults"][number];

/** Returns a plan in the form that the management API sends. */
export function planShown(
  plan: ImportPlan,
  request: Pick<ImportRequest, "alike" | "missing" | "manyMissing"> = {},
): ShownPlan {
  const {
    mapping,
    faults,
    animals,
    updates,
    faulty,
    skipped,
    keyed,
    photos,
    newCategories,
    first,
  } = plan;
  const numbers = new Map(mapping.columns.map(({ name, number: at }) => [name, at]));
  const questions = mapping.questions.map((asked): ShownQuestion => ({
    code: asked.code,
    message: questionMessage(asked),
    ...("field" in asked ? { field: asked.field } : {}),
    ...("column" in asked ? { column: asked.column } : {}),
    columns: asked.columns.map((one) =>
      typeof one === "string" ? { name: one, number: numbers.get(one) ?? 1 } : one,
    ),
    ...("meant" in asked && asked.meant !== undefined ? { meant: asked.meant } : {}),
  }));
  if (plan.tooManyCategories) {
    questions.push({ code: "too_many_categories", message: tooManyCategoriesMessage });
  }
  if (plan.alike.count > 0 && request.alike === undefined) {
    questions.push(alikeQuestion(plan.alike));
  }
  const { missing } = plan;
  const asked = missingQuestion(missing, request);
  if (asked !== undefined) {
    const message = missingMessage(asked, missing);
    questions.push({ code: asked, message, count: missing?.count ?? 0 });
  }
  return {
    ...(mapping.preset === undefined
      ? {}
      : { preset: mapping.preset.name, presetTitle: mapping.preset.title }),
    columns: mapping.columns.map(
      ({ name, number: at, fields: given, reason, filled, samples }) => ({
        name,
        number: at,
        fields: given,
        reason,
        filled,
        samples,
      }),
    ),
    questions,
    faults: faults.map(({ fault: found, count: rows, lines: at, more = false }) => ({
      code: found.code,
      message: faultMessage(found),
      count: rows,
      lines: at,
      more,
      ...("field" in found ? { field: found.field } : {}),
      ...("column" in found ? { column: found.column } : {}),
      ...("found" in found && typeof found.found === "string" ? { found: found.found } : {}),
    })),
    warnings: [
      ...mapping.warnings.map((one): ShownWarning => ({
        code: "ambiguous_dates",
        message: warningMessage(one),
        ...one,
      })),
      ...photoWarnings(photos),
      ...unusedWarnings(plan.unused),
    ],
    rows: mapping.rows,
    animals,
    updates,
    faulty,
    skipped,
    keyed,
    photos: photos.count,
    newCategories: newCategories.slice(0, 50),
    ...(missing !== undefined && { missing: missingShown(missing) }),
    first: first.map(({ line, name, category, status, photos: some, soldAt }) => ({
      line,
      name,
      category: String(category),
      status,
      photos: some.length,
      ...(soldAt === undefined ? {} : { soldAt }),
    })),
  };
}

type ShownWarning = ShownPlan["warnings"][number];

/** The longest address of a photo that a warning shows. */
const MAX_SAMPLE = 100;
const MAX_DATA = 40;

function photoWarnings({ count: found, first }: ImportPlan["photos"]): readonly ShownWarning[] {
  if (first === undefined) return [];
  const { line, photo } = first;
  const most = photo.startsWith("data:") ? MAX_DATA : MAX_SAMPLE;
  const sample = photo.length > most ? `${photo.slice(0, most)}…` : photo;
  return [
    { code: "photos", message: photosMessage(found, line, sample), sample, line, count: found },
  ];
}

function unusedWarnings(unused: ImportPlan["unused"]): readonly ShownWarning[] {
  if (unused === undefined || unused.count === 0) return [];
  const names = unused.first.map((name) => name.slice(0, MAX_SAMPLE));
  const message = unusedMessage(unused.count, names);
  const [sample = ""] = names;
  return [{ code: "unused_photos", message, sample, count: unused.count, names }];
}

function missingShown({ count: animals, of, first }: Missing): NonNullable<ShownPlan["missing"]> {
  return { count: animals, of, first };
}

function alikeQuestion({ count: rows, first }: ImportPlan["alike"]): ShownQuestion {
  const names = first.map(({ name, line }) => `${name} (line ${line})`).join(", ");
  const more = rows > first.length ? ", …" : "";
  const [animals, are] = rows === 1 ? ["animal", "is"] : ["animals", "are"];
  return {
    code: "alike",
    message: `${rows} ${animals} of the file with the same name and category ${are} here already: ${names}${more}.`,
    count: rows,
    first: first.map(({ line, name }) => ({ line, name })),
  };
}

/** Returns the choices of an import in full, to import such files again without questions. */
export function choicesOf({ preset, columns }: ShownPlan, choices: ImportChoices): ImportChoices {
  if (preset !== undefined) return { preset, ...choices };
  const map = columns.flatMap(({ name, number: at, fields: given }) => {
    const isDoubled = columns.filter((one) => one.name === name).length > 1;
    return given.map((one) => ({ field: one, column: isDoubled ? `#${at}` : name }));
  });
  return { ...choices, map };
}
