import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";

import {
  postgresSql,
  type PostgresOptions,
  type PostgresSql,
} from "../../adapters/postgres/sql.ts";
import { handedCounters } from "../../adapters/redis/handed-limits.ts";
import { locksOf } from "../../adapters/postgres/locks.ts";
import type { Limiter, Verdict } from "../../lib/accounts/limiter.ts";
import { sharedLimiter } from "../../lib/accounts/shared-limiter.ts";
import { silentLog } from "../../lib/base/log.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { limiterContract } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { chance, torture } from "../helpers/chance.ts";
import { manualClock, type ManualClock } from "../helpers/clock.ts";
import { agreeWithMemory } from "../helpers/limiter-agreement.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const limits = { perMinute: 50, perDay: 1_000_000 };
const spender = { counter: "catalogue 1", keyId: "key" };

let server: TestPostgres;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
  const sql = await postgresSql({ url, connect: postgres, connections: 2 });
  await sqlStore({ sql });
  await sql.counters.setUp();
  await sql.close();
});
afterAll(() => server[Symbol.asyncDispose]());

const databaseOf = (address: string): string => address.slice(address.lastIndexOf("/") + 1);
const clear = (): Promise<unknown> =>
  server.run("DELETE FROM limit_counters; DELETE FROM counters", databaseOf(url));

/** Opens the database as one process. */
function open(
  connect: PostgresOptions["connect"] = postgres,
  clock?: ManualClock,
): Promise<PostgresSql> {
  return postgresSql({ url, connect, connections: 2, ...(clock === undefined ? {} : { clock }) });
}

/** Returns the limiter of a process without Redis. */
function limiterOf({ counters }: PostgresSql, clock?: ManualClock): Limiter {
  const handed = handedCounters({ postgres: counters, redis: undefined, log: silentLog });
  return sharedLimiter({ counters: handed, ...(clock === undefined ? {} : { clock }) });
}

for (const [driver, connect] of Object.entries(drivers)) {
  describe(driver, () => {
    const clock = manualClock(START);
    let sql: PostgresSql;
    beforeAll(async () => {
      sql = await open(connect, clock);
    });
    afterAll(() => sql.close());

    const contract = limiterContract(async () => {
      await clear();
      clock.set(START);
      return { clock, limiter: limiterOf(sql, clock) };
    });
    // The function in the database decides, whichever driver calls it: the next test is enough for the others.
    if (driver === "Bun.SQL" || torture) describeContract("PostgreSQL as a limiter", contract);

    test("agrees with the limiter in memory", async () => {
      await clear();
      const random = chance();
      for (let life = 0; life < (torture ? 200 : 4); life++) {
        await agreeWithMemory(limiterOf(sql, clock), clock, random, 60);
      }
    });
  });
}

describe("counters in PostgreSQL", () => {
  test("three processes together allow exactly the limit", async () => {
    await clear();
    const nodes = await Promise.all([open(), open(drivers["Bun.SQL"]), open()]);
    const limiters = nodes.map((node) => limiterOf(node));
    const verdicts = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const limiter = limiters[index % limiters.length];
        const { counter, keyId } = spender;
        return limiter?.spend({ counter: `${counter} ${index % 4}`, keyId }, limits);
      }),
    );
    // 75 requests to each of four counters.
    expect(verdicts.filter((verdict) => verdict?.allowed).length).toBe(4 * 50);
    for (const node of nodes) await node.close();
  });

  test("are changed by one call at a time: the others wait, and see what it counted", async () => {
    await clear();
    const [first, second] = await Promise.all([open(), open()]);
    await limiterOf(first).spend(spender, limits);
    const other = postgres(url, { max: 1 });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory'";
    let decided: Promise<Verdict> | undefined;
    await other.begin(async (transaction) => {
      await transaction.unsafe(
        `SELECT pg_advisory_xact_lock(${locksOf("public").limits.join(", ")})`,
      );
      await transaction.unsafe(
        "UPDATE limit_counters SET numbers[2] = 50 WHERE name <> '' AND cardinality(numbers) = 6",
      );
      decided = Promise.resolve(limiterOf(second).spend(spender, limits));
      while ((await server.run(waiting, databaseOf(url))).length === 0) await Bun.sleep(5);
    });
    expect((await decided)?.allowed).toBe(false);
    await other.end();
    for (const node of [first, second]) await node.close();
  });

  test("survive a crash of the database, except those of the last moment", async () => {
    await clear();
    const node = await open();
    const { counters } = node;
    const limiter = limiterOf(node);
    const address = { counter: "address 192.0.2.1", rates: { minute: 60 } };
    for (let request = 0; request < 20; request++) await limiter.spend(spender, limits);
    await limiter.spendAll([address]);
    await counters.save();
    // The copy is written within 0.6 s (wal_writer_delay), which the test does not wait for.
    await server.run("SELECT pg_switch_wal()");
    await server.run("CHECKPOINT");
    await limiter.spend(spender, limits);

    await server.stop("SIGQUIT");
    await expect(Promise.resolve(limiter.peek(spender, limits))).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
    await server.start();
    // The first call restores them, also one that only lists them.
    expect((await counters.counters()).counters).toMatchObject([{ name: "windows catalogue 1" }]);
    const { windows } = await limiter.peek(spender, limits);
    expect(windows[0].remaining).toBe(30);
    expect((await limiter.peekAll([address])).windows[0].remaining).toBe(60);
    await node.close();
  });

  test("that have ended are deleted, and unchanged ones are not saved again", async () => {
    const clock = manualClock(START);
    await clear();
    const sql = await open(postgres, clock);
    const limiter = limiterOf(sql, clock);
    const { counter, keyId } = spender;
    for (let index = 0; index < 1_500; index++) {
      void limiter.spend({ counter: `${counter} ${index}`, keyId }, limits);
    }
    await limiter.spendAll([{ counter: "address 192.0.2.1", rates: { minute: 60 } }]);
    await sql.counters.save();
    const rows = async (text: string) => Number((await sql.query({ text, values: [] }))[0]?.["n"]);
    expect(await rows("SELECT COUNT(*) AS n FROM counters")).toBe(1_500);
    expect(await rows("SELECT COUNT(*) AS n FROM limit_counters WHERE changed")).toBe(0);
    clock.advance(60_000);
    await sql.counters.save();
    expect(await rows("SELECT COUNT(*) AS n FROM limit_counters")).toBe(1_501);
    clock.advance(24 * 3_600_000);
    for (let round = 0; round < 3; round++) await sql.counters.save();
    expect(await rows("SELECT COUNT(*) AS n FROM limit_counters")).toBe(1);
    await sql.close();
  });
});
