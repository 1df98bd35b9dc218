import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Environment } from "./account.ts";

/** How much a key asked of one operation within one minute or day. */
export interface UsageRow {
  readonly keyId: string;
  readonly environment: Environment;
  /** `listPets`; `unknown` where the path or method named none. */
  readonly operation: string;
  /** Start of the minute, or of the UTC day. */
  readonly at: number;
  readonly requests: number;
  /** Of these, refused with 429. */
  readonly limited: number;
  /** Of these, answered with another 4xx. */
  readonly refused: number;
  /** Of these, failed by our fault (5xx). */
  readonly failed: number;
}

/** Which rows to read: one account's, of one length, from `from` up to, not including, `to`. */
export interface UsageQuery {
  readonly accountId: string;
  readonly by: UsagePeriod;
  readonly from: number;
  readonly to: number;
  readonly environment?: Environment;
  readonly keyId?: string;
}

/** Lengths of time that usage is told by. */
export const usagePeriods = ["minute", "day"] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** A row, and whose it is. */
export interface CountedUsage extends UsageRow {
  readonly accountId: string;
}

/** How long rows can be read back, and how long a range may be. */
export const usageKeptMs: Readonly<Record<UsagePeriod, number>> = {
  minute: 48 * HOUR_MS,
  day: 400 * DAY_MS,
};

export const usagePeriodMs: Readonly<Record<UsagePeriod, number>> = {
  minute: MINUTE_MS,
  day: DAY_MS,
};

/** Start of the minute, or of the UTC day, that an instant lies in. */
export function startOfPeriod(by: UsagePeriod, at: number): number {
  return at - (at % usagePeriodMs[by]);
}
