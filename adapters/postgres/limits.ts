import type { Applied, CounterStep } from "../../lib/accounts/shared-counters.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { inTurn } from "../../lib/base/eventual.ts";
import { failureOf } from "../../lib/sql/postgres.ts";
import type { SqlRow, SqlValue } from "../../lib/sql/sql.ts";
import type { SavedCounter } from "../../lib/storage/change.ts";
import type { Connection } from "./connection.ts";
import type { CountingRow } from "../redis/hand-over.ts";
import HAND_OVER from "./hand-over.sql" with { type: "text" };
import { locks } from "./lanes.ts";
import COUNTING from "./limits.sql" with { type: "text" };

/** A counter as a node last saw it elsewhere. */
export interface SeenCounter {
  readonly name: string;
  readonly saved: 0 | 1;
  readonly endsAt: number;
  readonly numbers: readonly number[];
}

/** The counters of all processes on a PostgreSQL database, by the database's clock. All reject with `StoreUnavailable`. */
export interface PostgresCounters {
  /** Creates the tables and the functions. The tables of the store must exist. */
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
  clock,
}: {
  readonly connect: () => Promise<Connection>;
  /** Rejects soon if the server does not answer. */
  readonly hear: () => Promise<void>;
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
          await (await connection()).runAll(SET_UP);
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

const SET_UP = `BEGIN READ WRITE;
SELECT pg_advisory_xact_lock(${locks.limits.join(", ")});
${COUNTING}
${HAND_OVER}
COMMIT`;
