import { aLog, checkOptions, having, optional } from "../../lib/base/options.ts";
import type { Limiter } from "../../lib/accounts/limiter.ts";
import { sharedLimiter } from "../../lib/accounts/shared-limiter.ts";
import type { Applied, CounterStep, SharedCounters } from "../../lib/accounts/shared-counters.ts";
import { SECOND_MS, systemClock } from "../../lib/base/clock.ts";
import { type Log, silentLog } from "../../lib/base/log.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { KnownRow } from "../postgres/counting-row.ts";
import { READING_VALID_MS } from "./hand-over.ts";
import type { PostgresCounters } from "../postgres/limits.ts";
import type { RedisCounters } from "./limits.ts";
import { SeenCounts } from "./seen-counts.ts";

/** Counters that move between PostgreSQL and Redis, as hand-over.ts draws it. Requests wait meanwhile, at most `PATIENCE_MS`. */
export interface HandedCounters extends SharedCounters {
  /** Saves counts about once a second, and moves them to Redis if it can be used. To be called several times a second. */
  tend(): Promise<void>;
  /** Saves counts now. To be called before `close`. */
  save(): Promise<void>;
  readonly status: LimitsStatus;
  close(): void;
}

/**
 * Where limits are counted, as far as a process knows, and whether it reaches Redis. Instants are in milliseconds since
 * the Unix epoch.
 */
export interface LimitsStatus {
  /** `moving`: neither side counts for a moment. */
  readonly limitsIn: "postgres" | "redis" | "moving";
  /** Absent if they have always been there. */
  readonly limitsMovedAt?: number;
  /** `off`: this process has no Redis. */
  readonly redis: "off" | "ok" | "unavailable";
  /** Since when Redis has been `ok` or `unavailable`. */
  readonly redisChangedAt?: number;
}

/** A crash of the database forgets the counts of less than a second, if `tend` is called every 250 milliseconds. */
const SAVED_MS = 700;
/** How often a process saves that has counted nothing: the counts of one that was killed, and the end of old counters. */
const SAVED_IDLE_MS: number = 5 * SECOND_MS;
/** The row is read again before a reading of it expires. */
const RENEWED_MS = 200;
/** How old a reading may be when a call to Redis begins: the reply arrives before it expires. */
const USABLE_MS = 400;
const PATIENCE_MS: number = 3 * SECOND_MS;
const LOOK_EVERY_MS = 25;

/** The limits of all processes on a database. */
export interface SharedLimits extends Omit<HandedCounters, "apply"> {
  readonly limiter: Limiter;
}

/**
 * Shares limits in PostgreSQL, or in Redis as long as it can be used. Starts nothing. Throws a `TypeError` for invalid
 * options.
 */
export function sharedLimits(options: Parameters<typeof handedCounters>[0]): SharedLimits {
  checkOptions("sharedLimits", options, {
    postgres: having("the counters of postgresSql()", "applyOr"),
    redis: optional(having("the counters of redisCounters()", "applyIn")),
    log: optional(aLog),
  });
  const counters = handedCounters(options);
  return {
    limiter: sharedLimiter({ counters }),
    tend: () => counters.tend(),
    save: () => counters.save(),
    get status() {
      return counters.status;
    },
    close: () => counters.close(),
  };
}

/** Joins both sides. Without `redis`, this node moves the counters to PostgreSQL when it needs them. */
export function handedCounters({
  postgres,
  redis,
  log = silentLog,
}: {
  readonly postgres: PostgresCounters;
  readonly redis?: RedisCounters | undefined;
  readonly log?: Log;
}): HandedCounters {
  return new Handed(postgres, redis, log);
}

