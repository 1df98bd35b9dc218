import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import postgres from "postgres";

import {
  postgresSql,
  type PostgresSql,
  sharedLimits,
  type SharedLimits,
} from "../../adapters/postgres/sql.ts";
import { redisCounters } from "../../adapters/redis/limits.ts";
import type { Charges } from "../../lib/accounts/limiter.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { torture } from "../helpers/chance.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { connect, startRedis, type TestRedis } from "../helpers/redis.ts";

const limits = { perMinute: 600, perDay: 1_000_000 };
const COUNTERS = ["catalogue 1", "catalogue 2", "catalogue 3"];
const address: Charges = [{ counter: "address 192.0.2.1", rates: { minute: 600 } }];

let database: TestPostgres;
let redis: TestRedis;
let url: string;
let nodes: Node[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([startPostgres(), startRedis()]);
  url = await database.createDatabase();
  const sql = await postgresSql({ url, connect: postgres, connections: 2 });
  await sqlStore({ sql });
  await sql.counters.setUp();
  await sql.close();
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  await run("UPDATE limit_standing SET side = 'postgres', pause_ms = 0, epoch = epoch + 1");
  await run("DELETE FROM limit_counters; DELETE FROM counters");
});
afterAll(() => Promise.all([database[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]));

const run = (text: string): Promise<readonly Record<string, unknown>[]> =>
  database.run(text, url.slice(url.lastIndexOf("/") + 1));

/** One process of several, with what it granted. */
class Node {
  readonly #sql: PostgresSql;
  readonly limits: SharedLimits;
  readonly granted = new Map<string, number>();
  /** How often it spent. */
  rounds = 0;
  #running = true;
  #tending: Promise<void> = Promise.resolve();
  #spending: Promise<unknown> = Promise.resolve();

  static async open(withRedis = true): Promise<Node> {
    const node = new Node(await postgresSql({ url, connect: postgres, connections: 2 }), withRedis);
    nodes.push(node);
    node.keepTending();
    return node;
  }

  private constructor(sql: PostgresSql, withRedis: boolean) {
    this.#sql = sql;
    const counters = redisCounters({ url: redis.url, connect, connectTimeoutMs: 300 });
    this.limits = sharedLimits({ postgres: sql.counters, redis: withRedis ? counters : undefined });
  }

  /** Does what a server does in the background. */
  keepTending(): void {
    this.#tending = (async () => {
      while (this.#running) {
        await this.limits.tend().catch(() => undefined);
        await Bun.sleep(100);
      }
    })();
  }

  /** Sends `times` requests of each kind at the same time. Fails if one is answered with an error. */
  async spend(times: number): Promise<void> {
    await Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const counter = COUNTERS[index % COUNTERS.length] ?? "";
        const { limiter } = this.limits;
        const [own, failed] = await Promise.all([
          limiter.spend({ counter, keyId: "key" }, limits),
          limiter.spendAll(address),
        ]);
        if (own.allowed) this.#grant(counter);
        if (failed.allowed) this.#grant("address");
      }),
    );
    this.rounds++;
  }

  /** Spends again and again until `settled`. */
  keepSpending(): void {
    this.#spending = (async () => {
      while (this.#running) {
        await this.spend(3);
        await Bun.sleep(5);
      }
    })();
  }

  async settled(): Promise<void> {
    this.#running = false;
    await this.#spending;
  }

  async stop(): Promise<void> {
    await this.settled();
    await this.#tending;
    this.limits.close();
    await this.#sql.close();
  }

  #grant(counter: string): void {
    this.granted.set(counter, (this.granted.get(counter) ?? 0) + 1);
  }
}

const three = (): Promise<Node[]> => Promise.all([Node.open(), Node.open(), Node.open()]);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(10);
}

const untilIn = (side: "postgres" | "redis"): Promise<void> =>
  until(() => nodes.every(({ limits: { status } }) => status.limitsIn === side));

