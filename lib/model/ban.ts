import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Limits } from "./account.ts";
import type { Ban } from "./api-key.ts";

/** How long the bans of levels 1 to 5 last. */
const lengthsMs: readonly [number, ...number[]] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
];

/** How far the clocks of two processes that share a store may be apart. */
const SKEW_MS: number = MINUTE_MS;

/** The ban that follows on `previous`: one level more, one less for each whole day since that ended. */
export function nextBan(previous: Ban | undefined, now: number): Ban {
  const level = Math.min(levelAt(previous, now) + 1, lengthsMs.length);
  return { level, bannedAt: now, until: now + (lengthsMs[level - 1] ?? lengthsMs[0]) };
}

/** When the ban ends; undefined when it is over, was lifted, or there is none. */
export function activeUntil(ban: Ban | undefined, now: number): number | undefined {
  if (ban === undefined || ban.liftedAt !== undefined || now >= ban.until) return undefined;
  // Imposed by a clock that has since been put back: nobody stays banned for longer than was meant.
  return now < ban.bannedAt - SKEW_MS ? undefined : ban.until;
}

/** More violations than that within a minute lead to a ban. */
export function banThreshold({ perMinute }: Limits): number {
  return Math.max(20, perMinute / 4);
}

/** What is left of the level. Lifting a ban ends it early and leaves the level as it is. */
function levelAt(ban: Ban | undefined, now: number): number {
  if (ban === undefined) return 0;
  const endedAt = Math.min(ban.until, ban.liftedAt ?? ban.until);
  const cleanDays = Math.max(0, Math.floor((now - endedAt) / DAY_MS));
  return Math.max(0, ban.level - cleanDays);
}
