import { afterAll, afterEach, beforeAll, expect, jest, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  redisCounters,
  redisLimiter,
  type RedisLimiter,
  type RedisOptions,
} from "../../adapters/redis/limits.ts";
import { limiterContract } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { chance, torture } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { freePort } from "../helpers/free-ports.ts";
import { agreeWithMemory } from "../helpers/limiter-agreement.ts";
import { selfSigned } from "../helpers/openssl.ts";
import { connect, startRedis, type TestRedis } from "../helpers/redis.ts";
import { folders } from "../helpers/folders.ts";

const { folder } = folders();

const START = Date.UTC(2026, 10, 20, 9, 30);
const limits = { perMinute: 50, perDay: 1_000_000 };
const spender = { counter: "catalogue 1", keyId: "key" };

let server: TestRedis;
const opened: RedisLimiter[] = [];
beforeAll(async () => {
  server = await startRedis();
});
afterEach(() => {
  jest.useRealTimers();
  server.signal("SIGCONT");
  for (const limiter of opened.splice(0)) limiter.close();
});
afterAll(() => server[Symbol.asyncDispose]());

let prefixes = 0;
/** Opens a limiter that is patient; without a prefix, with counters of its own. */
function open(options: Partial<RedisOptions> = {}): RedisLimiter {
  const prefix = `test ${prefixes++}:`;
  const patient = { deadlineMs: 60_000, connectTimeoutMs: 60_000 };
  const limiter = redisLimiter({ url: server.url, connect, prefix, ...patient, ...options });
  opened.push(limiter);
  return limiter;
}

/** Waits for events, of which a turn of the event loop handles those that have arrived. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the time of fake timers pass. A busy machine makes it no longer. */
async function elapse(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed++) {
    jest.advanceTimersByTime(1);
    await turns(3);
  }
}

describeContract(
  "Redis as a limiter",
  limiterContract(() => {
    const clock = manualClock(START);
    const limiter = open({ clock });
    return { clock, limiter };
  }),
);

test("agrees with the limiter in memory", async () => {
  const clock = manualClock(START);
  const random = chance();
  const limiter = open({ clock });
  for (let life = 0; life < (torture ? 500 : 10); life++) {
    await agreeWithMemory(limiter, clock, random, 60);
  }
});

test("three processes together allow exactly the limit", async () => {
  const prefix = "together:";
  const limiters = [open({ prefix }), open({ prefix }), open({ prefix })];
  const verdicts = await Promise.all(
    Array.from({ length: 300 }, async (_, index) =>
      limiters[index % limiters.length]?.spend({ ...spender, counter: `c ${index % 4}` }, limits),
    ),
  );
  // 75 requests to each of four counters.
  expect(verdicts.filter((verdict) => verdict?.allowed).length).toBe(4 * 50);
});

test("what ends is removed, and its keys have the prefix", async () => {
  const limiter = open({ prefix: "ttl:" });
  await limiter.spendAll([{ counter: "address 192.0.2.1", rates: { minute: 60 } }]);
  await limiter.spend(spender, { perMinute: 0, perDay: 5 });
  await limiter.spend(spender, limits);
  // A refund changes a counter, and must not make it last for ever.
  await limiter.refund(spender, await limiter.spend(spender, limits));
  const all = (await server.run("KEYS", "ttl:*")) as string[];
  const keys = all.filter((key) => !key.startsWith("ttl:limits:call:"));
  expect([all.length, keys.length]).toEqual([8, 3]);
  const longest = { minute: 120_000, day: 24 * 3_600_000 + 60_000 };
  for (const key of keys) {
    const ttl = Number(await server.run("PTTL", key));
    expect(ttl).toBeGreaterThan(60_000);
    expect(ttl).toBeLessThanOrEqual(key.includes("address") ? longest.minute : longest.day);
  }
});

test("scripts that the server forgot are sent again", async () => {
  const limiter = open();
  await limiter.spend(spender, limits);
  await server.run("SCRIPT", "FLUSH");
  expect((await limiter.spend(spender, limits)).windows[0].remaining).toBe(48);
});

test("a call whose reply is late is counted once", async () => {
  jest.useFakeTimers();
  const limiter = open({ deadlineMs: 30 });
  await limiter.spend(spender, limits);
  server.signal("SIGSTOP");
  const late = limiter.spend(spender, limits);
  await elapse(100);
  server.signal("SIGCONT");
  expect((await late).windows[0].remaining).toBe(48);
  expect((await limiter.spend(spender, limits)).windows[0].remaining).toBe(47);
});

test("a frozen server is left after the deadline, and used again when it answers", async () => {
  jest.useFakeTimers();
  const limiter = open({ deadlineMs: 50, connectTimeoutMs: 200 });
  await limiter.spend(spender, limits);
  server.signal("SIGSTOP");
  let outcome: unknown;
  void Promise.resolve(limiter.spend(spender, limits)).then(
    (verdict) => (outcome = verdict),
    (error: unknown) => (outcome = error),
  );
  // The deadline, and that of the second attempt.
  await elapse(50 + 249);
  expect(outcome).toBeUndefined();
  await elapse(10);
  expect(outcome).toMatchObject({ name: "StoreUnavailable" });
  // Then no request waits, until it is tried again: here, no time passes.
  const next = Promise.resolve(limiter.spend(spender, limits));
  await expect(next).rejects.toThrow("Redis failed a moment ago.");
  server.signal("SIGCONT");
  await elapse(1_000);
  // The frozen server may have received the request before.
  expect((await limiter.spend(spender, limits)).windows[0].remaining).toBeGreaterThanOrEqual(47);
});