/** Uses up all counters and returns what all nodes granted of each. */
async function usedUp(all: readonly Node[]): Promise<Readonly<Record<string, number>>> {
  await Promise.all(all.map((node) => node.settled()));
  await Promise.all(all.map((node) => node.spend(3 * limits.perMinute)));
  const sum = (counter: string): number =>
    all.reduce((total, { granted }) => total + (granted.get(counter) ?? 0), 0);
  return Object.fromEntries([...COUNTERS, "address"].map((counter) => [counter, sum(counter)]));
}

/**
 * Checks what was granted: never more than a limit. A request whose reply from Redis is lost may count twice if another
 * node has seen it: each node has one call under way, with one request to each catalogue and three of an address.
 */
function expectExact(granted: Readonly<Record<string, number>>): void {
  for (const [counter, count] of Object.entries(granted)) {
    expect([counter, count <= 600]).toEqual([counter, true]);
    expect(count).toBeGreaterThanOrEqual(600 - nodes.length * (counter === "address" ? 3 : 1));
  }
}

describe("the counting of limits", () => {
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    killed: () => redis.stop(),
    frozen: async () => redis.signal("SIGSTOP"),
    flushed: async () => void (await redis.run("FLUSHALL")),
    "restarted with an old copy": async () => {
      await redis.run("SAVE");
      await Bun.sleep(150);
      await redis.stop();
      await redis.start();
    },
    "made a replica": async () => void (await redis.run("REPLICAOF", "127.0.0.1", "1")),
  };
  const repairs: Readonly<Record<string, () => Promise<void>>> = {
    killed: () => redis.start(),
    frozen: async () => redis.signal("SIGCONT"),
    "made a replica": async () => void (await redis.run("REPLICAOF", "NO", "ONE")),
  };

  const shown = torture ? Object.keys(faults) : ["killed", "flushed"];
  for (const [name, fault] of Object.entries(faults)) {
    if (!shown.includes(name)) continue;
    test(`moves to PostgreSQL and back when Redis is ${name}`, async () => {
      const all = await three();
      for (const node of all) node.keepSpending();
      await untilIn("redis");
      const before = all.map(({ rounds }) => rounds);
      await until(() => all.every(({ rounds }, index) => rounds > (before[index] ?? 0) + 3));
      await fault();
      await untilIn("postgres");
      await run("UPDATE limit_standing SET pause_ms = 0");
      await repairs[name]?.();
      await untilIn("redis");
      // A request that waits for longer than moves take fails.
      expectExact(await usedUp(all));
    });
  }

  if (torture) {
    test("moves to PostgreSQL for a node that has no Redis", async () => {
      const [first] = await three();
      await untilIn("redis");
      await first?.spend(30);
      const without = await Node.open(false);
      await without.spend(30);
      expect(without.limits.status.limitsIn).toBe("postgres");
      expectExact(await usedUp(nodes));
    });

    test("is finished by others when the node that began a move is gone", async () => {
      const all = await three();
      await untilIn("redis");
      for (const node of all) await node.spend(90);
      await run(
        "UPDATE limit_standing SET side = 'to-postgres', epoch = epoch + 1, pause_ms = 60000",
      );
      await all[0]?.spend(3);
      await untilIn("postgres");
      expectExact(await usedUp(all));
    });
  }

  test("stops with the database: requests fail, and continue after it", async () => {
    const all = await three();
    await untilIn("redis");
    await all[0]?.spend(30);
    await database.stop("SIGQUIT");
    const [node] = all;
    const failure = async (): Promise<unknown> =>
      node?.spend(3).then(
        () => undefined,
        (error: unknown) => error,
      );
    let down: unknown;
    // What was read before is trusted for half a second.
    while (down === undefined) down = await failure();
    expect(down).toMatchObject({ name: "StoreUnavailable" });
    await database.start();
    while ((await failure()) !== undefined) await Bun.sleep(20);
  });
});
