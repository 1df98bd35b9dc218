import {
  aClock,
  aFunction,
  aText,
  checkOptions,
  type Expectation,
  optional,
} from "../lib/base/options.ts";
import { systemClock, type Clock } from "../lib/base/clock.ts";
import { joinAsks } from "../lib/base/join-asks.ts";
import { failingOf, failureOf, postgresDialect, translate } from "../lib/sql/postgres.ts";
import {
  type Sql,
  type SqlRow,
  type Statement,
  StoreUnavailable,
  UnsuitableDatabase,
} from "../lib/sql/sql.ts";
import { sqlStore } from "../lib/storage/sql-store.ts";
import type { Store } from "../lib/storage/store.ts";
import { addressOf } from "./postgres-address.ts";
import {
  APPLICATION,
  type Connection,
  Deadlines,
  type PostgresAccess,
  type PostgresClient,
  type PostgresClientOptions,
} from "./postgres-connection.ts";
import { Lanes, LIST_WRITERS } from "./postgres-lanes.ts";
import { Pool, Primary } from "./postgres-pool.ts";

export type { PostgresClient, PostgresClientOptions, PostgresTls } from "./postgres-connection.ts";

export interface PostgresOptions {
  /**
   * `postgres://user:password@host:5432/database`. Several hosts, `a:5432,b:5432`, are tried in turn for the one that
   * accepts writes. `?sslmode=` is `disable`, `prefer` (default), `require` or `verify-full`; `?host=/run/postgresql`
   * names the directory of a socket.
   */
  readonly url: string;
  /** Makes a client of one connection: `(options) => new Bun.SQL(options)`, or `postgres` of the package postgres. */
  readonly connect: (options: PostgresClientOptions) => PostgresClient;
  /** PEM of the authorities that `verify-full` trusts. Default: the runtime's. */
  readonly ca?: string;
  /** The most connections, at least 2; fewer than half of them write at the same time. Default 10. */
  readonly connections?: number;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** The longest time for a statement, including its wait for locks. Default 10,000. */
  readonly queryTimeoutMs?: number;
  readonly clock?: Clock;
}

/** Opens a store in a PostgreSQL database. Rejects with `StoreUnavailable`, `UnsuitableDatabase`, `NewerSchema`. */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const sql = await postgresSql(options);
  const { clock = systemClock } = options;
  try {
    return await sqlStore({ sql, clock });
  } catch (error) {
    await sql.close();
    throw error;
  }
}

const aCount = (least: number): Expectation => ({
  what: `an integer of at least ${least}`,
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= least,
});

/**
 * Opens a PostgreSQL database that several stores and processes share. It closes with the store of `sqlStore`. Rejects with
 * `StoreUnavailable`, `UnsuitableDatabase`.
 */
export async function postgresSql(options: PostgresOptions): Promise<Sql> {
  checkOptions("The PostgreSQL store", options, {
    url: { ...aText, secret: true },
    connect: aFunction,
    ca: optional(aText),
    connections: optional(aCount(2)),
    connectTimeoutMs: optional(aCount(1)),
    queryTimeoutMs: optional(aCount(1)),
    clock: optional(aClock),
  });
  const { url, connect, ca, connections = 10, clock = systemClock } = options;
  const { connectTimeoutMs = 5_000, queryTimeoutMs = 10_000 } = options;
  const { servers, ...account } = addressOf(url);
  const access: PostgresAccess = {
    ...account,
    connect,
    connectTimeoutMs,
    queryTimeoutMs,
    ...(ca === undefined ? {} : { ca }),
  };
  const deadlines = new Deadlines(clock);
  const primary = new Primary(servers, access, deadlines);
  const writing = Math.max(1, Math.floor((connections - 1) / 2));
  const pool = new Pool(primary, { most: connections, deadlines, patienceMs: queryTimeoutMs });
  const lanes = new Lanes(pool, writing);
  let closing: Promise<void> | undefined;

  let shared: boolean;
  const first = await pool.acquire();
  try {
    await checkTables(first, access);
    shared = await hasOthers(first);
  } finally {
    pool.release(first);
  }

  const ask = async (connection: Connection, { text, values }: Statement) => {
    try {
      return await connection.run(translate(text), values);
    } finally {
      pool.release(connection);
    }
  };

  const query = async (statement: Statement): Promise<readonly SqlRow[]> => {
    try {
      return await ask(pool.take() ?? (await pool.acquire()), statement);
    } catch (error) {
      // The server may have ended an idle connection. A read can be repeated.
      if (error instanceof StoreUnavailable || failingOf(error) !== "lost") throw failureOf(error);
    }
    try {
      return await ask(await pool.acquire(), statement);
    } catch (error) {
      throw failureOf(error);
    }
  };

  const settling = new Settling(async (text) => {
    const connection = await pool.acquire();
    try {
      return (await connection.runAll(text)).map(({ rows }) => rows);
    } catch (error) {
      throw failureOf(error);
    } finally {
      pool.release(connection);
    }
  });

  return {
    dialect: postgresDialect,
    shared,
    query,
    batch: (steps, accept, lane = "") =>
      closing === undefined
        ? lanes.batch(steps, accept, lane)
        : Promise.reject(new Error("The database is closed.")),
    settled: (table) => settling.of(table),
    close: () => {
      closing ??= (async () => {
        await lanes.idle();
        await pool.close();
      })();
      return closing;
    },
  };
}

