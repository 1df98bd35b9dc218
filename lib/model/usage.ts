import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Environment } from "./account.ts";

/** The requests of a key to one operation in one minute or day. */
export interface UsageRow {
  readonly keyId: string;
  readonly environment: Environment;
  /** `listPets`; `unknown` for an unknown path or method. */
  readonly operation: string;
  /** Start of the minute or UTC day. */
  readonly at: number;
  readonly requests: number;
  /** Of these, refused with 429. */
  readonly limited: number;
  /** Of these, answered with another 4xx. */
  readonly refused: number;
  /** Of these, failed by a fault of the service (5xx). */
  readonly failed: number;
}

/** The rows of an account to read, from `from` up to but not including `to`. */
export interface UsageQuery {
  readonly accountId: string;
  readonly by: UsagePeriod;
  readonly from: number;
  readonly to: number;
  readonly environment?: Environment;
  readonly keyId?: string;
}

/** Lengths of the periods that usage is counted by. */
export const usagePeriods = ["minute", "day"] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** A row with its account. */
export interface CountedUsage extends UsageRow {
  readonly accountId: string;
}

/** Retention of rows, and longest range of a query. */
export const usageKeptMs: Readonly<Record<UsagePeriod, number>> = {
  minute: 48 * HOUR_MS,
  day: 400 * DAY_MS,
};

export const usagePeriodMs: Readonly<Record<UsagePeriod, number>> = {
  minute: MINUTE_MS,
  day: DAY_MS,
};

/** Returns the start of the minute or UTC day of an instant. */
export function startOfPeriod(by: UsagePeriod, at: number): number {
  return at - (at % usagePeriodMs[by]);
}
