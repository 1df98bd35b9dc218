import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** SQL with `?` for its values, in the common ground of SQLite 3.40 and PostgreSQL 15. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** What the databases say differently. */
export interface Dialect {
  /** A column that the database numbers by itself, growing, no number ever given twice; the primary key. */
  readonly identity: string;
  /** Ends the definition of a table whose rows lie in the order of their primary key; may be empty. */
  readonly clustered: string;
  /** Follows the name of a table that is to be read by that index; empty where the planner needs no telling. */
  readonly readBy: (index: string) => string;
  /** True of rows in whose column the value is found, letter by letter. */
  readonly contains: (column: string) => string;
}

/** The rows of each step of a batch, by the step's index. */
export type BatchRows = readonly (readonly SqlRow[])[];

/** A statement of a batch; its values may depend on the rows of the ones before it. */
export interface Step {
  readonly text: string;
  /** Pure: it may be called again if the batch is. Undefined leaves the step out, which then yields no row. */
  readonly values: readonly SqlValue[] | ((earlier: BatchRows) => readonly SqlValue[] | undefined);
}

/** A component whose tables are about to be brought from one version to another; `from` 0 has none yet. */
export interface PlannedMigration {
  readonly component: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A database that speaks SQL. What every adapter must promise (test/contract/sql.ts):
 *
 * - A batch is one transaction: `accept` is asked after each step, and `false` undoes the whole of it.
 *   It resolves with the rows of every step once they are durable, or refused with the index of that step.
 * - A batch never sees part of another one. `accept` must be pure and must not call the database.
 * - Integers up to 2^53 arrive as numbers.
 * - Errors of the database reject; `StoreUnavailable` when trying later makes sense.
 */
export interface Sql {
  readonly dialect: Dialect;
  query(statement: Statement): Eventual<readonly SqlRow[]>;
  batch(
    steps: readonly Step[],
    accept: (rows: readonly SqlRow[], index: number) => boolean,
  ): Promise<Result<BatchRows, number>>;
  /** True when another connection has written since this was last asked; may be up to a millisecond late. */
  changedElsewhere(): boolean;
  /** Called before migrations are applied; when it rejects, none is, and the database stays as it was. */
  readonly beforeMigration?: (planned: readonly PlannedMigration[]) => Promise<void>;
  /**
   * Removes from files what is left of rows that were deleted before the call. Absent where the database needs no help.
   * May leave it to the next call while another process reads. Rejects with `StoreUnavailable`.
   */
  eraseDeleted?(): Promise<void>;
  close(): Promise<void>;
}

/** The store cannot do it now, but may be able to later. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A newer version of this program wrote the database. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}