const TABLES = `SELECT current_schema() AS schema, current_user AS role,
  CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN 'yes' ELSE 'no' END AS creates,
  (SELECT COUNT(*) FROM pg_attribute WHERE attname IN ('component', 'version')
    AND attrelid = to_regclass(quote_ident(current_schema()) || '.schema_migrations')) AS known,
  (SELECT string_agg(relname, ', ') FROM (
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT EXISTS (
      SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e'
    )
    ORDER BY relname LIMIT 3
  ) AS few) AS tables`;

/** Rejects with `UnsuitableDatabase` if the tables of the schema are another program's, or none can be created. */
async function checkTables(connection: Connection, { database }: PostgresAccess): Promise<void> {
  let row: SqlRow | undefined;
  try {
    [row] = await connection.run(TABLES, []);
  } catch (error) {
    throw failureOf(error);
  }
  const { schema, role, creates, known, tables } = row ?? {};
  if (typeof schema !== "string") {
    throw new UnsuitableDatabase(
      `The database ${database} has no schema in the search path of ${role}. Create one: CREATE SCHEMA petstore AUTHORIZATION ${role}.`,
    );
  }
  if (typeof tables === "string" && known !== 2) {
    throw new UnsuitableDatabase(
      `The schema ${schema} of the database ${database} holds tables of another program, such as ${tables}. ` +
        "Create a database for Petstore alone.",
    );
  }
  if (creates !== "yes") {
    throw new UnsuitableDatabase(
      `${role} may not create tables in the schema ${schema} of the database ${database}. ` +
        `Run as its owner: GRANT CREATE ON SCHEMA ${schema} TO ${role}.`,
    );
  }
}

const OTHERS = `SELECT 1 AS other FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE '${APPLICATION}%'
    AND application_name <> current_setting('application_name') LIMIT 1`;

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

/** The most open ticks of a table. More would not settle sooner. */
const MAX_TICKS = 16;

/**
 * Finds how far identity columns are final. A number is taken before its transaction commits, so a greater one may be
 * visible earlier. All writers hold a lock, which the database lists: once those have ended that held it after the last
 * number was read, no row up to that number can appear.
 */
class Settling {
  readonly #tables = new Map<string, { settled: number; ticks: readonly Tick[] }>();
  readonly of: (table: string) => Promise<number>;

  constructor(runAll: (text: string) => Promise<readonly (readonly SqlRow[])[]>) {
    this.of = joinAsks(1, async ([table = ""]: readonly string[]) => {
      // Two statements, because the numbers must be read before the writers.
      const [numbers, writers] = await runAll(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END
        AS last FROM ${table}_seq_seq; ${LIST_WRITERS}`);
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
    const all = [...known.ticks, tick];
    // The numbers of a restored database may begin again.
    const settled = all
      .filter((one) => one.writers.size === 0 || (one !== tick && ended(one)))
      .reduce((most, { last }) => Math.max(most, last), Math.min(known.settled, tick.last));
    const ticks = all.filter(({ last }) => last > settled).slice(-MAX_TICKS);
    this.#tables.set(table, { settled, ticks });
    return settled;
  }
}
