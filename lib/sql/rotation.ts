import { randomBase62, systemRandom, type Random } from "../base/id.ts";
import type { Sql } from "./sql.ts";
import { text } from "./rows.ts";

/** Rows with an `id` above `after` and up to `through`. */
export interface Slice {
  readonly after: string;
  readonly through: string;
}

/** How many rows a slice has at most. */
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
  /** Returns the next slice of a table by its primary key `id`; after the last one the first again. */
  next(table: string): Promise<Slice>;
  /** Returns the next slice of each table. */
  nextOf<Table extends string>(tables: readonly Table[]): Promise<ReadonlyMap<Table, Slice>>;
  /** Begins with these slices again, because work stopped before their ends. */
  again(slices: ReadonlyMap<string, Slice>): void;
}

export function rotationOf(sql: Pick<Sql, "query">, random: Random = systemRandom): Rotation {
  const ends = new Map<string, string>();
  /** Returns the last ID of the slice after an ID; undefined: the table ends in it. */
  const endOf = async (table: string, after: string): Promise<string | undefined> => {
    const statement = `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${SLICE_ROWS - 1}`;
    const [row] = await sql.query({ text: statement, values: [after] });
    return row === undefined ? undefined : text(row, "id");
  };
  const beginning = async (table: string): Promise<string> => {
    const known = await endOf(table, "");
    // All rows are in one slice.
    if (known === undefined) return "";
    const [prefix = ""] = /^.*_/.exec(known) ?? [];
    return prefix + randomBase62(random, RANDOM_CHARACTERS);
  };
  const next = async (table: string): Promise<Slice> => {
    const after = ends.get(table) ?? (await beginning(table));
    const end = await endOf(table, after);
    ends.set(table, end ?? "");
    return { after, through: end ?? LAST };
  };
  return {
    next,
    nextOf: async (tables) =>
      new Map(await Promise.all(tables.map(async (table) => [table, await next(table)] as const))),
    again: (slices) => {
      for (const [table, { after }] of slices) ends.set(table, after);
    },
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
