import { andThen, type Eventual } from "../base/eventual.ts";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/** Queries whose rows are mapped to values. */
interface Reads {
  readonly all: <Item>(
    query: string,
    values: readonly SqlValue[],
    map: (row: SqlRow) => Item,
  ) => Eventual<readonly Item[]>;
  /** Undefined when no row matches. */
  readonly first: <Item>(
    query: string,
    values: readonly SqlValue[],
    map: (row: SqlRow) => Item,
  ) => Eventual<Item | undefined>;
}

export function readsOf(sql: Sql): Reads {
  return {
    all: (query, values, map) =>
      andThen(sql.query({ text: query, values }), (found) => found.map((row) => map(row))),
    first: (query, values, map) =>
      andThen(sql.query({ text: query, values }), ([row]) =>
        row === undefined ? undefined : map(row),
      ),
  };
}

/** Reads a NOT NULL number. */
export function number(row: SqlRow, column: string): number {
  return row[column] as number;
}

/** Reads a NOT NULL text. */
export function text(row: SqlRow, column: string): string {
  return row[column] as string;
}

/** Reads a nullable number. */
export function optionalNumber(row: SqlRow, column: string): number | undefined {
  return (row[column] as number | null) ?? undefined;
}

/** Reads a nullable text. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  return (row[column] as string | null) ?? undefined;
}

/** Removes the columns that are NULL from the row itself, which costs less than a copy, and returns it. */
export function lacking(row: SqlRow, columns: readonly string[]): SqlRow {
  const own = row as Record<string, SqlValue>;
  for (const column of columns) if (own[column] === null) delete own[column];
  return row;
}

/** Returns the members of `fields` that are not undefined. */
export function present<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof present<Fields>>;
}
