import { systemClock } from "../../lib/base/clock.ts";
import { joinAsks } from "../../lib/base/join-asks.ts";
import { databaseClock } from "../../lib/base/database-clock.ts";
import { failingOf, failureOf, postgresDialect, translate } from "../../lib/sql/postgres.ts";
import { type Sql, type SqlRow, type Statement, StoreUnavailable } from "../../lib/sql/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import { type Connection, OTHERS } from "./connection.ts";
import { Lanes } from "./lanes.ts";
import { type PostgresCounters, postgresCounters } from "./limits.ts";
import { fromHolders, KnownLocks } from "./locks.ts";
import { type PostgresOptions, serversOf } from "./options.ts";
import { Pool } from "./pool.ts";
import { checkSchema } from "./schema.ts";
import { quoted } from "./schema-name.ts";

export type {
  Applied,
  ClearStep,
  CounterStep,
  RefundStep,
  SharedCounters,
  SpendOutcome,
  SpendStep,
} from "../../lib/accounts/shared-counters.ts";
export {
  sharedLimits,
  type HandedCounters,
  type LimitsStatus,
  type SharedLimits,
} from "../redis/handed-limits.ts";
export type { CountingRow, CountingState } from "../redis/hand-over.ts";
export type { PostgresCounters, SeenCounter } from "./limits.ts";
export type { PostgresClient, PostgresClientOptions, PostgresTls } from "./connection.ts";
export type { PostgresOptions } from "./options.ts";

