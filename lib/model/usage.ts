import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Environment } from "./account.ts";

/**
 * The requests made with one key to one operation in one minute or day. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface UsageRow {
  readonly keyId: string;
  readonly environment: Environment;
  /** `listPets`, for example; `unknown` for an unknown path or method. */
  readonly operation: string;
  /** The start of the minute or UTC day. */
  readonly at: number;
  readonly requests: number;
  /** How many of them were refused with 429. */
  readonly limited: number;
  /** How many got another 4xx. */
  readonly refused: number;
  /** How many failed with a 5xx. */
  readonly failed: number;
}

/** Selects an account's rows from `from` up to but not including `to`. */
export interface UsageQuery {
  readonly accountId: string;
  readonly by: UsagePeriod;
  readonly from: number;
  readonly to: number;
  readonly environment?: Environment;
  readonly keyId?: string;
}

/** The periods by which usage is counted. */
export const usagePeriods = ["minute", "day"] as const;
/** The length of the periods that usage is counted in. */
export type UsagePeriod = (typeof usagePeriods)[number];

/** Takes the place of the key's id in the usage of the host's users, who have none. */
export const usersId: Readonly<Record<Environment, string>> = {
  production: "users",
  staging: "testUsers",
};

/** A row with its account. */
export interface CountedUsage extends UsageRow {
  readonly accountId: string;
}

/** How long rows are kept, which is also the longest range of a query. */
export const usageKeptMs: Readonly<Record<UsagePeriod, number>> = {
  minute: 48 * HOUR_MS,
  day: 400 * DAY_MS,
};

export const usagePeriodMs: Readonly<Record<UsagePeriod, number>> = {
  minute: MINUTE_MS,
  day: DAY_MS,
};

/** Returns the start of the minute or UTC day that contains `at`. */
export function startOfPeriod(by: UsagePeriod, at: number): number {
  return at - (at % usagePeriodMs[by]);
}
