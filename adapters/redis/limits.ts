import { createHash, randomUUID } from "node:crypto";

import type { Limiter } from "../../lib/accounts/limiter.ts";
import type { Applied, CounterStep, SharedCounters } from "../../lib/accounts/shared-counters.ts";
import { sharedLimiter } from "../../lib/accounts/shared-limiter.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import {
  aClock,
  aFunction,
  aText,
  checkOptions,
  type Expectation,
  optional,
} from "../../lib/base/options.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import type { SavedCounter } from "../../lib/storage/change.ts";
import { redisAddressOf } from "./address.ts";
import {
  RedisConnection,
  type RedisAccess,
  type RedisServerInfo,
  type RedisClientOptions,
  type RedisClient,
} from "./connection.ts";
import APPLY_STEPS from "./limits.lua" with { type: "text" };

export type { RedisClient, RedisClientOptions, RedisServerInfo, RedisTls } from "./connection.ts";

/** Options of counters in Redis or Valkey. */
export interface RedisOptions {
  /**
   * `redis://user:password@host:6379`, or `rediss://` with TLS. Several hosts, `a:6379,b:6379`, are tried in turn for the
   * one that accepts writes. `/2` at the end chooses a database. Redis Cluster is not supported.
   */
  readonly url: string;
  /**
   * Makes a client of one connection, without connecting: `(options) => new Bun.RedisClient(options.url, options)`, or
   * `(options) => new Redis(options)` of the package ioredis, or `(options) => createClient(options)` of the package redis, 5 or
   * newer. With another client, every decision rejects with a TypeError.
   */
  readonly connect: (options: RedisClientOptions) => RedisClient;
  /** PEM of the authorities that `rediss://` trusts. Default: the runtime's. */
  readonly ca?: string;
  /** The beginning of the names of all keys. Default `petstore:`. */
  readonly prefix?: string;
  /** Time for a reply before one more attempt over a new connection. Longer while this process is blocked. Default 50. */
  readonly deadlineMs?: number;
  /** Default 1,000. */
  readonly connectTimeoutMs?: number;
  /** Default: the server's. */
  readonly clock?: Clock;
}

/** A limiter whose counters are in Redis. */
export interface RedisLimiter extends Limiter {
  close(): void;
}

/**
 * Creates a limiter whose counters several processes share in Redis 6 or Valkey 7.2, or newer. Connects with the first
 * decision. Rejects with `StoreUnavailable` while the server cannot be used; what the server forgets is granted again.
 * Throws a `TypeError` for invalid options.
 */
export function redisLimiter(options: RedisOptions): RedisLimiter {
  const counters = redisCounters(options);
  return { ...sharedLimiter({ counters }), close: counters.close };
}

const aDuration: Expectation = {
  what: "a positive number of milliseconds",
  holds: (value) => typeof value === "number" && value > 0,
};

/** Counters in Redis. */
export interface RedisCounters extends SharedCounters {
  /** Connects if it is necessary. Rejects with `StoreUnavailable`. */
  server(): Promise<RedisServerInfo>;
  /** Applies steps if these are the counters of that epoch and that run of the server; else returns undefined. */
  applyIn(epoch: number, run: string, steps: readonly CounterStep[]): Promise<Applied | undefined>;
  /** Begins an epoch with these counters. `now` is the instant at which they were read. */
  begin(epoch: number, counters: readonly SavedCounter[], now: number): Promise<void>;
  close(): void;
}

/** After a failure, attempts are refused for so long: none should wait for a server that is away. */
const PAUSE_MS = SECOND_MS;
/** The most commands that wait for a reply together. */
const CHUNK = 500;

/**
 * Returns counters in Redis or Valkey, which several processes share. Connects with the first call. Throws a
 * `TypeError` for invalid options.
 */
