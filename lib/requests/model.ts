import { DAY_MS } from "../base/clock.ts";
import type { RequestEntry } from "../http/request-log.ts";
import type { Environment } from "../model/account.ts";

/** A request as the log keeps it. */
export interface LoggedRequest extends RequestEntry {
  /** Distinguishes and orders the requests of a millisecond: 10 characters of base 62. */
  readonly rowId: string;
  /** Absent if the request had no valid key. */
  readonly accountId?: string;
  /** How many similar requests of the same seconds it stands for, itself included. 1 unless they were sampled. */
  readonly represents: number;
}

/**
 * How many requests of an account arrived on a UTC day, and how many of them the log has. Instants are in milliseconds
 * since the Unix epoch.
 */
export interface RequestDay {
  /** The start of the day. */
  readonly at: number;
  readonly answered: number;
  readonly logged: number;
}

/** Which requests a list contains. Default: all. */
export interface RequestFilter {
  readonly environment?: Environment | undefined;
  readonly keyId?: string | undefined;
  /** The lowest status. */
  readonly statusFrom?: number | undefined;
  /** The highest status. */
  readonly statusTo?: number | undefined;
  readonly operation?: string | undefined;
  readonly path?: string | undefined;
  /** The earliest arrival. */
  readonly from?: number | undefined;
  /** The end of the range, exclusive. */
  readonly to?: number | undefined;
}

/** The place of a request in the order of their arrival. Instants are in milliseconds since the Unix epoch. */
export interface RequestPlace {
  readonly at: number;
  readonly rowId: string;
}

/** Default of how long requests are kept: seven days. */
export const REQUESTS_KEEP_MS: number = 7 * DAY_MS;
/** The longest time for which requests can be kept. */
export const REQUESTS_KEEP_MAX_MS: number = 30 * DAY_MS;
