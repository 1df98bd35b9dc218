import type { ImportOutcome, ImportRow } from "./import.ts";
import { anything, array, boolean, named, object, type Schema } from "../base/schema.ts";
import {
  choice,
  count,
  declared,
  extended,
  instant,
  list,
  listOf,
  shape,
  text,
  whole,
} from "../base/shape.ts";
import { petStatuses, type PetStatus } from "./model.ts";
import { PetSchema } from "./schema.ts";

const members = Object.entries(PetSchema.json["properties"] ?? {});
const importable = Object.fromEntries(members.filter(([name]) => name !== "id"));

/** Judged row by row, so that one that is wrong does not spoil the others. */
const row = anything({
  anyOf: [
    {
      type: "object",
      required: ["name"],
      properties: {
        ...importable,
        category: { type: "string", description: "Name of a category, in place of `categoryId`." },
      },
    },
    { description: "Any other value is reported in `failures`; the other rows are added." },
  ],
});

/** The body of `importPets`. */
export const PetImportSchema = named(
  "PetImport",
  object(
    {
      // An import judges each row for what it is; until then any value passes for one.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      rows: array(row, { maxItems: 1_000 }) as Schema<readonly ImportRow[]>,
    },
    {
      dryRun: boolean({ description: "Only checks the rows; nothing is added." }),
      createCategories: boolean({
        description:
          "Creates up to 50 categories that valid rows name and that do not exist. Default: such rows fail with `unknown_category`.",
      }),
    },
  ),
);

export const importShape = shape("PetImportOutcome", {
  added: whole({
    description: "Number of rows that were added, or would be added by a real run.",
  }),
  failures: list(
    declared<ImportOutcome["failures"][number]>({
      type: "object",
      required: ["index", "problem"],
      properties: {
        index: { type: "integer", minimum: 0 },
        problem: {
          type: "object",
          required: ["code", "message"],
          properties: { code: { type: "string" }, message: { type: "string" } },
        },
      },
    }),
    { description: "Faults by index into the rows. All other rows were added." },
  ),
  categories: list(text(), {
    description: "Names of the categories that were created, or would be created by a real run.",
  }),
});

/** How many animals of a catalogue have a status, as a row of a list. */
export interface CountedPets {
  readonly id: number;
  readonly status: PetStatus;
  readonly count: number;
}

export const petCountsShape = listOf(
  "AnimalCounts",
  shape("AnimalCount", { status: choice(petStatuses), count: count() }),
);

export const deletedPetsShape = listOf(
  "DeletedPets",
  extended("DeletedPet", PetSchema, {
    deletedAt: instant("When it was deleted."),
    restorableUntil: instant("When it is removed permanently."),
  }),
);
