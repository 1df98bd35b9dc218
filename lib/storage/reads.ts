import { andThen, type Eventual } from "../base/eventual.ts";
import type { Sql, SqlRow, SqlValue } from "./sql.ts";

/** Questions to a database whose rows are made into what they mean. */
export interface Reads {
  readonly all: <Item>(
    text: string,
    values: readonly SqlValue[],
    map: (row: SqlRow) => Item,
  ) => Eventual<readonly Item[]>;
  /** Undefined when there is no row. */
  readonly first: <Item>(
    text: string,
    values: readonly SqlValue[],
    map: (row: SqlRow) => Item,
  ) => Eventual<Item | undefined>;
}

export function readsOf(sql: Sql): Reads {
  return {
    all: (text, values, map) =>
      andThen(sql.query({ text, values }), (found) => found.map((row) => map(row))),
    first: (text, values, map) =>
      andThen(sql.query({ text, values }), ([row]) => (row === undefined ? undefined : map(row))),
  };
}
