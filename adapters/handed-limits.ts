import { aLog, checkOptions, having, optional } from "../lib/base/options.ts";
import type { Limiter } from "../lib/accounts/limiter.ts";
import { sharedLimiter } from "../lib/accounts/shared-limiter.ts";
import type {
  Applied,
  CounterStep,
  SharedCounters,
  SpendOutcome,
} from "../lib/accounts/shared-counters.ts";
import { SECOND_MS, systemClock } from "../lib/base/clock.ts";
import { type Log, silentLog } from "../lib/base/log.ts";
import { StoreUnavailable } from "../lib/sql/sql.ts";
import type { PostgresCounters, SeenCounter, Standing } from "./postgres-limits.ts";
import type { RedisCounters } from "./redis-limits.ts";

/**
 * Counters that move between PostgreSQL and Redis. One row of the database, the standing, says which side counts.
 *
 * - PostgreSQL checks the row with each decision. A node counts in Redis only while its last reading of the row is at most
 *   `CONFIRMED_MS` old, and only with the epoch and the run of the server that the row names: a server that restarted, was
 *   flushed or replaced has forgotten counts.
 * - To Redis: the row first stops PostgreSQL. Its counters are copied under a new epoch, then the row names Redis.
 * - To PostgreSQL: the row first stops Redis, and all readings of it expire. Meanwhile each node adds the counts that it
 *   has seen. Then the row names PostgreSQL. Any node can finish a move that another one began.
 *
 * Requests wait meanwhile, at most `PATIENCE_MS`.
 */
export interface HandedCounters extends SharedCounters {
  /** Saves counts about once a second, and moves them to Redis if it can be used. To be called several times a second. */
  tend(): Promise<void>;
  /** Saves counts now. To be called before `close`. */
  save(): Promise<void>;
  /** Which side counts, as far as this node knows. */
  readonly standing: Standing["side"];
  readonly status: LimitsStatus;
  close(): void;
}

/** Where limits are counted, as far as a process knows, and whether it reaches Redis. */
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
const CONFIRMED_MS = 500;
/** The row is read again before a reading of it expires. */
const RENEWED_MS = 200;
/** How old a reading may be when a call to Redis begins: the reply arrives before it expires. */
const USABLE_MS = 400;
/** Then all readings of an earlier row have expired, and the nodes that had one have added their counts. */
const SETTLED_MS: number = CONFIRMED_MS + 100;
const PATIENCE_MS: number = 3 * SECOND_MS;
const LOOK_EVERY_MS = 25;
/** When a node takes a move to Redis back that another one began. */
const ABANDONED_MS: number = 5 * SECOND_MS;
/** How long Redis must have been usable. */
const STEADY_MS: number = SECOND_MS;

/** The limits of all processes on a database. */
export interface SharedLimits extends Omit<HandedCounters, "apply"> {
  readonly limiter: Limiter;
}

/** Shares limits in PostgreSQL, or in Redis as long as it can be used. Starts nothing. */
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
    get standing() {
      return counters.standing;
    },
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

const NOTHING: SpendOutcome = [0, 0];

