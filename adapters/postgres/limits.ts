import type { Applied, CounterStep } from "../../lib/accounts/shared-counters.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { inTurn } from "../../lib/base/eventual.ts";
import { OWN_SCHEMA } from "../../lib/base/postgres-schema.ts";
import { foreignTables } from "../../lib/sql/migrate.ts";
import { failureOf, postgresDialect } from "../../lib/sql/postgres.ts";
import { MissingMigrations, type SqlRow, type SqlValue } from "../../lib/sql/sql.ts";
import type { SavedCounter } from "../../lib/storage/change.ts";
import type { Connection } from "./connection.ts";
import type { CountingRow } from "../redis/hand-over.ts";
import { limitFunctions, limitRelations, limitsSql, limitsVersion } from "./limits-sql.ts";
import type { KnownLocks } from "./locks.ts";

/** A counter as a node last saw it elsewhere. Instants are in milliseconds since the Unix epoch. */
export interface SeenCounter {
  readonly name: string;
  readonly saved: 0 | 1;
  readonly endsAt: number;
  readonly numbers: readonly number[];
}

/**
 * The counters of all processes on a PostgreSQL database, by the database's clock. All reject with `StoreUnavailable`.
 * Instants are in milliseconds since the Unix epoch.
 */
export interface PostgresCounters {
  /**
   * Creates the tables and the functions. The tables of the store must exist. Rejects with `ForeignTables` if another program has
   * some of these names, and with `MissingMigrations` if the host creates them and has not yet.
   */
  setUp(): Promise<void>;
  /** Applies the steps in order, with no other process between them, if PostgreSQL counts; else returns where limits are counted. */
  applyOr(steps: readonly CounterStep[]): Promise<Applied | CountingRow>;
  /** Returns where limits are counted. */
  row(): Promise<CountingRow>;
  /** Changes the row unless another process has changed it; then returns undefined. Durable once it resolves. */
  move(from: CountingRow, to: Omit<CountingRow, "ageMs">): Promise<CountingRow | undefined>;
  /** Returns all counters that have not ended. */
  counters(): Promise<{ readonly counters: readonly SavedCounter[]; readonly at: number }>;
  /** Adds counters, each name once. Of two windows of a counter the later one remains or, of equals, the greater counts. */
  add(counters: readonly SeenCounter[]): Promise<void>;
  /** Copies the changed counters, so that a crash of the database does not forget them, and deletes ended ones. */
  save(): Promise<void>;
}

/** The most counters that are added while decisions wait. */
const ROWS = 1_000;
/** How long a call may take. */
const PATIENCE_MS: number = 2 * SECOND_MS;

