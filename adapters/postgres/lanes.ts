import { done, refused, type Result } from "../../lib/base/result.ts";
import {
  arrayLiterals,
  failingOf,
  failureOf,
  type ManyRows,
  manyRowsOf,
  translate,
} from "../../lib/sql/postgres.ts";
import {
  type BatchRows,
  type MakeSteps,
  MIGRATIONS_LANE,
  type Sql,
  type SqlRow,
  type SqlValue,
  type Step,
  StoreUnavailable,
} from "../../lib/sql/sql.ts";
import type { Connection } from "./connection.ts";
import type { KnownLocks, Locks } from "./locks.ts";
import type { Pool } from "./pool.ts";

type BatchOutcome = Result<BatchRows, number>;

interface Batch {
  steps: readonly Step[] | MakeSteps;
  readonly accept: (rows: readonly SqlRow[], index: number) => boolean;
  readonly resolve: (outcome: BatchOutcome) => void;
  readonly reject: (failure: Error) => void;
}

/** The end of a transaction. Only `committed` has written anything, and `unknown` may have. */
type Ending =
  | { readonly kind: "committed"; readonly outcomes: readonly BatchOutcome[] }
  | { readonly kind: "refused"; readonly outcome: BatchOutcome }
  | { readonly kind: "failed"; readonly failure: unknown }
  | { readonly kind: "unknown"; readonly failure: unknown };

/** The most batches in a transaction. Each statement waits for the network, and the lane's locks are held meanwhile. */
const MAX_GROUP = 32;
/** The most rows in a statement. */
const MAX_ROWS = 5_000;
/** How often a transaction is repeated that lost against another one, or its connection before the end. */
const MAX_ATTEMPTS = 5;
/** More unconfirmed commits than these stop further writes while one of them waits for a standby. */
const MAX_UNCONFIRMED = 8;
/** Only the role's own processes show what they wait for. */
const LIST_AWAITING_STANDBY = `SELECT pid FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND datname = current_database() AND usename = current_user LIMIT 1`;
/** A migration may build indexes of large tables. */
const MIGRATION_PATIENCE_MS = 3_600_000;

/**
 * Writes batches: those of one lane in call order, several in one transaction if they wait at the same time, and those of
 * different lanes side by side. A transaction holds the lock of its lane, so it needs no other lane's.
 */
export class Lanes {
  readonly #pool: Pool;
  readonly #most: number;
  readonly #locks: KnownLocks;
  /** Runs in the transactions that migrate. */
  readonly #prepare: string;
  readonly #lanes = new Map<string, Batch[]>();
  /** Lanes that have batches and no transaction, longest wait first. */
  readonly #ready: string[] = [];
  readonly #types = new ColumnTypes();
  /** Commits that were not confirmed since the last one that was. The server may still hold their connections. */
  #unconfirmed = 0;
  #working = 0;
  #starting = false;
  #whenIdle: (() => void) | undefined;

  constructor(
    pool: Pool,
    {
      most,
      locks,
      prepare,
    }: { readonly most: number; readonly locks: KnownLocks; readonly prepare: string },
  ) {
    this.#pool = pool;
    this.#most = most;
    this.#locks = locks;
    this.#prepare = prepare;
  }

  batch(steps: Batch["steps"], accept: Batch["accept"], lane: string): ReturnType<Sql["batch"]> {
    return new Promise((resolve, reject) => {
      const batch: Batch = { steps, accept, resolve, reject };
      const waiting = this.#lanes.get(lane);
      if (waiting !== undefined) {
        waiting.push(batch);
        return;
      }
      this.#lanes.set(lane, [batch]);
      this.#ready.push(lane);
      this.#start();
    });
  }

