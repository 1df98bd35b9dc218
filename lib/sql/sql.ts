import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** SQL with `?` for its values, in the common dialect of SQLite 3.40 and PostgreSQL 15. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The differences between the databases. */
export interface Dialect {
  /** A primary key that the database assigns: it grows, and no number is ever assigned twice. */
  readonly identity: string;
  /** Ends the definition of a table that stores its rows in the order of the primary key. May be empty. */
  readonly clustered: string;
  /** Follows the name of a table to make the planner use that index. May be empty. */
  readonly readBy: (index: string) => string;
  /** A condition: the column contains the value, letter by letter. */
  readonly contains: (column: string) => string;
}

/** The rows of each step of a batch, by the step's index. */
export type BatchRows = readonly (readonly SqlRow[])[];

/** A statement of a batch. Its values may depend on the rows of earlier steps. */
export interface Step {
  readonly text: string;
  /** Pure, because a batch may run twice. Undefined skips the step, which then yields no row. */
  readonly values: readonly SqlValue[] | ((earlier: BatchRows) => readonly SqlValue[] | undefined);
}

/** A pending upgrade of a component's tables. `from` is 0 if it has none yet. */
export interface PlannedMigration {
  readonly component: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A SQL database. Every adapter promises (test/contract/sql.ts):
 *
 * - A batch is one transaction. It calls `accept` after each step; `false` rolls the batch back. It resolves with the
 *   rows of every step once they are durable, or refused with the index of that step.
 * - A batch never sees part of another one. `accept` must be pure and must not call the database.
 * - Integers up to 2^53 arrive as numbers.
 * - Errors of the database reject, with `StoreUnavailable` if a later attempt may succeed.
 */
export interface Sql {
  readonly dialect: Dialect;
  query(statement: Statement): Eventual<readonly SqlRow[]>;
  batch(
    steps: readonly Step[],
    accept: (rows: readonly SqlRow[], index: number) => boolean,
  ): Promise<Result<BatchRows, number>>;
  /** True when another connection has written since the previous call. May be up to a millisecond late. */
  changedElsewhere(): boolean;
  /** Runs before migrations. If it rejects, no migration is applied. */
  readonly beforeMigration?: (planned: readonly PlannedMigration[]) => Promise<void>;
  /**
   * Erases rows that were deleted before the call from the files. Absent where the database does so itself. May leave
   * the work to the next call while another process reads. Rejects with `StoreUnavailable`.
   */
  eraseDeleted?(): Promise<void>;
  close(): Promise<void>;
}

/** The store is temporarily unavailable: a later attempt may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A newer version of this program wrote the database. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}
