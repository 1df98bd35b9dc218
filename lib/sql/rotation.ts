import { randomBase62, systemRandom, type Random } from "../base/id.ts";
import type { Sql } from "./sql.ts";
import { text } from "./rows.ts";

/** Rows with an `id` above `after` and up to `through`. */
export interface Slice {
  readonly after: string;
  readonly through: string;
}

/** How many rows a slice has at most, whatever the limit is. */
const SLICE_ROWS = 1_000;
/** Above all ids. */
const LAST = "\u{10FFFF}";

/** Longer than what makes two IDs differ. */
const RANDOM_CHARACTERS = 12;

/**
 * Divides tables into slices, so that work which no index finds, such as rows of deleted accounts, looks at a few rows each
 * time and at all of them over time. A process begins at a random ID: if all began at the first one, frequent restarts would
 * keep the last ones from being looked at. IDs are random after their prefix, which ends with `_`.
 */
export interface Rotation {
  /**
   * Returns the next slice of a table by its primary key `id`; after the last one the first again. It has at most `limit`
   * rows, so that work which stops after that many leaves none of them out.
   */
  next(table: string, limit?: number): Promise<Slice>;
  /** Begins with this slice again, because work stopped before its end. */
  again(table: string, slice: Slice): void;
  /** Returns the next slice of each table. */
  nextOf<Table extends string>(
    tables: readonly Table[],
    limit: number,
  ): Promise<ReadonlyMap<Table, Slice>>;
}

export function rotationOf(sql: Pick<Sql, "query">, random: Random = systemRandom): Rotation {
  const ends = new Map<string, string>();
  /** Returns the last ID of the slice after an ID; undefined: the table ends in it. */
  const endOf = async (table: string, after: string, rows: number): Promise<string | undefined> => {
    const statement = `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${rows - 1}`;
    const [row] = await sql.query({ text: statement, values: [after] });
    return row === undefined ? undefined : text(row, "id");
  };
  const beginning = async (table: string, rows: number): Promise<string> => {
    const known = await endOf(table, "", rows);
    // All rows are in one slice.
    if (known === undefined) return "";
    const [prefix = ""] = /^.*_/.exec(known) ?? [];
    return prefix + randomBase62(random, RANDOM_CHARACTERS);
  };
  const next = async (table: string, limit = SLICE_ROWS): Promise<Slice> => {
    const rows = Math.min(limit, SLICE_ROWS);
    const after = ends.get(table) ?? (await beginning(table, rows));
    const end = await endOf(table, after, rows);
    ends.set(table, end ?? "");
    return { after, through: end ?? LAST };
  };
  return {
    next,
    again: (table, { after }) => ends.set(table, after),
    nextOf: async (tables, limit) =>
      new Map(
        await Promise.all(tables.map(async (table) => [table, await next(table, limit)] as const)),
      ),
  };
}

/** The condition of a slice: bind `after`, then `through`. */
export const IN_SLICE = "id > ? AND id <= ?";

/**
 * A condition: the selection, which follows FROM, has no row. It is asked for each row; of NOT EXISTS, a database may make a
 * join of whole tables.
 */
export function none(selection: string): string {
  return `(SELECT COUNT(*) FROM (SELECT 1 FROM ${selection} LIMIT 1) AS found) = 0`;
}
