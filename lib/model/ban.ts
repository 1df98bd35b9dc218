import { MINUTE_MS } from "../base/clock.ts";
import type { Limits } from "./account.ts";
import type { Ban } from "./api-key.ts";

/** The largest clock difference between two processes that share a store. */
const SKEW_MS: number = MINUTE_MS;

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
