import postgresJs from "postgres";

import { postgresSql, sharedLimits } from "../../adapters/postgres/sql.ts";
import { redisLimiter } from "../../adapters/redis/limits.ts";
import type { Limiter } from "../../lib/accounts/limiter.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { ensureTools, POSTGRES_FOLDERS } from "../../scripts/debian.ts";
import { startPostgres } from "../../test/helpers/postgres.ts";
import { connect, startRedis } from "../../test/helpers/redis.ts";
import { alternate } from "../compare.ts";
import { atLeast, figure, type Bench, type Figure, type Row } from "../row.ts";
import { LIMITS } from "../service.ts";

/** Row 21: decisions about limits in Redis and in PostgreSQL, beside calls over one connection that decide nothing. */
export const limits: Row = {
  name: "limits",

  measure: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [{ row: 21, what: "limits", reason: missing }];
    return compare(bench, 20_000);
  },

  smoke: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [{ row: 21, what: "limits", reason: missing }];
    await compare({ ...bench, runs: 1 }, 100);
    return [];
  },
};

const TOOLS = [
  { command: "initdb", folders: POSTGRES_FOLDERS, debianPackage: "postgresql" },
  { command: "redis-server", debianPackage: "redis-server" },
];
/** Callers at the same time, and counters. */
const CALLERS = 64;
const COUNTERS = 1_000;

async function compare(bench: Bench, calls: number): Promise<readonly Figure[]> {
  bench.say("row 21: limits in Redis");
  const figures: Figure[] = [];
  {
    await using server = await startRedis();
    const limiter = redisLimiter({ url: server.url, connect, deadlineMs: 5_000 });
    const client = new Bun.RedisClient(server.url);
    const digest = String(await client.send("SCRIPT", ["LOAD", "return 1"]));
    const empty = (): Promise<unknown> => client.send("EVALSHA", [digest, "1", "key"]);
    for (const callers of [1, CALLERS]) {
      const rates = await alternate(bench.runs, {
        ours: () => rateOf(spendingIn(limiter), calls, callers),
        theirs: () => rateOf(empty, calls, callers),
      });
      const what = `decisions in Redis, ${callers} at a time`;
      figures.push(
        figure({ row: 21, what, ...rates, against: "an empty script", unit: "/s" }, atLeast(0.5)),
      );
    }
    limiter.close();
    client.close();
  }
  bench.say("row 21: limits in PostgreSQL");
  await using server = await startPostgres({ settings: ["fsync=on", "full_page_writes=on"] });
  const url = await server.createDatabase();
  const sql = await postgresSql({ url, connect: (options) => new Bun.SQL(options) });
  await sqlStore({ sql });
  await sql.counters.setUp();
  const { limiter } = sharedLimits({ postgres: sql.counters });
  const client = postgresJs(url, { max: 1, fetch_types: false });
  const empty = (): Promise<unknown> => client.unsafe("SELECT 1", [], { prepare: true });
  for (const callers of [1, CALLERS]) {
    const rates = await alternate(bench.runs, {
      ours: () => rateOf(spendingIn(limiter), calls, callers),
      theirs: () => rateOf(empty, calls, callers),
    });
    const what = `decisions in PostgreSQL, ${callers} at a time`;
    figures.push(
      figure(
        { row: 21, what, ...rates, against: "SELECT 1 over one connection", unit: "/s" },
        atLeast(0.25),
      ),
    );
  }
  await client.end();
  await sql.close();
  return figures;
}

function spendingIn(limiter: Limiter): (call: number) => Promise<unknown> {
  return async (call) => {
    const counter = `catalogue ${call % COUNTERS}`;
    const { allowed } = await limiter.spend({ counter, keyId: "key" }, LIMITS);
    if (!allowed) throw new Error("the limit of the benchmark is too low");
  };
}

/** Returns how many calls a second `callers` make that each wait for a reply. */
async function rateOf(
  call: (number: number) => Promise<unknown>,
  calls: number,
  callers: number,
): Promise<number> {
  const startedAt = Bun.nanoseconds();
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < calls) await call(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (calls * 1e9) / (Bun.nanoseconds() - startedAt);
}
