import type { ImportRow } from "../../actions/local-client.ts";
import { anything, array, boolean, named, object, type Schema } from "../../base/schema.ts";
import { CategorySchema } from "../../model/category-schema.ts";
import { petProperties } from "../../model/pet-schema.ts";
import { petStatuses } from "../../model/pet.ts";
import { instant, listOf, shape, text, type Shape } from "./shape.ts";

const { id: _id, ...importable } = petProperties;

/** Judged row by row, so that one that is wrong does not spoil the others. */
const row = anything({
  anyOf: [
    {
      type: "object",
      required: ["name"],
      properties: {
        ...importable,
        category: text("Name of a category, in place of `categoryId`."),
      },
    },
    { description: "Any other value is one of the `failures` and leaves the other rows alone." },
  ],
});

/** The body of `importPets`. */
export const PetImportSchema: Schema<{
  readonly rows: readonly ImportRow[];
  readonly dryRun?: boolean | undefined;
  readonly createCategories?: boolean | undefined;
}> & { readonly name: string } = named(
  "PetImport",
  object(
    {
      // An import judges each row for what it is; until then any value passes for one.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      rows: array(row, { maxItems: 1_000 }) as Schema<ImportRow[]>,
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

export const importShape: Shape = shape("PetImportOutcome", {
  added: {
    type: "integer",
    description: "How many of the rows were (or, in a dry run, would be) added.",
  },
  failures: {
    type: "array",
    description: "What was wrong, by index into the rows. Rows that are not named were added.",
    items: {
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
    },
  },
  categories: {
    type: "array",
    items: { type: "string" },
    description: "Names of the categories that were (or, in a dry run, would be) created.",
  },
});

export const categoriesShape: Shape = listOf("Categories", CategorySchema);

export const deletedPetsShape: Shape = listOf(
  "DeletedPets",
  shape("DeletedPet", {
    ...petProperties,
    deletedAt: instant("When it was deleted."),
    restorableUntil: instant("From then on it is gone for good."),
  }),
);

const count = { type: "integer", format: "int64", minimum: 0 };

export const summaryShape: Shape = shape("CatalogueSummary", {
  pets: {
    type: "object",
    description: "Animals by status; those that were deleted count nowhere.",
    required: petStatuses,
    properties: Object.fromEntries(petStatuses.map((status) => [status, count])),
    additionalProperties: false,
  },
  orders: count,
  categories: count,
});
