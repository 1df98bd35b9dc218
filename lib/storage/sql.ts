import type { Eventual } from "../base/eventual.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** SQL with `?` for its values, in the common ground of SQLite 3.40 and PostgreSQL 15. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** A statement of a batch; its values may depend on the rows of the ones before it. */
export interface Step {
  readonly text: string;
  /** Pure: it may be called again if the batch is. `earlier[i]` are the rows of step `i`. */
  readonly values:
    | readonly SqlValue[]
    | ((earlier: readonly (readonly SqlRow[])[]) => readonly SqlValue[]);
}

/**
 * A database that speaks SQL. What every adapter must promise (test/contract/sql.ts):
 *
 * - A batch is one transaction: `accept` is asked after each step, and `false` undoes the whole of it.
 *   It resolves with the index of the refused step, or undefined once everything is durable.
 * - A batch never sees part of another one. `accept` must be pure and must not call the database.
 * - Errors of the database reject; `StoreUnavailable` when trying later makes sense.
 */
export interface Sql {
  query(statement: Statement): Eventual<readonly SqlRow[]>;
  batch(
    steps: readonly Step[],
    accept: (rows: readonly SqlRow[], index: number) => boolean,
  ): Promise<number | undefined>;
  /** True when another connection has written since this was last asked; may be up to a millisecond late. */
  changedElsewhere(): boolean;
  close(): Promise<void>;
}
