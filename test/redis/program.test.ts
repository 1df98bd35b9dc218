import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { freePort } from "../helpers/free-ports.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { runProgram, startProgram } from "../helpers/process.ts";
import { startRedis, type TestRedis } from "../helpers/redis.ts";

let postgres: TestPostgres;
let redis: TestRedis;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([
    startPostgres(),
    startRedis(["--requirepass", "pa55word"]),
  ]);
});
afterAll(() => Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]));

/** What a server reports about its limits. */
interface Reported {
  readonly id: string;
  readonly limitsIn: string;
  readonly limitsMovedAt: string;
  readonly redis: string;
  readonly redisChangedAt: string;
}

test("two servers count limits together, in Redis and without it", async () => {
  const address = `redis://:pa55word@127.0.0.1:${redis.port}`;
  const env = {
    PETSTORE_DATABASE_URL: await postgres.createDatabase(),
    PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    PETSTORE_REDIS_URL: address,
  };
  const dataDir = join(await scratch(), "data");
  const run = async (...args: readonly string[]) => {
    const ended = await runProgram([...args, "--data-dir", dataDir], { env });
    if (ended.exitCode !== 0) throw new Error(ended.stderr);
    return ended.stdout;
  };
  const { id } = JSON.parse(await run("accounts", "create", "Happy Tails", "--json"));
  const { key } = JSON.parse(await run("keys", "create", "--account", id, "--json"));
  expect(await run("config", "print")).not.toContain("pa55word");
  expect(await run("doctor").catch(String)).toMatch(
    /^ok +redis +127\.0\.0\.1:\d+, (?:Redis|Valkey) \d/m,
  );

  const metrics = `127.0.0.1:${await freePort()}`;
  await using first = await startProgram({
    dataDir,
    env: { ...env, PETSTORE_METRICS_LISTEN: metrics },
  });
  await using second = await startProgram({ env });
  const clients = [first, second].map(({ origin }) =>
    api({ base: origin, fetch: (request) => fetch(request) }).as(key),
  );
  let asked = 0;
  /** Sends a request to the servers in turn and returns what remains of the minute. */
  const remaining = async (): Promise<number> => {
    const response = await clients[asked++ % clients.length]?.get("/v1/pets");
    expect(response?.status).toBe(200);
    return Number(response?.headers.get("x-ratelimit-remaining"));
  };
  const measured = async (): Promise<string> => (await fetch(`http://${metrics}/metrics`)).text();
  const inRedis = async (): Promise<boolean> =>
    /^petstore_limits_in_redis 1$/m.test(await measured());
  /** Waits until both servers have reported where they count, and returns the list. */
  const listed = async (limitsIn: string, state: string): Promise<readonly Reported[]> => {
    for (;;) {
      const nodes: readonly Reported[] = JSON.parse(await run("nodes", "--json"));
      if (nodes.every((node) => node.limitsIn === limitsIn && node.redis === state)) return nodes;
      await Bun.sleep(100);
    }
  };
  const until = async (wanted: boolean): Promise<void> => {
    while ((await inRedis()) !== wanted) await Bun.sleep(50);
  };

  expect(await remaining()).toBe(59);
  expect(await remaining()).toBe(58);
  await until(true);
  expect(await remaining()).toBe(57);
  expect(await remaining()).toBe(56);
  const counting = await listed("redis", "ok");
  expect(counting).toHaveLength(2);
  expect(await measured()).toMatch(/^petstore_redis_up 1$/m);
  await redis.stop();
  expect(await remaining()).toBe(55);
  expect(await remaining()).toBe(54);
  await until(false);
  expect(await measured()).toMatch(/^petstore_redis_up 0$/m);
  for (const node of await listed("postgres", "unavailable")) {
    const before = counting.find(({ id: same }) => same === node.id);
    expect(Date.parse(node.limitsMovedAt)).toBeGreaterThan(Date.parse(before?.limitsMovedAt ?? ""));
    expect(node.redisChangedAt > (before?.redisChangedAt ?? "")).toBe(true);
  }
  expect(await run("nodes")).toMatch(/LIMITS +REDIS *$/m);
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
  expect(await run("doctor").catch(String)).toMatch(/^warn +redis +Redis cannot be used\./m);
  expect(first.output()).toContain("Redis cannot count limits");
  expect(first.output()).not.toContain("pa55word");
});
