import { array, boolean, named, object, oneOf, string, type Schema } from "../base/schema.ts";
import type { ImportChoices } from "./choices.ts";
import { importFields } from "./fields.ts";
import { importPresets } from "./presets.ts";
import { encodings, type Encoding } from "./table.ts";

/** What a person says about a file and about rows that cannot be imported. */
export interface ImportRequest extends ImportChoices {
  /** Default: UTF-8 or UTF-16, as recognised. */
  readonly encoding?: Encoding;
  /** Imports the rows without faults, and leaves out the others. */
  readonly goodRows?: boolean;
  /** What to do with animals of the same source that the file no longer has. Default: `leave`. */
  readonly missing?: "leave" | "sold";
  /** Confirms that more than half of the animals of the source are set to sold. */
  readonly manyMissing?: boolean;
}

/** The longest column name or value, in UTF-16 code units. */
const MAX_WORD = 1_000;
/** The most columns and values of one request. */
const MAX_MAP = 500;
const MAX_VALUES = 1_000;

const word = (description: string, example: string): Schema<string> =>
  string(
    (text) => (text.length > MAX_WORD ? `must be at most ${MAX_WORD} characters long` : undefined),
    {
      maxLength: MAX_WORD,
      description,
      examples: [example],
    },
  );

const field = oneOf(importFields, { description: "The field of an animal." });

const map = object({
  field,
  column: word(
    "Its name, `name#2` for the second of that name, or `#5` for the fifth column; empty for none.",
    "Animal ID",
  ),
});

const value = object({
  field,
  found: word(
    "The value in the file: empty for empty cells, `*` for every other unknown value.",
    "Transfer",
  ),
  value: word("What it means; `skip` leaves out the rows, for a status or category.", "sold"),
});

/** The body of the operation that says how a file is to be imported. */
export const ImportRequestSchema: Schema<ImportRequest> & { readonly name: string } = named(
  "ImportRequest",
  object(
    {},
    {
      preset: oneOf(importPresets, {
        description: "Default: the system whose columns the file has.",
      }),
      map: array(map, { maxItems: MAX_MAP }),
      values: array(value, { maxItems: MAX_VALUES }),
      dates: oneOf(["day", "month"], {
        description: "Which is first in dates such as 05/06/2024. Default: as the file shows.",
      }),
      createCategories: boolean({ description: "Creates missing categories, at most 50." }),
      alike: oneOf(["add", "skip"], {
        description:
          "What to do with animals that have the name and category of one that is there.",
      }),
      encoding: oneOf(encodings, { description: "Of a text that is not UTF-8 or UTF-16." }),
      goodRows: boolean({
        description: "Imports the rows without faults, and leaves out the others.",
      }),
      missing: oneOf(["leave", "sold"], {
        description:
          "What to do with animals of the same `source` that have an `externalId` the file no longer has. Default: `leave`.",
      }),
      manyMissing: boolean({
        description: "Confirms that more than half of these animals are set to `sold`.",
      }),
    },
  ),
);
