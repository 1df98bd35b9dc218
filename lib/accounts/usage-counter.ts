import { MINUTE_MS } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Environment } from "../model/account.ts";
import { usersId, type CountedUsage } from "../model/usage.ts";
import type { Change } from "../storage/change.ts";
import type { Caller } from "./keyring.ts";

/** Counts each key's requests in memory until they are saved. */
export interface UsageCounter {
  /** Counts a completed request of an authenticated caller. */
  count(caller: Caller, operation: string, status: number, now: number): void;
  /** Returns the change that saves the counts since the previous call: one row per key, operation and minute. */
  drain(now: number): readonly Change[];
}

type Tally = { -readonly [Name in keyof CountedUsage]: CountedUsage[Name] };

/** The most unsaved rows, in case the store is unavailable. Further requests are not counted; limits are unaffected. */
const MAX_ROWS = 20_000;

export function createUsageCounter(log: Log, environment: Environment): UsageCounter {
  const byKey = new Map<string, Map<string, Tally>>();
  // The tallies with at least one request.
  let counted: Tally[] = [];
  let sweptAt = 0;
  let lost = 0;

  const tallyOf = (caller: Caller, operation: string, now: number): Tally => {
    const keyId = caller.key?.id ?? usersId[environment];
    let byOperation = byKey.get(keyId);
    if (byOperation === undefined) {
      byOperation = new Map();
      byKey.set(keyId, byOperation);
    }
    const known = byOperation.get(operation);
    if (known !== undefined && now >= known.at && now < known.at + MINUTE_MS) return known;
    const tally: Tally = {
      accountId: caller.account.id,
      keyId,
      environment,
      operation,
      at: now - (now % MINUTE_MS),
      requests: 0,
      limited: 0,
      refused: 0,
      failed: 0,
    };
    byOperation.set(operation, tally);
    return tally;
  };

  return {
    count: (caller, operation, status, now) => {
      const tally = tallyOf(caller, operation, now);
      if (tally.requests === 0) {
        if (counted.length >= MAX_ROWS) {
          lost++;
          return;
        }
        counted.push(tally);
      }
      tally.requests++;
      if (status < 400) return;
      if (status >= 500) tally.failed++;
      else if (status === 429) tally.limited++;
      else tally.refused++;
    },
    drain: (now) => {
      const rows = counted.map((tally) => ({ ...tally }));
      for (const tally of counted) {
        tally.requests = 0;
        tally.limited = 0;
        tally.refused = 0;
        tally.failed = 0;
      }
      counted = [];
      // A tally of an ended minute is never used again.
      if (Math.abs(now - sweptAt) >= MINUTE_MS) {
        sweptAt = now;
        byKey.clear();
      }
      if (lost > 0) log.warn("requests are missing from the usage", { requests: lost });
      lost = 0;
      return rows.length === 0 ? [] : [{ kind: "usage.add", rows }];
    },
  };
}
