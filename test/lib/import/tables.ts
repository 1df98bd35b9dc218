import type { ImportChoices } from "../../../lib/import/choices.ts";
import { planImport, type ImportPlan } from "../../../lib/import/plan.ts";
import type { Cell, Table } from "../../../lib/import/table.ts";

/** The categories of a new account. */
export const categories = ["Dogs", "Cats", "Other"].map((name, index) => ({ id: index + 1, name }));

/** Returns a table with these columns and rows, the first of which is on line 2. */
export function tableOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): Table {
  return {
    columns,
    facts: { format: "csv", gzip: false, titles: [] },
    async *rows() {
      await Promise.resolve();
      yield rows.map((cells, index) => ({ line: index + 2, cells }));
    },
  };
}

/** Plans the import of a table on 26 November 2026. */
export function planned(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  choices: ImportChoices = {},
): Promise<ImportPlan> {
  return planImport({ table: tableOf(columns, rows), choices, categories, today: "2026-11-26" });
}