class Handed implements HandedCounters {
  readonly #postgres: PostgresCounters;
  readonly #redis: RedisCounters | undefined;
  readonly #log: Log;
  readonly #known: KnownRow;
  readonly #seen = new SeenCounts();
  #savedAt = -Infinity;
  /** Whether this process may have counted since the last save. */
  #counted = true;
  #reached: { readonly state: "ok" | "unavailable"; readonly at?: number } = {
    state: "unavailable",
  };
  #leaving: Promise<void> | undefined;
  #usableSince: number | undefined;

  constructor(postgres: PostgresCounters, redis: RedisCounters | undefined, log: Log) {
    this.#postgres = postgres;
    this.#redis = redis;
    this.#log = log;
    this.#known = new KnownRow(postgres, log, () => void this.#report().catch(() => undefined));
  }

  get status(): LimitsStatus {
    const { row, movedAt } = this.#known;
    const { state } = row;
    return {
      limitsIn: state === "postgres" || state === "redis" ? state : "moving",
      ...(movedAt === undefined ? {} : { limitsMovedAt: movedAt }),
      redis: this.#redis === undefined ? "off" : this.#reached.state,
      ...(this.#reached.at === undefined ? {} : { redisChangedAt: this.#reached.at }),
    };
  }

  /** Notes whether Redis can be used. */
  #reach(state: "ok" | "unavailable"): void {
    if (this.#redis === undefined) return;
    if (state !== this.#reached.state || this.#reached.at === undefined) {
      this.#reached = { state, at: systemClock.now() };
    }
  }

  async apply(steps: readonly CounterStep[]): Promise<Applied> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const inRedis = this.#known.row.state === "redis";
      const applied = await (inRedis ? this.#applyInRedis(steps) : this.#applyInPostgres(steps));
      if (applied !== undefined) return applied;
      if (performance.now() > until) {
        throw new StoreUnavailable("The limits are moving between Redis and the database.");
      }
      await this.#finishMove();
    }
  }

  async tend(): Promise<void> {
    const everyMs = this.#counted ? SAVED_MS : SAVED_IDLE_MS;
    if (performance.now() - this.#savedAt >= everyMs) await this.save();
    else await this.#report();
    if (this.#redis === undefined) return;
    await this.#known.read();
    await this.#finishMove();
    await this.#enterRedis(this.#redis);
  }

  async save(): Promise<void> {
    this.#savedAt = performance.now();
    await this.#report();
    this.#counted = false;
    try {
      await this.#postgres.save();
    } catch (error) {
      this.#counted = true;
      throw error;
    }
  }

  close(): void {
    this.#redis?.close();
  }

  /** Returns undefined if PostgreSQL does not count. */
  async #applyInPostgres(steps: readonly CounterStep[]): Promise<Applied | undefined> {
    const askedAt = performance.now();
    this.#counted = true;
    const reply = await this.#postgres.applyOr(steps);
    // Counts of before a save that ended meanwhile.
    this.#counted = true;
    if ("outcomes" in reply) return reply;
    this.#known.learn(reply, askedAt);
    return undefined;
  }

  /** Returns undefined if Redis does not count, or no longer. */
  async #applyInRedis(steps: readonly CounterStep[]): Promise<Applied | undefined> {
    const age = performance.now() - this.#known.readAt;
    if (age > USABLE_MS) await this.#known.read();
    else if (age > RENEWED_MS) this.#known.read().catch(() => undefined);
    const { state, epoch, run } = this.#known.row;
    if (state !== "redis") return undefined;
    let applied: Applied | undefined;
    let reason: unknown = "it lost its memory, or is not configured here";
    try {
      applied = await this.#redis?.applyIn(epoch, run, steps);
    } catch (error) {
      reason = error;
    }
    if (applied === undefined) {
      await this.#leaveRedis(epoch, reason);
      return undefined;
    }
    // This process may have been paused, or the reply late: then others may count elsewhere by now.
    const repliedAt = performance.now();
    if (repliedAt - this.#known.readRedisAt > READING_VALID_MS) {
      while (this.#known.readAt < repliedAt) await this.#known.read();
      if (this.#known.row.state !== "redis" || this.#known.row.epoch !== epoch) return undefined;
    }
    this.#seen.note(steps, applied);
    // Another node may be about to finish the move.
    if (this.#known.row.state !== "redis") await this.#report();
    return applied;
  }

  /** Adds the counts that this node has seen in Redis to the database. */
  async #report(): Promise<void> {
    if (this.#seen.size === 0) return;
    this.#counted = true;
    await this.#seen.report((counters) => this.#postgres.add(counters));
  }

  /** Finishes a move if it is time to, or else waits a moment for it. */
  async #finishMove(): Promise<void> {
    const { row, seenSince } = this.#known;
    if (row.state === "postgres" || row.state === "redis") return;
    const forMs = performance.now() - seenSince;
    await this.#report();
    if ((await this.#known.advance(row, { kind: "waited", forMs })) !== undefined) return;
    await systemClock.sleep(LOOK_EVERY_MS);
    await this.#known.read();
  }

  /** Stops the counting in Redis. Concurrent calls share the attempt. */
  #leaveRedis(epoch: number, reason: unknown): Promise<void> {
    this.#leaving ??= (async () => {
      try {
        this.#usableSince = undefined;
        const row = await this.#known.read();
        if (row.state !== "redis" || row.epoch !== epoch) return;
        this.#log.warn("Redis cannot count limits", { reason: String(reason) });
        this.#reach("unavailable");
        await this.#known.advance(row, { kind: "Redis was lost" });
      } finally {
        this.#leaving = undefined;
      }
    })();
    return this.#leaving;
  }

  /** Moves the counters to Redis if it can be used and PostgreSQL has counted for long enough. */
  async #enterRedis(redis: RedisCounters): Promise<void> {
    let run: string;
    try {
      ({ run } = await redis.server());
    } catch {
      this.#reach("unavailable");
      this.#usableSince = undefined;
      return;
    }
    this.#reach("ok");
    this.#usableSince ??= performance.now();
    const forMs = performance.now() - this.#usableSince;
    const moving = await this.#known.advance(this.#known.row, {
      kind: "Redis is usable",
      run,
      forMs,
    });
    if (moving === undefined) return;
    try {
      const { counters, at } = await this.#postgres.counters();
      await redis.begin(moving.epoch, counters, at);
      await this.#known.advance(moving, { kind: "copied" });
    } catch (error) {
      this.#usableSince = undefined;
      this.#log.warn("Redis cannot count limits", { reason: String(error) });
      await this.#known.advance(moving, { kind: "the copy failed" });
    }
  }
}
