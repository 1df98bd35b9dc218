import { DAY_MS, MINUTE_MS } from "../base/clock.ts";
import { base62, randomBase62, type Random } from "../base/id.ts";
import type { RequestEntry, RequestLog } from "../http/request-log.ts";
import type { LoggedRequest } from "./model.ts";
import type { RequestBatch } from "./request-store.ts";

/** How many requests of a kind are kept: `burst` at once, and `perMinute` in the long run. */
export interface SampleRate {
  readonly burst: number;
  readonly perMinute: number;
}

const kinds = ["served", "limited", "refused", "failed"] as const;
type Kind = (typeof kinds)[number];

/**
 * What a process keeps of each account. Refusals and failures have rates of their own, so that served requests never crowd
 * them out. At most 52,000 rows a day.
 */
export const sampleRates: Readonly<Record<Kind, SampleRate>> = {
  served: { burst: 600, perMinute: 20 },
  limited: { burst: 300, perMinute: 5 },
  refused: { burst: 300, perMinute: 5 },
  failed: { burst: 300, perMinute: 5 },
};

/** The most accounts whose requests are counted in memory. */
const MAX_ACCOUNTS = 10_000;
/** The most requests in memory that wait to be stored: about 4 MB. */
const MAX_WAITING = 5_000;
/** As soon as a round has so many rows, the other accounts wait for the next one. */
const MAX_BATCH = 500;
const PART_ROWS = 200;
/** What `base62` can write. */
const MAX_COUNT = 2 ** 32;
/** An account without requests for so long has all of its burst again. */
const IDLE_MS = 60 * MINUTE_MS;

/** Chooses which requests are kept, and says for how many each of them stands. */
export interface Sampler extends RequestLog {
  /**
   * Returns what is to be stored since the previous call, in parts of bounded size. `all`: also samples that would
   * otherwise grow until their account may store another request.
   */
  drain(now: number, all?: boolean): readonly RequestBatch[];
  /** Returns the number of requests since the previous call that were not even counted. */
  lost(): number;
}

/**
 * Creates a sampler. While an account stays below its rates, every request is kept. Above them, each kind of requests is a
 * reservoir (Vitter's algorithm R): every request has the same chance, and the kept ones stand for all of them.
 */
export function createSampler({
  random,
  rates = sampleRates,
}: {
  readonly random: Random;
  readonly rates?: Readonly<Record<Kind, SampleRate>>;
}): Sampler {
  const accounts = new Map<string | undefined, Account>();
  const active = new Set<Account>();
  const below = belowOf(random);
  let waiting = 0;
  let lost = 0;
  let sweptAt = 0;
  /** Distinguishes the rows of processes. */
  let process: string | undefined;
  /** Orders the requests of a millisecond. */
  let count = 0;

  const accountOf = (id: string | undefined, at: number): Account | undefined => {
    const known = accounts.get(id);
    if (known !== undefined || accounts.size >= MAX_ACCOUNTS) return known;
    const made = new Account(id, at, rates);
    accounts.set(id, made);
    return made;
  };

  const sweep = (now: number): void => {
    if (Math.abs(now - sweptAt) < MINUTE_MS) return;
    sweptAt = now;
    for (const [id, account] of accounts) {
      if (!active.has(account) && Math.abs(now - account.lastAt) > IDLE_MS) accounts.delete(id);
    }
  };

  /** Takes the samples of an account that are ready. Returns whether others wait. */
  const take = (account: Account, rows: LoggedRequest[], now: number, all: boolean): boolean => {
    let others = false;
    for (const kind of kinds) {
      const lot = account.lots[kind];
      if (lot.seen === 0) continue;
      if (!all && !lot.isReady(now)) {
        others = true;
        continue;
      }
      waiting -= lot.kept.length;
      for (const { entry, number, represents } of lot.end()) {
        process ??= randomBase62(random, 4);
        rows.push({ ...entry, ...account.owner, rowId: base62(number) + process, represents });
      }
    }
    return others;
  };

  return {
    offer: (id, status, at, make) => {
      const account = accountOf(id, at);
      if (account === undefined) {
        lost++;
        return;
      }
      if (account.answered === 0) active.add(account);
      account.answered++;
      account.lastAt = at;
      const lot = account.lots[kindOf(status)];
      if (lot.seen === 0) lot.begin(at);
      lot.seen++;
      if (lot.kept.length < lot.room) {
        if (waiting >= MAX_WAITING) return;
        waiting++;
        lot.kept.push({ entry: make(), number: count++ % MAX_COUNT });
        return;
      }
      const place = below(lot.seen);
      if (place < lot.kept.length) {
        lot.kept[place] = { entry: make(), number: count++ % MAX_COUNT };
      }
    },

    drain: (now, all = false) => {
      const rows: LoggedRequest[] = [];
      const days: RequestBatch["days"][number][] = [];
      const resting: Account[] = [];
      for (const account of active) {
        if (!all && rows.length >= MAX_BATCH) break;
        const before = rows.length;
        if (take(account, rows, now, all)) resting.push(account);
        const { owner, answered } = account;
        const logged = rows.length - before;
        if (answered + logged > 0) days.push({ ...owner, at: startOfDay(now), answered, logged });
        account.answered = 0;
        active.delete(account);
      }
      // Behind those that this call has left out.
      for (const account of resting) active.add(account);
      sweep(now);
      return inParts(rows, days);
    },

    lost: () => {
      const since = lost;
      lost = 0;
      return since;
    },
  };
}

