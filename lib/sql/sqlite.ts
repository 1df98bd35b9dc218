import { systemClock, type Clock } from "../base/clock.ts";
import type { LongStep } from "../base/long-step.ts";
import type { Result } from "../base/result.ts";
import {
  type BatchRows,
  type Dialect,
  type MakeSteps,
  type Sql,
  type SqlRow,
  type SqlValue,
  type Step,
  StoreUnavailable,
} from "./sql.ts";
import { runSteps, type RunStatement } from "./sqlite-steps.ts";

/** A prepared statement of `bun:sqlite` or `node:sqlite`. */
export interface SqliteStatement {
  all(...values: SqlValue[]): readonly SqlRow[];
  /** Absent if closing the database finalizes its statements. */
  finalize?(): void;
}

/** A database handle of `bun:sqlite` or `node:sqlite`. */
export interface SqliteDatabase {
  exec(text: string): unknown;
  prepare(text: string): SqliteStatement;
  close(): void;
}

export interface SqliteOptions {
  /** Owned and closed by the adapter. */
  readonly database: SqliteDatabase;
  /**
   * Calls back after pending I/O, so that the writes of all ready requests share one sync to disk: `setImmediate` if the
   * runtime has it. Default: the clock's `sleep(0)`.
   */
  readonly defer?: (callback: () => void) => void;
  readonly clock?: Clock;
  /** The journal, from the first write. Default: `WAL`, for a file that several connections use. */
  readonly journal?: "WAL" | "MEMORY";
  /**
   * Runs the steps in which SQLite copies the write-ahead log into the database. While another process reads, the log cannot
   * be copied, and may grow by gigabytes; the next commit copies it. Default: at once.
   */
  readonly longStep?: LongStep | undefined;
}

/** The most batches in a group. A longer one would delay other requests and gain nothing. */
const MAX_GROUP = 512;
/** The most statements in a group. A larger batch, such as an import, is a group of its own. */
const MAX_GROUP_STEPS = 2_560;

/** For how long other connections' writes may go unseen. Asking takes about as long as answering a request. */
const UNSEEN_MS = 5;

const BUSY_TIMEOUT = "PRAGMA busy_timeout = 1000";

/**
 * The pages in the write-ahead log after which a commit copies them into the database. That blocks the process for about 2 ms.
 * SQLite's default of 1,000 blocks it for 4 to 9 ms; four times as many copies take a tenth more time in all.
 */
const CHECKPOINT_PAGES = 250;

/** Changes nothing in the file, which may be refused because of its tables. Reads its header, so that another file fails. */
const settings = `
  ${BUSY_TIMEOUT};
  PRAGMA schema_version;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
`;