/** Counts over one connection, which `connect` opens when it is needed. */
export function postgresCounters({
  connect,
  hear,
  locks,
  migrates,
  clock,
}: {
  readonly connect: () => Promise<Connection>;
  /** Rejects soon if the server does not answer. */
  readonly hear: () => Promise<void>;
  readonly locks: KnownLocks;
  /** Whether `setUp` creates what is missing. */
  readonly migrates: boolean;
  /** Default: the database's. */
  readonly clock?: Pick<Clock, "now">;
}): PostgresCounters & { close(): Promise<void> } {
  const turns = inTurn();
  let open: Connection | undefined;
  let closed = false;

  const connection = async (): Promise<Connection> => {
    if (closed) throw new Error("The database is closed.");
    await hear();
    if (open === undefined || open.lost) {
      open = await connect();
      // The counters may lose what other tables may not. A driver that reconnects loses these settings, and its writes fail.
      await open.runAll(
        "SET default_transaction_read_only = off; SET synchronous_commit = off; SELECT 1",
      );
    }
    return open;
  };

  const run = (text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    turns("", async () => {
      try {
        return await (await connection()).run(text, values, PATIENCE_MS);
      } catch (error) {
        throw failureOf(error);
      }
    });
  const now = (): string => (clock === undefined ? "" : String(clock.now()));

  return {
    setUp: () =>
      turns("", async () => {
        try {
          const connected = await connection();
          if (!(await isToSetUp(connected, migrates))) return;
          const { limits } = await locks.on(connected);
          await connected.runAll(`BEGIN READ WRITE;
            SELECT pg_advisory_xact_lock(${limits.join(", ")});
            ${limitsSql({ limits })}
            COMMIT`);
        } catch (error) {
          // It may be in a failed transaction.
          open?.drop();
          throw failureOf(error);
        }
      }),
    applyOr: async (steps) => {
      const [row] = await run(APPLY, [JSON.stringify(steps), now()]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(String(row?.["applied"])) as Applied | CountingRow;
    },
    row: async () => {
      const [found] = await run(ROW, []);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(String(found?.["row"])) as CountingRow;
    },
    move: async (from, to) => {
      const values = [from.state, from.epoch, to.state, to.epoch, to.run, to.pauseMs];
      const [row] = await run(MOVE, values);
      const moved = row?.["moved"];
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return typeof moved === "string" ? (JSON.parse(moved) as CountingRow) : undefined;
    },
    counters: async () => {
      const rows = await run(LIST, [now()]);
      return {
        at: Number(rows[0]?.["at"] ?? 0),
        counters: rows.map(({ name, state, ends_at: endsAt }) => ({
          name: String(name),
          state: String(state),
          endsAt: Number(endsAt),
        })),
      };
    },
    add: async (counters) => {
      for (let start = 0; start < counters.length; start += ROWS) {
        await run(ADD, [JSON.stringify(counters.slice(start, start + ROWS)), now()]);
      }
    },
    save: async () => {
      for (;;) {
        const [row] = await run(SAVE, [now()]);
        if (row?.["more"] !== 1) return;
      }
    },
    close: async () => {
      closed = true;
      await turns("", async () => open?.close());
    },
  };
}

const APPLY = `SELECT limits_apply_2($1::text::jsonb, NULLIF($2::text, '')::bigint) AS applied`;
const ROW = "SELECT limits_row_2() AS row";
const MOVE = `SELECT limits_move_2(
  $1::text, $2::bigint, $3::text, $4::bigint, $5::text, $6::bigint
) AS moved`;
const ADD = `SELECT limits_add_2($1::text::jsonb, NULLIF($2::text, '')::bigint) AS added`;
const LIST = `SELECT name, state, ends_at, at FROM limits_list_2(NULLIF($1::text, '')::bigint)`;
const SAVE = `SELECT limits_save_2(NULLIF($1::text, '')::bigint) AS more`;

/** Lists the tables and indexes that have names of ours. */
const RELATIONS = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = ${OWN_SCHEMA} AND relname IN (${listed(limitRelations)})`;
/** Lists the functions. They stay when tables are removed. */
const FUNCTIONS = `SELECT proname AS name FROM pg_proc
  WHERE pronamespace = ${OWN_SCHEMA} AND proname IN (${listed(limitFunctions)})`;
/** Has two rows if the tables are ours. */
const OURS = `SELECT name FROM (${postgresDialect.columnsOf("limit_counters")}) AS one WHERE name = 'ends_at'
  UNION SELECT name FROM (${postgresDialect.columnsOf("limit_standing")}) AS other WHERE name = 'epoch'`;

function listed(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

/** Returns whether the tables and functions are to be created, the functions anew. */
async function isToSetUp(connection: Connection, migrates: boolean): Promise<boolean> {
  const namesIn = async (query: string): Promise<readonly string[]> =>
    (await connection.run(query, [])).map(({ name }) => String(name));
  const relations = await namesIn(RELATIONS);
  const isOurs = (await namesIn(OURS)).length === 2;
  if (!isOurs && relations.length > 0) throw foreignTables(relations);
  if (migrates) return true;
  const functions = new Set(await namesIn(FUNCTIONS));
  if (isOurs && limitFunctions.every((name) => functions.has(name))) return false;
  throw new MissingMigrations([{ component: "limits", from: 0, to: limitsVersion }]);
}