test("the client has no deadline of its own, which would elapse while this process is busy", async () => {
  // Only those of the client pass.
  jest.useFakeTimers();
  const counters = redisCounters({ url: server.url, connect, connectTimeoutMs: 20 });
  const connected = counters.server();
  Bun.sleepSync(60);
  expect((await connected).name).toBe(`127.0.0.1:${server.port}`);
  counters.close();
});

test("a process that was busy for longer than a deadline reads the replies first", async () => {
  const replies: { readonly [command: string]: unknown } = { ROLE: ["master"], INFO: "run_id:a" };
  const counters = redisCounters({
    url: server.url,
    connectTimeoutMs: 20,
    connect: () => ({
      connect: () => turns(4),
      send: async (command) => {
        await turns(4);
        return replies[command];
      },
      close: () => undefined,
    }),
  });
  const connected = counters.server();
  Bun.sleepSync(60);
  expect((await connected).run).toBe("a");
});

test("a client of the package redis is used, and its end is no error", async () => {
  const sent: string[][] = [];
  const replies: { readonly [command: string]: unknown } = { ROLE: ["master"], INFO: "run_id:a" };
  const counters = redisCounters({
    url: "redis://127.0.0.1:1/3",
    connect: ({ socket, disableOfflineQueue }) => {
      expect([socket, disableOfflineQueue]).toEqual([
        { connectTimeout: 0, reconnectStrategy: false },
        true,
      ]);
      return {
        connect: async () => undefined,
        sendCommand: async (command) => {
          sent.push(command);
          return replies[command[0] ?? ""];
        },
        destroy: () => {
          throw new Error("The client is closed");
        },
        on: () => undefined,
      };
    },
  });
  expect((await counters.server()).run).toBe("a");
  expect(sent).toEqual([["ROLE"], ["SELECT", "3"], ["INFO"]]);
  counters.close();
});

test("another client is refused with every decision", async () => {
  const made = { connect: async () => undefined, get: async () => undefined };
  const limiter = open({ connect: () => made as never });
  for (let time = 0; time < 2; time++) {
    await expect(Promise.resolve(limiter.spend(spender, limits))).rejects.toThrow(
      new TypeError(
        "The Redis limiter: connect must return a client of Bun.RedisClient, or of the packages ioredis or redis (5 or newer).",
      ),
    );
  }
});

test("several hosts are tried for the one that accepts writes", async () => {
  await using replica = await startRedis(["--replicaof", "127.0.0.1", String(server.port)]);
  const url = `redis://127.0.0.1:1,127.0.0.1:${replica.port},127.0.0.1:${server.port}`;
  expect((await open({ url }).spend(spender, limits)).allowed).toBe(true);
  const none = open({ url: `redis://127.0.0.1:1,127.0.0.1:${replica.port}` });
  await expect(Promise.resolve(none.spend(spender, limits))).rejects.toThrow(
    `Redis cannot be used. 127.0.0.1:1: it cannot be reached (ECONNREFUSED). 127.0.0.1:${replica.port}: it is a replica`,
  );
});

test("user, password and database are used", async () => {
  await using guarded = await startRedis();
  await guarded.run("ACL", "SETUSER", "petstore", "on", ">pass:word", "~p:*", "+@all");
  await guarded.run("CONFIG", "SET", "requirepass", "other");
  const url = `redis://petstore:pass%3Aword@127.0.0.1:${guarded.port}/3`;
  expect((await open({ url, prefix: "p:" }).spend(spender, limits)).allowed).toBe(true);
  const wrong = open({ url: url.replace("word", "x") });
  const failure = await Promise.resolve(wrong.spend(spender, limits)).catch(String);
  expect(failure).toContain("the user or the password may be wrong");
  expect(failure).not.toContain("pass:x");
});

test("rediss:// encrypts, and checks the authority and the name of the server", async () => {
  const { certificate, key } = await selfSigned();
  const { certificate: other } = await selfSigned();
  const directory = await folder();
  const files = { "--tls-cert-file": certificate, "--tls-key-file": key };
  const args: string[] = ["--tls-auth-clients", "no"];
  for (const [option, content] of Object.entries(files)) {
    const path = join(directory, option);
    await writeFile(path, content);
    args.push(option, path);
  }
  const port = await freePort();
  await using guarded = await startRedis([...args, "--tls-port", String(port)]);
  const allowed = (host: string, ca?: string): Promise<boolean | string> => {
    const limiter = open({ url: `rediss://${host}:${port}`, ...(ca === undefined ? {} : { ca }) });
    return Promise.resolve(limiter.spend(spender, limits)).then((made) => made.allowed, String);
  };
  expect(await allowed("localhost", certificate)).toBe(true);
  for (const refused of [
    await allowed("localhost", other),
    await allowed("localhost"),
    await allowed("127.0.0.1", certificate),
  ]) {
    expect(refused).toStartWith("StoreUnavailable: Redis cannot be used.");
  }
  // The server itself speaks plain text on its other port.
  expect(await guarded.run("PING")).toBe("PONG");
});