/**
 * Opens a store in a PostgreSQL database. Rejects with `StoreUnavailable`, `UnsuitableDatabase`, `NewerSchema`, or with
 * a `TypeError` for invalid options.
 */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const sql = await postgresSql(options);
  const { clock } = options;
  try {
    return await sqlStore({ sql, clock });
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** A PostgreSQL database. */
export interface PostgresSql extends Sql {
  /** The limits of all processes, over a connection of their own. They close with the database. */
  readonly counters: PostgresCounters;
}

/**
 * Opens a PostgreSQL database that several stores and processes share. It closes with the store of `sqlStore`. Rejects
 * with `StoreUnavailable`, `UnsuitableDatabase`, or with a `TypeError` for invalid options.
 */
export async function postgresSql(options: PostgresOptions): Promise<PostgresSql> {
  const { connections = 10, clock, machine = systemClock, migrate = true } = options;
  const { access, deadlines, primary } = serversOf(options);
  const writing = Math.max(1, Math.floor((connections - 1) / 2));
  const pool = new Pool(primary, {
    most: connections,
    deadlines,
    patienceMs: access.queryTimeoutMs,
  });
  const locks = new KnownLocks();
  const { close: closeCounters, ...counters } = postgresCounters({
    connect: () => primary.connect(),
    hear: () => pool.hear(),
    locks,
    migrates: migrate,
    ...(clock === undefined ? {} : { clock }),
  });
  let closing: Promise<void> | undefined;

  let shared: boolean;
  let prepare = "";
  const first = await pool.acquire();
  try {
    if (await checkSchema(first, access, migrate)) {
      prepare = `CREATE SCHEMA IF NOT EXISTS ${quoted(access.schema ?? "")};`;
    }
    shared = await hasOthers(first);
  } finally {
    pool.release(first);
  }
  const lanes = new Lanes(pool, { most: writing, locks, prepare });

  const read = async <Rows>(ask: (connection: Connection) => Promise<Rows>): Promise<Rows> => {
    const askOn = async (connection: Connection): Promise<Rows> => {
      try {
        return await ask(connection);
      } finally {
        pool.release(connection);
      }
    };
    try {
      return await askOn(pool.take() ?? (await pool.acquire()));
    } catch (error) {
      // The server may have ended an idle connection. A read can be repeated.
      if (error instanceof StoreUnavailable || failingOf(error) !== "lost") throw failureOf(error);
    }
    try {
      return await askOn(await pool.acquireNew());
    } catch (error) {
      throw failureOf(error);
    }
  };

  const query = ({ text, values }: Statement): Promise<readonly SqlRow[]> =>
    read((connection) => connection.run(translate(text), values));

  const { now: instant = "0" } = postgresDialect;
  // A test gives a clock to control the time.
  const followed =
    clock === undefined
      ? await databaseClock({
          machine,
          ask: async () =>
            Number((await query({ text: `SELECT ${instant} AS at`, values: [] }))[0]?.["at"]),
        })
      : undefined;

  const settling = new Settling((last) =>
    read(async (connection) => {
      const { writers } = await locks.on(connection);
      // Two statements, because the numbers must be read before the writers.
      const text = `${last}; SELECT virtualtransaction AS writer ${fromHolders(writers)}`;
      return (await connection.runAll(text)).map(({ rows }) => rows);
    }),
  );

  return {
    dialect: postgresDialect,
    shared,
    migrates: migrate,
    ...(followed === undefined ? {} : { clock: followed }),
    query,
    batch: (steps, accept, lane = "") =>
      closing === undefined
        ? lanes.batch(steps, accept, lane)
        : Promise.reject(new Error("The database is closed.")),
    settled: (table) => settling.of(table),
    timeline: () => primary.timeline,
    counters,
    close: () => {
      closing ??= (async () => {
        await closeCounters();
        await lanes.idle();
        await pool.close();
      })();
      return closing;
    },
  };
}

/** Returns whether another process has the database open. A process that lost its connections is not seen. */
async function hasOthers(connection: Connection): Promise<boolean> {
  try {
    return (await connection.run(OTHERS, [])).length > 0;
  } catch (error) {
    throw failureOf(error);
  }
}

/** A question which numbers are final that had to stay open, because transactions were writing. */
interface Tick {
  /** The last number that was taken. */
  readonly last: number;
  /** The transactions that may yet commit a number up to it. */
  readonly writers: ReadonlySet<string>;
}

/**
 * The most open ticks of a table: the oldest, which settle first, and the newest. If the newest replaced the oldest, none
 * would settle while writes overlap and callers ask more often than writes end.
 */
const MAX_TICKS = 16;

/**
 * Finds how far identity columns are final. A number is taken before its transaction commits, so a greater one may be
 * visible earlier. All writers hold a lock, which the database lists: once those have ended that held it after the last
 * number was read, no row up to that number can appear.
 */
class Settling {
  readonly #tables = new Map<string, { settled: number; ticks: readonly Tick[] }>();
  readonly of: (table: string) => Promise<number>;

  /** `ask` returns the rows of a query for the last number, and then the writers. */
  constructor(ask: (last: string) => Promise<readonly (readonly SqlRow[])[]>) {
    this.of = joinAsks(1, async ([table = ""]: readonly string[]) => {
      const [numbers, writers] = await ask(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_seq_seq`,
      );
      const last = Number(numbers?.[0]?.["last"] ?? 0);
      const settled = this.#settle(table, {
        last,
        writers: new Set(writers?.map(({ writer }) => String(writer))),
      });
      return () => settled;
    });
  }

  #settle(table: string, tick: Tick): number {
    const known = this.#tables.get(table) ?? { settled: 0, ticks: [] };
    const ended = (one: Tick): boolean => ![...one.writers].some((id) => tick.writers.has(id));
    // After a failover that lost writes, or a restore, the numbers begin again.
    const earlier = known.ticks.filter(({ last }) => last <= tick.last);
    const all = [...earlier, tick];
    const settled = all
      .filter((one) => one.writers.size === 0 || (one !== tick && ended(one)))
      .reduce((most, { last }) => Math.max(most, last), Math.min(known.settled, tick.last));
    const open = earlier.filter(({ last }) => last > settled).slice(0, MAX_TICKS - 1);
    const ticks = tick.last > settled ? [...open, tick] : open;
    this.#tables.set(table, { settled, ticks });
    return settled;
  }
}
