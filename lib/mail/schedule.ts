import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";

/** How long a mail waits at most. */
export const MAX_WAIT_MS: number = 3 * DAY_MS;

/** The time after each failed attempt. Servers that do not know us ask for a second attempt after some minutes. */
const DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
];

/** How much of a delay is random, so that mails which failed together are not all due together. */
const SPREAD = 0.2;

/**
 * Returns when to try again after the attempt with the number `attempts`; undefined if the mail is of no use then. `chance`
 * is at least 0 and below 1.
 */
export function nextAttemptAt({
  attempts,
  now,
  expiresAt,
  chance,
}: {
  readonly attempts: number;
  readonly now: number;
  readonly expiresAt: number;
  readonly chance: number;
}): number | undefined {
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? MINUTE_MS;
  const at = now + Math.round(delay * (1 + SPREAD * chance));
  return at < expiresAt ? at : undefined;
}

const LONGEST_PAUSE_MS: number = 15 * MINUTE_MS;

/** Returns how long nothing is sent after the server failed `failures` times in a row. */
export function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, MINUTE_MS * 2 ** Math.min(failures - 1, 10));
}
