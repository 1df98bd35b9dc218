import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Limits } from "./account.ts";
import type { Ban } from "./api-key.ts";

/** Lengths of the bans of levels 1 to 5. */
const lengthsMs: readonly [number, ...number[]] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
];

/** Largest difference between the clocks of two processes that share a store. */
const SKEW_MS: number = MINUTE_MS;

/** Returns the ban after `previous`: one level higher, minus one for each whole day since that ended. */
export function nextBan(previous: Ban | undefined, now: number): Ban {
  const level = Math.min(levelAt(previous, now) + 1, lengthsMs.length);
  return { level, bannedAt: now, until: now + (lengthsMs[level - 1] ?? lengthsMs[0]) };
}

/** Returns when a ban ends; undefined without a ban, and when it has ended or was lifted. */
export function activeUntil(ban: Ban | undefined, now: number): number | undefined {
  if (ban === undefined || ban.liftedAt !== undefined || now >= ban.until) return undefined;
  // The clock was put back since: the ban must not become longer.
  return now < ban.bannedAt - SKEW_MS ? undefined : ban.until;
}

/** Returns the most violations within a minute that do not lead to a ban. */
export function banThreshold({ perMinute }: Limits): number {
  return Math.max(20, perMinute / 4);
}

/** Returns the remaining level. Lifting a ban ends it early and keeps its level. */
function levelAt(ban: Ban | undefined, now: number): number {
  if (ban === undefined) return 0;
  const endedAt = Math.min(ban.until, ban.liftedAt ?? ban.until);
  const cleanDays = Math.max(0, Math.floor((now - endedAt) / DAY_MS));
  return Math.max(0, ban.level - cleanDays);
}