export function redisCounters(options: RedisOptions): RedisCounters {
  checkOptions("The Redis limiter", options, {
    url: { ...aText, secret: true },
    connect: aFunction,
    ca: optional(aText),
    prefix: optional(aText),
    deadlineMs: optional(aDuration),
    connectTimeoutMs: optional(aDuration),
    clock: optional(aClock),
  });
  const { url, connect, ca, prefix = "petstore:", clock } = options;
  const { deadlineMs = 50, connectTimeoutMs = SECOND_MS } = options;
  const access: RedisAccess = {
    ...redisAddressOf(url),
    connect,
    connectTimeoutMs,
    ...(ca === undefined ? {} : { ca }),
  };
  const epochKey = `${prefix}limits`;
  let current: Promise<RedisConnection> | undefined;
  let open: RedisConnection | undefined;
  let failedAt = -Infinity;
  // Distinguishes the calls of this process.
  const process = randomUUID();
  let calls = 0;

  const connection = async (patienceMs = connectTimeoutMs): Promise<RedisConnection> => {
    if (open !== undefined && !open.lost) return open;
    if (performance.now() - failedAt < PAUSE_MS) {
      throw new StoreUnavailable("Redis failed a moment ago.");
    }
    current ??= RedisConnection.open({ ...access, connectTimeoutMs: patienceMs });
    try {
      open = await current;
      return open;
    } catch (error) {
      if (error instanceof StoreUnavailable) failedAt = performance.now();
      throw error;
    } finally {
      current = undefined;
    }
  };

  const failed = (error: unknown): StoreUnavailable => {
    failedAt = performance.now();
    open?.drop();
    return error instanceof StoreUnavailable
      ? error
      : new StoreUnavailable("Redis failed.", { cause: error });
  };

  const evaluate = async (
    used: RedisConnection,
    keys: readonly string[],
    args: readonly string[],
    patienceMs: number,
  ): Promise<unknown> => {
    const all = [String(keys.length), ...keys, ...args];
    try {
      return await used.send("EVALSHA", [DIGEST, ...all], patienceMs);
    } catch (error) {
      const unknown = error instanceof Error && error.message.includes("NOSCRIPT");
      if (!unknown) throw error;
      // The server was restarted, or its scripts were flushed.
      return used.send("EVAL", [APPLY_STEPS, ...all], patienceMs);
    }
  };

  const applyAs = async (
    epoch: string,
    run: string | undefined,
    steps: readonly CounterStep[],
  ): Promise<Applied | undefined> => {
    const keys = new Map<string, number>();
    const placeOf = (name: string): number => {
      let place = keys.get(name);
      // After the keys of the epoch and the call; Lua counts from 1.
      if (place === undefined) keys.set(name, (place = keys.size + 3));
      return place;
    };
    const placed = steps.map((step) => withPlaces(step, placeOf));
    const names = [...keys.keys()].map((name) => `${epochKey}:${epoch}:${name}`);
    const now = clock === undefined ? "" : String(clock.now());
    const all = [epochKey, `${epochKey}:call:${process}:${(calls++).toString(36)}`, ...names];
    const args = [JSON.stringify(placed), now, epoch];
    const ask = (used: RedisConnection, patienceMs: number): Promise<unknown> | string =>
      run === undefined || used.server.run === run
        ? evaluate(used, all, args, patienceMs)
        : ELSEWHERE;
    let reply: unknown;
    const first = open === undefined || open.lost ? await connection() : open;
    try {
      reply = await ask(first, deadlineMs);
    } catch {
      // A moment's delay is no outage. The server remembers the call, so it is not counted twice.
      try {
        reply = await ask(await connection(AGAIN_MS), AGAIN_MS);
      } catch (error) {
        throw failed(error);
      }
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return reply === ELSEWHERE ? undefined : (JSON.parse(String(reply)) as Applied);
  };

  return {
    server: async () => (await connection()).server,
    apply: async (steps) => {
      const applied = await applyAs("", undefined, steps);
      if (applied === undefined) throw new StoreUnavailable("Redis failed.");
      return applied;
    },
    applyIn: (epoch, run, steps) => applyAs(String(epoch), run, steps),
    begin: async (epoch, counters, now) => {
      try {
        const used = await connection();
        for (let start = 0; start < counters.length; start += CHUNK) {
          await Promise.all(
            counters.slice(start, start + CHUNK).map(({ name, state, endsAt }) => {
              const ttl = String(Math.max(1, endsAt - now) + LONGER_MS);
              const key = `${epochKey}:${epoch}:${name}`;
              return used.send("SET", [key, state, "PX", ttl], connectTimeoutMs);
            }),
          );
        }
        await used.send("SET", [epochKey, String(epoch)], connectTimeoutMs);
      } catch (error) {
        throw failed(error);
      }
    },
    close: () => {
      open?.drop();
      current?.then((one) => one.drop(), ignored);
    },
  };
}

const DIGEST: string = createHash("sha1").update(APPLY_STEPS).digest("hex");
const ignored = (): void => undefined;
/** The reply if the counters are others. */
const ELSEWHERE = "";
/** The time for a second attempt, to connect and for the reply. */
const AGAIN_MS = 250;
/** Counters are kept longer than they last, should a clock be set back. */
const LONGER_MS = 60_000;

/** Replaces the names of counters by their places among the keys. */
function withPlaces(step: CounterStep, placeOf: (name: string) => number): readonly unknown[] {
  if (step[0] === "clear") return ["clear", placeOf(step[1])];
  if (step[0] === "refund") {
    const [, ...refunds] = step;
    return ["refund", ...refunds.map(([name, ...starts]) => [placeOf(name), ...starts])];
  }
  const [, times, offender, threshold, ...counters] = step;
  return [
    "spend",
    times,
    offender === "" ? 0 : placeOf(offender),
    threshold,
    ...counters.map(([name, ...rest]) => [placeOf(name), ...rest]),
  ];
}
