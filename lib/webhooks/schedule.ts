import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";
import { DELIVER_FOR_MS } from "./model.ts";

/** The time after each failed attempt; the last one repeats. */
const DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  18 * HOUR_MS,
];

/** How much of a delay is random, so that deliveries which failed together are not all due together. */
const SPREAD = 0.2;

/** Longest wait that a receiver can ask for. */
export const LONGEST_RETRY_AFTER_MS: number = DAY_MS;

/**
 * Returns when to try again after the attempt with the number `attempts`; undefined if the time of the delivery is over. The
 * last attempt is at the end of that time. `chance` is at least 0 and below 1.
 */
export function nextAttemptAt({
  attempts,
  queuedAt,
  now,
  retryAfterMs = 0,
  chance,
}: {
  readonly attempts: number;
  readonly queuedAt: number;
  readonly now: number;
  /** What the receiver asked for, at most `LONGEST_RETRY_AFTER_MS`. */
  readonly retryAfterMs?: number | undefined;
  readonly chance: number;
}): number | undefined {
  const end = queuedAt + DELIVER_FOR_MS;
  // By a clock that was set back, the end may seem far away.
  if (now >= end) return undefined;
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? SECOND_MS;
  const wait = Math.max(delay, retryAfterMs) + SPREAD * delay * chance;
  return Math.min(now + Math.round(wait), Math.max(end, now + retryAfterMs));
}

const LONGEST_PAUSE_MS: number = 5 * MINUTE_MS;

/** Returns how long nothing is sent to a webhook after `failures` attempts failed in a row. */
export function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, SECOND_MS * 2 ** Math.min(failures - 1, 20));
}
