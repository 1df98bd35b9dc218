import type { Page } from "../base/page.ts";
import type { SqlValue, Statement } from "./sql.ts";
import { orderColumns, petColumns, categoryColumns } from "./rows.ts";

/** `[column, value]`: an equality that an index of the table begins with. Undefined values do not filter. */
export type Equality = readonly [column: string, value: SqlValue | undefined];

/** The tables that are shown in pages. */
export type ListTable = "pets" | "categories" | "orders";

const listed: Readonly<Record<ListTable, string>> = {
  pets: petColumns,
  categories: categoryColumns,
  orders: orderColumns,
};

/** Which rows of a catalogue are wanted. */
export interface Selection {
  readonly table: ListTable;
  readonly catalogueId: number;
  readonly equalities: readonly Equality[];
  /** Only these, 1 to 100. */
  readonly ids?: readonly number[] | undefined;
}

/** One page by id: a range of one index, whatever the depth. */
export function pageOf(selection: Selection, { limit, order, after }: Page): Statement {
  const { where, values } = condition(selection);
  const { text } = order === "asc" ? ascending : descending;
  const { from } = order === "asc" ? ascending : descending;
  return {
    text: `SELECT ${listed[selection.table]} FROM ${selection.table} WHERE ${where} ${text}`,
    values: [...values, after ?? from, limit],
  };
}

/** How many rows there are: walks over the part of the index that holds them. */
export function countOf(selection: Selection): Statement {
  const { where, values } = condition(selection);
  return { text: `SELECT COUNT(*) AS count FROM ${selection.table} WHERE ${where}`, values };
}

// Without `after` the bound lies beyond every id, so that one text does for both.
const ascending = { text: "AND id > ? ORDER BY id LIMIT ?", from: 0 } as const;
const descending = { text: "AND id < ? ORDER BY id DESC LIMIT ?", from: 2 ** 53 } as const;

function condition({ catalogueId, equalities, ids }: Selection): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  let where = "catalogue_id = ?";
  const values: SqlValue[] = [catalogueId];
  for (const [column, value] of equalities) {
    if (value === undefined) continue;
    where += ` AND ${column} = ?`;
    values.push(value);
  }
  if (ids === undefined) return { where, values };
  const padded = pad(ids);
  return {
    where: `${where} AND id IN (${padded.map(() => "?").join(", ")})`,
    values: [...values, ...padded],
  };
}

/** Repeats the last id up to one of three lengths, so that few different texts are prepared. */
function pad(ids: readonly number[]): readonly number[] {
  const length = [1, 10, 100].find((size) => size >= ids.length) ?? ids.length;
  return Array.from({ length }, (_, index) => ids[Math.min(index, ids.length - 1)] ?? 0);
}