  /** Resolves when all batches are written. */
  async idle(): Promise<void> {
    if (this.#lanes.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  #start(): void {
    if (this.#starting) return;
    this.#starting = true;
    // After pending I/O, so that the batches of all ready requests share their transactions.
    setImmediate(() => {
      this.#starting = false;
      // A quiet server refuses the rest at once.
      while (this.#working < this.#most || this.#pool.quiet) {
        const lane = this.#ready.shift();
        if (lane === undefined) return;
        void this.#work(lane);
      }
    });
  }

  async #work(lane: string): Promise<void> {
    this.#working++;
    const waiting = this.#lanes.get(lane) ?? [];
    await this.#writeGroup(lane, waiting.splice(0, MAX_GROUP));
    this.#working--;
    if (waiting.length > 0) this.#ready.push(lane);
    else this.#lanes.delete(lane);
    if (this.#ready.length > 0) this.#start();
    if (this.#lanes.size === 0) this.#whenIdle?.();
  }

  async #writeGroup(lane: string, group: readonly Batch[]): Promise<void> {
    const ending = await this.#write(lane, group);
    if (ending.kind === "committed") {
      for (const [index, outcome] of ending.outcomes.entries()) group[index]?.resolve(outcome);
      return;
    }
    const [batch] = group;
    const apart = group.length > 1 && ending.kind !== "unknown" && !isOutage(ending);
    if (apart) for (const one of group) await this.#writeGroup(lane, [one]);
    else if (ending.kind === "refused") batch?.resolve(ending.outcome);
    else for (const { reject } of group) reject(failureOf(ending.failure));
  }

  /** Writes the group in one transaction, and repeats it if that is safe and may help. */
  async #write(lane: string, group: readonly Batch[]): Promise<Ending> {
    let lost = false;
    for (let attempt = 1; ; attempt++) {
      let connection: Connection;
      try {
        connection = await (lost ? this.#pool.acquireNew() : this.#pool.acquire());
      } catch (failure) {
        return { kind: "failed", failure };
      }
      const ending = await this.#transaction(connection, lane, group);
      this.#pool.release(connection);
      if (ending.kind !== "failed" || attempt === MAX_ATTEMPTS) return ending;
      if (ending.failure instanceof StoreUnavailable) return ending;
      const failing = failingOf(ending.failure);
      lost = failing === "lost";
      if (!lost && failing !== "conflict") return ending;
    }
  }

  async #transaction(
    connection: Connection,
    lane: string,
    group: readonly Batch[],
  ): Promise<Ending> {
    const patience = lane === MIGRATIONS_LANE ? MIGRATION_PATIENCE_MS : undefined;
    const outcomes: BatchOutcome[] = [];
    try {
      await this.#refuseIfStuck(connection);
      const locks = await this.#locks.on(connection);
      const prepare = lane === MIGRATIONS_LANE ? this.#prepare : "";
      await connection.runAll(beginning(lane, locks, prepare), patience);
      for (const batch of group) {
        const outcome = await this.#run(connection, batch, patience);
        if (!outcome.ok) {
          await connection.run("ROLLBACK", []);
          return { kind: "refused", outcome };
        }
        outcomes.push(outcome);
      }
    } catch (failure) {
      await rollBack(connection);
      return { kind: "failed", failure };
    }
    try {
      await commit(connection);
      this.#unconfirmed = 0;
      return { kind: "committed", outcomes };
    } catch (cause) {
      // Never repeated: it may have been applied.
      connection.drop();
      this.#unconfirmed++;
      const failure = new StoreUnavailable("The database did not confirm a write.", { cause });
      return { kind: "unknown", failure };
    }
  }

  /**
   * Refuses writes while commits wait for a missing standby: PostgreSQL keeps their connections, which nothing ends, and
   * would soon have none left for reads.
   */
  async #refuseIfStuck(connection: Connection): Promise<void> {
    if (this.#unconfirmed < MAX_UNCONFIRMED) return;
    const waiting = await connection.run(LIST_AWAITING_STANDBY, []);
    if (waiting.length > 0) throw new StoreUnavailable("The database waits for its standby.");
    this.#unconfirmed = 0;
  }

  async #run(
    connection: Connection,
    batch: Batch,
    patience: number | undefined,
  ): Promise<BatchOutcome> {
    if (typeof batch.steps === "function") batch.steps = batch.steps();
    const rows: (readonly SqlRow[])[] = [];
    for (const step of batch.steps) {
      const found = await this.#runStep(connection, step, rows, patience);
      if (!batch.accept(found, rows.length)) return refused(rows.length);
      rows.push(found);
    }
    return done(rows);
  }

  async #runStep(
    connection: Connection,
    { text, values, times }: Step,
    earlier: BatchRows,
    patience: number | undefined,
  ): Promise<readonly SqlRow[]> {
    if (times === undefined) {
      const bound = typeof values === "function" ? values(earlier, 0) : values;
      return bound === undefined ? [] : connection.run(translate(text), bound, patience);
    }
    const rows: (readonly SqlValue[])[] = [];
    for (let index = 0; index < times; index++) {
      const row = typeof values === "function" ? values(earlier, index) : values;
      if (row !== undefined) rows.push(row);
    }
    if (rows.length === 0) return [];
    const insert = insertOf(text);
    const statement = insert.text(await this.#types.of(connection, insert));
    for (let start = 0; start < rows.length; start += MAX_ROWS) {
      const some = rows.slice(start, start + MAX_ROWS);
      await connection.run(statement, arrayLiterals(some), patience);
    }
    return [];
  }
}

/** Begins a transaction and waits for its lane. Any number that it takes from an identity column comes after the lock. */
function beginning(lane: string, { ofLane, writers }: Locks, prepare: string): string {
  const patience = lane === MIGRATIONS_LANE ? "SET LOCAL statement_timeout = 0;" : "";
  return `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${patience}
    SELECT pg_advisory_xact_lock(${ofLane(lane).join(", ")}); ${prepare}
    SELECT pg_advisory_xact_lock_shared(${writers.join(", ")})`;
}

/**
 * Commits. `COMMIT` alone succeeds without a transaction too, for example on a new connection of the driver;
 * `AND CHAIN` fails there, and the transaction that it begins ends at once. Without a SELECT, postgres.js returns only the
 * last command tag.
 */
export async function commit(connection: Connection): Promise<void> {
  const [outcome] = await connection.runAll("COMMIT AND CHAIN; SELECT 1; ROLLBACK");
  if (outcome?.command !== "COMMIT") throw new Error(`COMMIT ended as ${outcome?.command}.`);
}

async function rollBack(connection: Connection): Promise<void> {
  if (connection.lost) return;
  try {
    await connection.run("ROLLBACK", []);
  } catch {
    connection.drop();
  }
}

/** Then each batch alone would fail too. */
function isOutage(ending: Ending): boolean {
  if (ending.kind !== "failed") return false;
  return failureOf(ending.failure) instanceof StoreUnavailable;
}

const inserts = new Map<string, ManyRows>();

function insertOf(text: string): ManyRows {
  let found = inserts.get(text);
  if (found === undefined) inserts.set(text, (found = manyRowsOf(text)));
  return found;
}

const TYPES_OF = `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`;

/** The types of columns, which never change. */
class ColumnTypes {
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  async of(connection: Connection, { table, columns }: ManyRows): Promise<readonly string[]> {
    let known = this.#known.get(table);
    if (known === undefined || !columns.every((column) => known?.has(column))) {
      const rows = await connection.run(TYPES_OF, [table]);
      known = new Map(rows.map(({ name, type }) => [String(name), String(type)]));
      this.#known.set(table, known);
    }
    return columns.map((column) => known.get(column) ?? "text");
  }
}
