import { number, text } from "../sql/rows.ts";
import { searchForm } from "../model/search-form.ts";
import type { Sql, SqlRow, Step } from "../sql/sql.ts";

/** So many at a time: a commit must not keep others waiting for long. */
const BATCH = 1_000;

// Those alone are in its index: where there is none left, this costs nothing.
const UNFOLDED = `SELECT catalogue_id, id, name FROM pets WHERE folded_name IS NULL LIMIT ${BATCH}`;

const FOLD = `UPDATE pets SET folded_name = ?
  WHERE catalogue_id = ? AND id = ? AND name = ? AND folded_name IS NULL`;

/** Makes what names are searched by for the animals that an older version wrote. Two processes may do this at once. */
export async function foldNames(sql: Sql): Promise<void> {
  for (;;) {
    const rows = await sql.query({ text: UNFOLDED, values: [] });
    if (rows.length === 0) return;
    await sql.batch(rows.map(folding), () => true);
    if (rows.length < BATCH) return;
  }
}

function folding(row: SqlRow): Step {
  const name = text(row, "name");
  const values = [searchForm(name), number(row, "catalogue_id"), number(row, "id"), name];
  return { text: FOLD, values };
}
