import type { DateOrder } from "./dates.ts";
import type { ImportField } from "./fields.ts";
import type { ImportPreset } from "./presets.ts";

/** What a person says about a file. */
export interface ImportChoices {
  /** Default: the one whose columns the file has. */
  readonly preset?: ImportPreset;
  /** The column of a field, by name, as `name#2` or as the number `#5`; empty if no column gives it. */
  readonly map?: readonly { readonly field: ImportField; readonly column: string }[];
  /**
   * What a value means; `found` is empty for empty cells and a missing column, and `*` for every other unknown value. `value`
   * is `skip` to leave out the rows, for a status or category.
   */
  readonly values?: readonly ValueChoice[];
  /** The order of day and month in dates that have two meanings. Default: as the dates of a column prove. */
  readonly dates?: DateOrder;
  readonly createCategories?: boolean;
  /**
   * What to do with animals without a known key that have the name and the category of one that is there. Absent: nothing
   * is imported if the file has such animals.
   */
  readonly alike?: "add" | "skip";
}

/** What one value of a field means. */
export interface ValueChoice {
  readonly field: ImportField;
  readonly found: string;
  readonly value: string;
}

/** The word that leaves out the rows of a value. */
export const SKIP = "skip";