/** The SQL of SQLite. */
export const sqliteDialect: Dialect = {
  identity: "INTEGER PRIMARY KEY AUTOINCREMENT",
  clustered: "WITHOUT ROWID",
  // Without it, SQLite reads the primary key for every query ordered by id and skips the rows that do not match.
  readBy: (index) => `INDEXED BY ${index}`,
  contains: (column) => `instr(${column}, ?) > 0`,
  // Names differ in more than their case.
  relations:
    "SELECT lower(name) AS name FROM sqlite_master WHERE type IN ('table', 'view', 'index')",
  columnsOf: (table) => `SELECT name FROM pragma_table_info('${table}')`,
  continueAfter: (table, _column, last) => [
    { text: "DELETE FROM sqlite_sequence WHERE name = ?", values: [table] },
    { text: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", values: [table, last] },
  ],
};

type BatchOutcome = Result<BatchRows, number>;

interface Batch {
  steps: readonly Step[] | MakeSteps;
  readonly accept: (rows: readonly SqlRow[], index: number) => boolean;
  readonly resolve: (outcome: BatchOutcome) => void;
  readonly reject: (failure: Error) => void;
}

/** Returns how many waiting batches to write together. */
function sizeOfGroup(waiting: readonly Batch[]): number {
  let statements = 0;
  for (const [index, batch] of waiting.entries()) {
    for (const { times = 1 } of stepsOf(batch)) statements += times;
    if (index > 0 && statements > MAX_GROUP_STEPS) return index;
    if (index + 1 === MAX_GROUP) return MAX_GROUP;
  }
  return waiting.length;
}

/** Returns the steps of a batch that begins. */
function stepsOf(batch: Batch): readonly Step[] {
  if (typeof batch.steps !== "function") return batch.steps;
  try {
    return (batch.steps = batch.steps());
  } catch (error) {
    batch.reject(failureOf(error));
    return (batch.steps = []);
  }
}

/**
 * Creates SQL over one SQLite connection. Reads return at once. Batches that wait at the same time share one transaction
 * and one sync to disk; a refused or failed batch is rolled back alone.
 */
export function sqliteSql({
  database,
  clock = systemClock,
  defer = (callback) => void clock.sleep(0).then(callback),
  journal = "WAL",
  longStep = (step) => step(),
}: SqliteOptions): Sql {
  try {
    database.exec(settings);
  } catch (error) {
    throw failureOf(error);
  }
  const waiting: Batch[] = [];
  // Bounded: the code has a finite number of statements, all with `?` placeholders.
  const prepared = new Map<string, SqliteStatement>();
  let flushing = false;
  let closed = false;
  let written = false;
  // A crashed process may have left deleted rows in the write-ahead log.
  let mayHoldDeleted = true;

  const all = (text: string, values: readonly SqlValue[]): readonly SqlRow[] => {
    let statement = prepared.get(text);
    if (statement === undefined) {
      if (closed) throw new Error("The database is closed.");
      statement = database.prepare(text);
      prepared.set(text, statement);
    }
    return statement.all(...values);
  };

  const query = (text: string, values: readonly SqlValue[]): readonly SqlRow[] => {
    try {
      return all(text, values);
    } catch (error) {
      throw failureOf(error);
    }
  };

  const commit = (): void => {
    longStep(() => all("COMMIT", []));
  };

  const rollback = (): void => {
    try {
      all("ROLLBACK", []);
    } catch {
      // On a full disk SQLite has already rolled back.
    }
  };

  const change: RunStatement = (text, values) => {
    if (text.startsWith("DELETE")) mayHoldDeleted = true;
    return all(text, values);
  };

  const run = (batch: Batch): BatchOutcome => runSteps(stepsOf(batch), batch.accept, change);

  /** Returns undefined if a batch fails or is refused; then nothing was written. */
  const writeTogether = (group: readonly Batch[]): readonly BatchOutcome[] | undefined => {
    const outcomes: BatchOutcome[] = [];
    all("BEGIN IMMEDIATE", []);
    for (const batch of group) {
      let outcome: BatchOutcome | undefined;
      try {
        outcome = run(batch);
      } catch (error) {
        const failure = failureOf(error);
        if (group.length === 1 || failure instanceof StoreUnavailable) throw failure;
      }
      if (outcome === undefined || !outcome.ok) {
        rollback();
        return outcome !== undefined && group.length === 1 ? [outcome] : undefined;
      }
      outcomes.push(outcome);
    }
    commit();
    return outcomes;
  };

  const writeApart = (group: readonly Batch[]): readonly (BatchOutcome | Error)[] => {
    const outcomes: (BatchOutcome | Error)[] = [];
    all("BEGIN IMMEDIATE", []);
    for (const batch of group) {
      all("SAVEPOINT batch", []);
      let outcome: BatchOutcome | Error;
      try {
        outcome = run(batch);
      } catch (error) {
        outcome = failureOf(error);
        if (outcome instanceof StoreUnavailable) throw outcome;
      }
      if (outcome instanceof Error || !outcome.ok) all("ROLLBACK TO batch", []);
      all("RELEASE batch", []);
      outcomes.push(outcome);
    }
    commit();
    return outcomes;
  };

  // Nothing awaits between BEGIN and COMMIT: no other work joins the transaction, and no read sees undurable rows.
  const write = (group: readonly Batch[]): void => {
    let outcomes: readonly (BatchOutcome | Error)[];
    try {
      // Changes the file.
      if (!written) all(`PRAGMA journal_mode = ${journal}`, []);
      written = true;
      // Savepoints are slow, and most groups have nothing to roll back.
      outcomes = writeTogether(group) ?? writeApart(group);
    } catch (error) {
      rollback();
      const failure = failureOf(error);
      for (const { reject } of group) reject(failure);
      return;
    }
    for (const [index, outcome] of outcomes.entries()) {
      const batch = group[index];
      if (outcome instanceof Error) batch?.reject(outcome);
      else batch?.resolve(outcome);
    }
  };

  const flush = (): void => {
    const group = waiting.splice(0, sizeOfGroup(waiting));
    if (waiting.length > 0) defer(flush);
    else flushing = false;
    if (group.length > 0) write(group);
  };

  const dataVersion = (): SqlValue | undefined =>
    query("PRAGMA data_version", [])[0]?.["data_version"];
  let seenVersion = dataVersion();
  let askedAt = clock.now();

  return {
    dialect: sqliteDialect,
    blocks: true,
    query: ({ text, values }) => query(text, values),
    batch: (steps, accept) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new Error("The database is closed."));
          return;
        }
        waiting.push({ steps, accept, resolve, reject });
        if (flushing) return;
        flushing = true;
        defer(flush);
      }),
    changedElsewhere: () => {
      const now = clock.now();
      // Also asks if the clock was set back.
      if (now >= askedAt && now < askedAt + UNSEEN_MS) return false;
      askedAt = now;
      const version = dataVersion();
      if (version === seenVersion) return false;
      seenVersion = version;
      return true;
    },
    eraseDeleted: async () => {
      if (closed || !mayHoldDeleted) return;
      // A delete overwrites pages, but the write-ahead log keeps their old content until a checkpoint. The checkpoint
      // does not wait for readers, which would block the event loop: the next call tries again.
      query("PRAGMA busy_timeout = 0", []);
      try {
        const [outcome] = longStep(() => query("PRAGMA wal_checkpoint(TRUNCATE)", []));
        mayHoldDeleted = outcome?.["busy"] !== 0;
      } finally {
        query(BUSY_TIMEOUT, []);
      }
    },
    close: async () => {
      if (closed) return;
      while (waiting.length > 0) flush();
      closed = true;
      for (const statement of prepared.values()) statement.finalize?.();
      prepared.clear();
      longStep(() => database.close());
    },
  };
}

/** Primary result codes of temporary failures, with a description for the operator (sqlite.org/rescode.html). */
const temporary: Readonly<Record<number, string>> = {
  5: "is locked by another process",
  6: "is locked",
  7: "has no memory left",
  8: "cannot be written",
  10: "cannot be read or written",
  13: "has no space left on its disk",
  14: "cannot be opened",
  15: "is locked by another process",
};

/** Wraps an error of a SQLite handle; the original is the cause. `code` is its result code. */
export function failureOf(error: unknown, code: number = resultCode(error)): Error {
  const words = temporary[code & 0xff];
  if (words !== undefined) return new StoreUnavailable(`The database ${words}.`, { cause: error });
  return error instanceof Error ? error : new Error("The database failed.", { cause: error });
}

/** Returns the result code, which may be an extended one: `errno` in bun:sqlite, `errcode` in node:sqlite; 0 if neither. */
function resultCode(error: unknown): number {
  if (typeof error !== "object" || error === null) return 0;
  if ("errno" in error && typeof error.errno === "number") return error.errno;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  return 0;
}
