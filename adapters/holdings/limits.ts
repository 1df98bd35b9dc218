import { aCount, type Expectation, optional, optionsOf } from "../../lib/base/options.ts";
import { MINUTE_MS } from "../../lib/base/clock.ts";

/** Estimated memory for a header field, besides its name and value: a small one takes several times its size. */
export const FIELD_BYTES = 100;

/** A handler that buffers a body accepts no more than this. */
export const GATHERED_BYTES = 64 * 1_024;

/** Limits of the memory that clients use together. */
export interface HoldingLimits {
  /**
   * Response bytes in memory that the client of a connection has not read. Reading of bodies pauses at the limit; the
   * last part may exceed it. Default 256 KiB.
   */
  readonly maxUnreadBytes: number;
  /**
   * Bytes in memory for requests in progress and unread responses of all connections. Beyond it, the connection that
   * holds the most is closed. Default 64 MiB; the process may need twice as much.
   */
  readonly maxHeldBytes: number;
  /**
   * Bytes in memory that have arrived of incomplete hellos, records, heads and frames of all connections. Beyond it, the
   * connection with the largest product of bytes and age is closed. They count towards `maxHeldBytes`, too. Default 16 MiB.
   */
  readonly maxUnfinishedBytes: number;
  /** Time that a client may take to read up to 32 KiB of a response before the response is abandoned. Default 60 s. */
  readonly unreadMs: number;
}

export const holdingLimits: HoldingLimits = {
  maxUnreadBytes: 256 * 1024,
  maxHeldBytes: 64 * 1024 * 1024,
  maxUnfinishedBytes: 16 * 1024 * 1024,
  unreadMs: MINUTE_MS,
};

/** Expects some of the limits. */
export const holdingLimitsOption: Expectation = someOf(holdingLimits);

/** Expects an object that has some of these limits. */
export function someOf(limits: object): Expectation {
  const names = Object.keys(limits).map((name) => [name, optional(aCount(1))]);
  return optionsOf("an object of limits", Object.fromEntries(names));
}

/** Merges the given limits with the defaults. Throws a TypeError unless every limit is a positive integer. */
export function holdingLimitsFrom(given: Partial<HoldingLimits> = {}): HoldingLimits {
  return mergedLimits(holdingLimits, given);
}

/** Merges the given limits with `defaults`. Throws a TypeError unless every limit is a positive integer. */
export function mergedLimits<Limits extends { readonly [Name in keyof Limits]: number }>(
  defaults: Limits,
  given: Partial<Limits>,
): Limits {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries<number>(limits)) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new TypeError(`The limit ${name} must be a whole number above 0; it is ${value}.`);
    }
  }
  return limits;
}