function kindOf(status: number): Kind {
  if (status < 400) return "served";
  if (status === 429) return "limited";
  return status < 500 ? "refused" : "failed";
}

function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}

/** The requests of an account since they were last stored. */
class Account {
  readonly owner: { readonly accountId?: string };
  readonly lots: Readonly<Record<Kind, Lot>>;
  answered = 0;
  lastAt: number;

  constructor(id: string | undefined, at: number, rates: Readonly<Record<Kind, SampleRate>>) {
    this.owner = id === undefined ? {} : { accountId: id };
    this.lastAt = at;
    const { served, limited, refused, failed } = rates;
    this.lots = {
      served: new Lot(served, at),
      limited: new Lot(limited, at),
      refused: new Lot(refused, at),
      failed: new Lot(failed, at),
    };
  }
}

/** A request that may be stored. */
interface Kept {
  readonly entry: RequestEntry;
  readonly number: number;
}

/** A reservoir of requests of one kind, whose size follows a token bucket. */
class Lot {
  readonly #rate: SampleRate;
  /** `MINUTE_MS` for each request: whole numbers, which add up exactly. */
  #tokens: number;
  #filledAt: number;
  /** The number of requests since the reservoir began. */
  seen = 0;
  /** The most requests that it keeps. */
  room = 0;
  kept: Kept[] = [];

  constructor(rate: SampleRate, at: number) {
    this.#rate = rate;
    this.#tokens = rate.burst * MINUTE_MS;
    this.#filledAt = at;
  }

  begin(at: number): void {
    this.#fill(at);
    this.room = Math.max(1, Math.floor(this.#tokens / MINUTE_MS));
  }

  /** Returns whether what it keeps may be stored now. */
  isReady(now: number): boolean {
    this.#fill(now);
    return this.#tokens >= MINUTE_MS;
  }

  /** Ends the reservoir. Returns what it kept, and for how many requests each stands. */
  end(): readonly (Kept & { readonly represents: number })[] {
    const { kept, seen } = this;
    const share = Math.floor(seen / kept.length);
    const rest = seen % kept.length;
    this.#tokens -= kept.length * MINUTE_MS;
    this.kept = [];
    this.seen = 0;
    return kept.map((one, index) => ({ ...one, represents: index < rest ? share + 1 : share }));
  }

  /** Adds the tokens since the last time. A clock that was set back adds none. */
  #fill(now: number): void {
    const { burst, perMinute } = this.#rate;
    const added = Math.max(0, now - this.#filledAt) * perMinute;
    this.#tokens = Math.min(burst * MINUTE_MS, this.#tokens + added);
    this.#filledAt = now;
  }
}

/** Divides rows so that storing a part takes a few milliseconds. */
function inParts(rows: readonly LoggedRequest[], days: RequestBatch["days"]): RequestBatch[] {
  if (days.length === 0) return [];
  const parts: RequestBatch[] = [{ rows: rows.slice(0, PART_ROWS), days }];
  for (let from = PART_ROWS; from < rows.length; from += PART_ROWS) {
    parts.push({ rows: rows.slice(from, from + PART_ROWS), days: [] });
  }
  return parts;
}

/**
 * Returns a fast function for integers below a bound. It decides only which requests are kept (xorshift32, Marsaglia 2003).
 */
function belowOf(random: Random): (bound: number) => number {
  let state = 0;
  return (bound) => {
    // Drawn at the first use: some runtimes refuse random values while they load modules.
    while (state === 0) state = new Int32Array(random(new Uint8Array(4)).buffer)[0] ?? 0;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 0x1_0000_0000) * bound);
  };
}