class Handed implements HandedCounters {
  readonly #postgres: PostgresCounters;
  readonly #redis: RedisCounters | undefined;
  readonly #log: Log;
  #savedAt = -Infinity;
  /** Whether this process may have counted since the last save. */
  #counted = true;
  #movedAt: number | undefined;
  #reached: { readonly state: "ok" | "unavailable"; readonly at?: number } = {
    state: "unavailable",
  };
  #known: Standing = { side: "postgres", epoch: 0, run: "", ageMs: 0, pauseMs: 0 };
  /** When the reading of the row was asked for; times are of a clock that is never set. */
  #readAt = -Infinity;
  /** When the last reading that named Redis was asked for. */
  #confirmedAt = -Infinity;
  /** When this node first saw the present move. */
  #movingSince = 0;
  #reading: Promise<Standing> | undefined;
  #leaving: Promise<void> | undefined;
  #steadySince: number | undefined;
  /** Counts in Redis that the database does not know yet. */
  #seen = new Map<string, SeenCounter>();

  constructor(postgres: PostgresCounters, redis: RedisCounters | undefined, log: Log) {
    this.#postgres = postgres;
    this.#redis = redis;
    this.#log = log;
  }

  get standing(): Standing["side"] {
    return this.#known.side;
  }

  get status(): LimitsStatus {
    const { side } = this.#known;
    return {
      limitsIn: side === "postgres" || side === "redis" ? side : "moving",
      ...(this.#movedAt === undefined ? {} : { limitsMovedAt: this.#movedAt }),
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
      const applied =
        this.#known.side === "redis" ? await this.#inRedis(steps) : await this.#inPostgres(steps);
      if (applied !== undefined) return applied;
      if (performance.now() > until) {
        throw new StoreUnavailable("The limits are moving between Redis and the database.");
      }
      await this.#help();
    }
  }

  async tend(): Promise<void> {
    const everyMs = this.#counted ? SAVED_MS : SAVED_IDLE_MS;
    if (performance.now() - this.#savedAt >= everyMs) await this.save();
    else await this.#tell();
    if (this.#redis === undefined) return;
    await this.#read();
    await this.#help();
    await this.#goToRedis(this.#redis);
  }

  async save(): Promise<void> {
    this.#savedAt = performance.now();
    await this.#tell();
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

  async #inPostgres(steps: readonly CounterStep[]): Promise<Applied | undefined> {
    const askedAt = performance.now();
    this.#counted = true;
    const reply = await this.#postgres.applyOr(steps);
    // Counts of before a save that ended meanwhile.
    this.#counted = true;
    if ("outcomes" in reply) return reply;
    this.#learn(reply, askedAt);
    return undefined;
  }

  async #inRedis(steps: readonly CounterStep[]): Promise<Applied | undefined> {
    const age = performance.now() - this.#readAt;
    if (age > USABLE_MS) await this.#read();
    else if (age > RENEWED_MS) this.#read().catch(() => undefined);
    const { side, epoch, run } = this.#known;
    if (side !== "redis") return undefined;
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
    if (repliedAt - this.#confirmedAt > CONFIRMED_MS) {
      while (this.#readAt < repliedAt) await this.#read();
      if (this.#known.side !== "redis" || this.#known.epoch !== epoch) return undefined;
    }
    this.#note(steps, applied);
    // Another node may be about to finish the move.
    if (this.#known.side !== "redis") await this.#tell();
    return applied;
  }

  /** Reads the row. Concurrent calls share a reading, which may have begun earlier. */
  #read(): Promise<Standing> {
    this.#reading ??= (async () => {
      const askedAt = performance.now();
      try {
        return this.#learn(await this.#postgres.standing(), askedAt);
      } finally {
        this.#reading = undefined;
      }
    })();
    return this.#reading;
  }

  #learn(standing: Standing, askedAt: number): Standing {
    const { side, epoch } = this.#known;
    if (standing.side !== side || standing.epoch !== epoch) {
      this.#movingSince = performance.now();
      this.#log.info("the counting of limits moves", { to: standing.side, epoch: standing.epoch });
      // Before another node finishes the move.
      if (standing.side === "to-postgres") this.#tell().catch(() => undefined);
    }
    // The first epoch has never moved.
    this.#movedAt = standing.epoch === 0 ? undefined : systemClock.now() - standing.ageMs;
    this.#known = standing;
    this.#readAt = askedAt;
    if (standing.side === "redis") this.#confirmedAt = askedAt;
    return standing;
  }

  /** Changes the row, if no other node has. */
  async #move(from: Standing, side: Standing["side"], run: string): Promise<Standing | undefined> {
    const askedAt = performance.now();
    const moved = await this.#postgres.move(from, side, run);
    return moved === undefined ? undefined : this.#learn(moved, askedAt);
  }

  /** Finishes a move, or waits a moment for it. */
  async #help(): Promise<void> {
    const { side } = this.#known;
    if (side !== "to-postgres" && side !== "to-redis") return;
    const waited = performance.now() - this.#movingSince;
    if (side === "to-postgres") {
      await this.#tell();
      if (waited > SETTLED_MS && (await this.#move(this.#known, "postgres", ""))) return;
    } else if (waited > ABANDONED_MS && (await this.#move(this.#known, "postgres", ""))) return;
    await systemClock.sleep(LOOK_EVERY_MS);
    await this.#read();
  }

  /** Stops the counting in Redis. Concurrent calls share the attempt. */
  #leaveRedis(epoch: number, reason: unknown): Promise<void> {
    this.#leaving ??= (async () => {
      try {
        this.#steadySince = undefined;
        const now = await this.#read();
        if (now.side !== "redis" || now.epoch !== epoch) return;
        this.#log.warn("Redis cannot count limits", { reason: String(reason) });
        this.#reach("unavailable");
        await this.#move(now, "to-postgres", "");
      } finally {
        this.#leaving = undefined;
      }
    })();
    return this.#leaving;
  }

  async #goToRedis(redis: RedisCounters): Promise<void> {
    let run: string;
    try {
      ({ run } = await redis.server());
    } catch {
      this.#reach("unavailable");
      this.#steadySince = undefined;
      return;
    }
    this.#reach("ok");
    this.#steadySince ??= performance.now();
    const from = this.#known;
    const steady = performance.now() - this.#steadySince >= STEADY_MS;
    if (from.side !== "postgres" || !steady || from.ageMs < from.pauseMs) return;
    const moving = await this.#move(from, "to-redis", run);
    if (moving === undefined) return;
    try {
      const { counters, at } = await this.#postgres.counters();
      await redis.begin(moving.epoch, counters, at);
      await this.#move(moving, "redis", run);
    } catch (error) {
      this.#steadySince = undefined;
      this.#log.warn("Redis cannot count limits", { reason: String(error) });
      await this.#move(moving, "postgres", "");
    }
  }

  /** Remembers the counts of a reply until the database has them. */
  #note(steps: readonly CounterStep[], { outcomes }: Applied): void {
    for (const [index, step] of steps.entries()) {
      const [granted, , ...windows] = outcomes[index] || NOTHING;
      if (step[0] !== "spend" || granted === 0) continue;
      const [, , , , ...counters] = step;
      for (const [place, [name, saved, length, , secondLength]] of counters.entries()) {
        const [start = 0, used = 0, peak = 0, ...second] = windows[place] ?? [];
        const [secondStart = 0, secondUsed = 0, secondPeak = 0] = second;
        const first = [start, used + granted, Math.max(peak, used + granted)];
        const others = [
          secondStart,
          secondUsed + granted,
          Math.max(secondPeak, secondUsed + granted),
        ];
        this.#seen.set(name, {
          name,
          saved,
          endsAt: Math.max(start + length, secondStart + secondLength),
          numbers: second.length === 0 ? first : [...first, ...others],
        });
      }
    }
  }

  /** Adds the counts that this node has seen in Redis to the database. */
  async #tell(): Promise<void> {
    const seen = this.#seen;
    if (seen.size === 0) return;
    this.#seen = new Map();
    this.#counted = true;
    try {
      await this.#postgres.seed([...seen.values()]);
    } catch (error) {
      for (const [name, counter] of seen) if (!this.#seen.has(name)) this.#seen.set(name, counter);
      throw error;
    }
  }
}
