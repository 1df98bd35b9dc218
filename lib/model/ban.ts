import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Limits } from "./account.ts";
import type { Ban } from "./api-key.ts";

/** How long bans of levels 1 to 5 last, in milliseconds. */
const lengthsMs: readonly [number, ...number[]] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
];

/** The largest clock difference between two processes that share a store. */
const SKEW_MS: number = MINUTE_MS;

/** Returns the ban that follows `previous`: one level higher, minus one for each whole day since `previous` ended. */
export function nextBan(previous: Ban | undefined, now: number): Ban {
  const level = Math.min(levelAt(previous, now) + 1, lengthsMs.length);
  return { level, bannedAt: now, until: now + (lengthsMs[level - 1] ?? lengthsMs[0]) };
}

/** Returns when a ban ends; undefined if there is none, or if it has ended or was lifted. */
export function activeUntil(ban: Ban | undefined, now: number): number | undefined {
  if (ban === undefined || ban.liftedAt !== undefined || now >= ban.until) return undefined;
  // The clock was set back after the ban, which must not become longer.
  return now < ban.bannedAt - SKEW_MS ? undefined : ban.until;
}

/** Returns how many violations within a minute are allowed before a ban. */
export function banThreshold({ perMinute }: Limits): number {
  return Math.max(20, perMinute / 4);
}

/** Returns the remaining level. Lifting a ban ends it early but keeps its level. */
function levelAt(ban: Ban | undefined, now: number): number {
  if (ban === undefined) return 0;
  const endedAt = Math.min(ban.until, ban.liftedAt ?? ban.until);
  const cleanDays = Math.max(0, Math.floor((now - endedAt) / DAY_MS));
  return Math.max(0, ban.level - cleanDays);
}
