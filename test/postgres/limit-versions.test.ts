import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";

import postgres from "postgres";

import { locksOf } from "../../adapters/postgres/locks.ts";
import { sharedLimits } from "../../adapters/redis/handed-limits.ts";
import { postgresSql, type PostgresSql } from "../../adapters/postgres/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../helpers/clock.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

/** The functions of version 2, without comments. */
const DIGEST = "4109cde05e9e4411561cc0ae5dbec86f5c0869b7d3bb563b170df5f95fb857db";
/** The functions of version 1, as its nodes install them. */
const previous = await Bun.file(join(import.meta.dir, "../fixtures/limits-1.sql")).text();

const clock = manualClock(Date.UTC(2026, 10, 20, 9, 30));
let server: TestPostgres;
let sql: PostgresSql;
let run: (text: string) => Promise<readonly Record<string, unknown>[]>;
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.createDatabase();
  run = (text) => server.run(text, url.slice(url.lastIndexOf("/") + 1));
  sql = await postgresSql({ url, connect: postgres, connections: 2, clock });
  await sqlStore({ sql });
});
afterAll(async () => {
  await sql.close();
  await server[Symbol.asyncDispose]();
});

const functionsOf = (version: 1 | 2): Promise<readonly Record<string, unknown>[]> =>
  run(`SELECT proname, prosrc FROM pg_proc WHERE proname ~ '^limits_.*_${version}$' ORDER BY 1`);

test("no version of the program replaces the functions of another one", async () => {
  await run(previous);
  const installed = await functionsOf(1);
  expect(installed.length).toBeGreaterThan(5);
  await sql.counters.setUp();
  expect(await functionsOf(1)).toEqual(installed);
  const own = await functionsOf(2);
  // A node of the previous version starts again.
  await run(previous);
  expect(await functionsOf(2)).toEqual(own);
});

test("a function that changes gets a new version, because older nodes still call it", async () => {
  await sql.counters.setUp();
  const functions = await functionsOf(2);
  const code = JSON.stringify(functions.map(({ proname, prosrc }) => [proname, prosrc]))
    .replaceAll(/--.*?(?=\\n)/g, "")
    // Tables of earlier versions have another lock.
    .replace(locksOf("public").limits.join(", "), locksOf().limits.join(", "))
    .replaceAll(/(?:\\n|\s)+/g, " ");
  // If this fails: give all functions of the SQL files the next number, and store the set-up of the version that nodes run
  // today in test/fixtures for the tests of this file.
  expect(createHash("sha256").update(code).digest("hex")).toBe(DIGEST);
});

test("nodes of two versions count together and see each other's moves", async () => {
  await run(previous);
  await sql.counters.setUp();
  const { limiter } = sharedLimits({ postgres: sql.counters });
  const limits = { perMinute: 50, perDay: 1_000_000 };
  const spend = async () => limiter.spend({ counter: "catalogue 1", keyId: "key" }, limits);
  const spendPrevious = async (times: number): Promise<number> => {
    const counter = ["windows catalogue 1", 1, 60_000, 50, 86_400_000, 1_000_000];
    const steps = JSON.stringify([["spend", times, "violations key", 10, counter]]);
    const [row] = await run(
      `SELECT limits_apply_1('${steps}', ${clock.now()})::json #>> '{outcomes,0,0}' AS granted`,
    );
    return Number(row?.["granted"]);
  };
  expect(await spendPrevious(20)).toBe(20);
  expect((await spend()).windows[0].remaining).toBe(29);
  expect(await spendPrevious(40)).toBe(29);
  expect((await spend()).allowed).toBe(false);

  await run("SELECT limits_move_1('postgres', 0, 'to-redis', 'run')");
  const row = await sql.counters.row();
  expect(row).toMatchObject({ state: "to-redis", epoch: 1, run: "run" });
  const to = { state: "redis", epoch: 1, run: "run", pauseMs: 0 } as const;
  expect(await sql.counters.move(row, to)).toMatchObject(to);
  // Of two nodes that move it at once, one does.
  expect(await sql.counters.move(row, to)).toBeUndefined();
  const [moved] = await run("SELECT limits_move_1('redis', 1, 'to-postgres', '') IS NULL AS lost");
  expect(moved).toEqual({ lost: false });
  expect(await sql.counters.row()).toMatchObject({ state: "to-postgres", epoch: 2 });
});
