import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { DatabaseClock } from "../base/database-clock.ts";

/** A value of a column or of a parameter. */
export type SqlValue = string | number | null;
/** A row, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** SQL with `?` placeholders, in the common subset of SQLite 3.40 and PostgreSQL 15. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The parts of SQL that differ between databases. */
export interface Dialect {
  /** The type of a primary key that the database assigns: it increases and is never reused. */
  readonly identity: string;
  /** Ends the definition of a table stored in primary key order. May be empty. */
  readonly clustered: string;
  /** Follows a table's name and makes the planner use that index. May be empty. */
  readonly readBy: (index: string) => string;
  /** A condition: the column contains the bound value literally. */
  readonly contains: (column: string) => string;
  /** Selects the `name` of every table, view and index, as far as they could clash with ours. */
  readonly relations: string;
  /** Selects the `name` of every column of a table; none if it does not exist. */
  readonly columnsOf: (table: string) => string;
  /**
   * An expression for the database's clock, in milliseconds since the Unix epoch. Absent if the database has none of its
   * own: then every process uses the clock of its machine.
   */
  readonly now?: string;
  /** Sequences, which assign increasing numbers without waiting for other transactions. Absent: a row is counted up. */
  readonly sequence?: {
    /** Returns the statement that creates one. `last` is an expression for a number below all that it assigns. */
    readonly create: (name: string, last: string) => string;
    /** An expression for its next number. */
    readonly next: (name: string) => string;
  };
  /** Makes the column of type `identity` assign numbers above `last`, which must not be below those in use. */
  readonly continueAfter: (table: string, column: string, last: number) => readonly Statement[];
}

/** The rows of each step of a batch, by the step's index. */
export type BatchRows = readonly (readonly SqlRow[])[];

/** A statement of a batch. Its values may depend on earlier steps' rows. */
export interface Step {
  readonly text: string;
  /** Pure, because a batch may run twice. If it returns undefined, the step is skipped and yields no rows. */
  readonly values:
    | readonly SqlValue[]
    | ((earlier: BatchRows, index: number) => readonly SqlValue[] | undefined);
  /**
   * Adds so many rows, with the values of each index from 0, and yields no rows. Only for `INSERT … VALUES (…)`, which an
   * adapter may send for many rows at once. Default: the statement runs once, with index 0.
   */
  readonly times?: number;
}

/** Makes the steps of a batch. Called once, when the batch begins: until then the caller may collect work for it. */
export type MakeSteps = () => readonly Step[];

/** A pending upgrade of a component's tables, from version `from`, which is 0 if it has none, to version `to`. */
export interface PlannedMigration {
  readonly component: string;
  readonly from: number;
  readonly to: number;
}

/** The lane of migrations: a database gives its batches as long as they take. */
export const MIGRATIONS_LANE = "migrations";

/**
 * A SQL database. Every adapter guarantees (`sqlContract`):
 *
 * - A batch is one transaction. After each step it calls `accept`; `false` rolls the batch back. It resolves once the
 *   rows are durable, or is refused with the index of the step that was not accepted. `accept` must be pure and must not
 *   call the database.
 * - The batches of one lane run one after another, in call order, in all processes. Batches of different lanes may
 *   overlap: then a statement sees what the others have committed, and waits for rows that they have changed.
 * - A statement binds up to 200 values, beside those of its lists `IN (?, ?, …)`, which have up to 1,000 each. It is at most
 *   100 KB long, its expressions at most 100 deep, and it joins at most five SELECTs.
 * - Texts arrive unchanged, integers up to 2^53 as numbers. Texts are ordered by code point.
 * - Database errors reject; with `StoreUnavailable` if a later attempt may succeed. The batch may have been applied
 *   nevertheless if the connection was lost while the database committed it.
 */
export interface Sql {
  readonly dialect: Dialect;
  /** True if batches run on the caller's thread: then a long one delays everything else that the process does. */
  readonly blocks?: boolean;
  /**
   * True if other processes may have had the database open when it was opened. Only then is work that looks interrupted
   * possibly still done by another one.
   */
  readonly shared?: boolean;
  /** Only for statements that write nothing. */
  query(statement: Statement): Eventual<readonly SqlRow[]>;
  batch(
    steps: readonly Step[] | MakeSteps,
    accept: (rows: readonly SqlRow[], index: number) => boolean,
    /** What the batch is about, such as one catalogue. Default: the empty text. */
    lane?: string,
  ): Promise<Result<BatchRows, number>>;
  /** The database's clock as this process knows it. Absent if the database has none of its own, or a test gives one. */
  readonly clock?: DatabaseClock;
  /**
   * Returns true if another connection has written since the previous call. May be up to 5 milliseconds late. Absent if the
   * database does not tell: then every copy of a row must be confirmed by a query.
   */
  changedElsewhere?(): boolean;
  /**
   * Returns the last number of the table's identity column `seq` up to which no row can appear any more. Rows beyond it
   * may be visible already. Absent if rows appear in the order of their numbers.
   */
  settled?(table: string): Eventual<number>;
  /**
   * Returns the number of the timeline that the newest connection reads: the same in all processes. When it changes, what
   * was read before may be lost, and its numbers used again. At most 2^53. Absent if the database never loses writes.
   */
  readonly timeline?: () => number;
  /**
   * False if the host creates and upgrades the tables, with `migrations` of `petstore/migrations`. Default: each store upgrades
   * its own when it is opened.
   */
  readonly migrates?: boolean;
  /** Runs before migrations. If it rejects, none is applied. */
  readonly beforeMigration?: (planned: readonly PlannedMigration[]) => Promise<void>;
  /**
   * Erases rows deleted before the call from the files. Absent if the database does that automatically. May leave the
   * work to the next call while another process reads. Rejects with `StoreUnavailable`.
   */
  eraseDeleted?(): Promise<void>;
  close(): Promise<void>;
}

/** The store is temporarily unavailable: a later attempt may succeed. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";
}

/**
 * The database cannot be used until its operator or the configuration changes: missing rights, a wrong certificate, an old
 * version, tables of another program.
 */
export class UnsuitableDatabase extends StoreUnavailable {
  override readonly name: string = "UnsuitableDatabase";
}

/**
 * The database has tables of another program, or of the host, under names that are needed. Nothing was changed.
 */
export class ForeignTables extends UnsuitableDatabase {
  override readonly name = "ForeignTables";
  /** Names of such tables, in alphabetical order. */
  readonly tables: readonly string[];

  constructor(message: string, tables: readonly string[]) {
    super(message);
    this.tables = tables;
  }
}

/** Tables are missing or too old, and the host upgrades them itself. Nothing was changed. */
export class MissingMigrations extends UnsuitableDatabase {
  override readonly name = "MissingMigrations";
  /** The upgrades that the host has to apply, in this order. */
  readonly missing: readonly PlannedMigration[];

  constructor(missing: readonly PlannedMigration[]) {
    const steps = missing.map(({ component, from, to }) => `${component} ${from} to ${to}`);
    super(
      `The database lacks migrations of Petstore (${steps.join(", ")}), and the option migrate is false. ` +
        "Nothing was changed. Apply the SQL of `migrations` from petstore/migrations, then open it again.",
    );
    this.missing = missing;
  }
}

/** An import into the database was interrupted: some of its rows are missing. */
export class UnfinishedImport extends Error {
  override readonly name = "UnfinishedImport";
}

/** A newer version of this program wrote the database. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
}
