import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import type { AuthorityProblem } from "./acme-problem.ts";
import { lifeLeftMs, type Lifetime } from "./renewal.ts";

/** Classes of failure by when to retry. */
export type FailureClass =
  /** The CA did not find the proof. Counts against the name at the CA. */
  | "validation"
  /** The CA, or the network to it, is down. */
  | "outage"
  | "rate_limited"
  /** The owner has to act first. */
  | "refused"
  /** The operator has to act first: the CA refuses this service or its account. */
  | "operator"
  /** The CA lost our account, which is created again at once. */
  | "account"
  /** The CA issued a certificate that must not be served. Counts against the name's limits. */
  | "unusable"
  /** The order disappeared. The next one may succeed at once. */
  | "restart";

/** CAs allow five failed validations per name and hour. One is left for repairs by hand. */
export const MAX_FAILED_VALIDATIONS = 4;

/** A request for a check brings the next order forward, but not closer to a failure than this. */
export const ASKED_AGAIN_MS: number = 5 * MINUTE_MS;

const WAITS: Readonly<Record<FailureClass, readonly [number, ...number[]]>> = {
  validation: [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS, DAY_MS],
  outage: [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
  rate_limited: [MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
  refused: [DAY_MS],
  operator: [DAY_MS],
  account: [0, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  unusable: [HOUR_MS, 8 * HOUR_MS, DAY_MS],
  restart: [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
};

/** Share of a certificate's remaining life that one wait may take: eight attempts before it expires, at the least. */
const LIFE_SHARE = 1 / 8;

/**
 * Returns the longest wait of an order, for any reason: a day, or an eighth of the remaining life of the certificate. At
 * least a minute; after the expiry an hour, or an eighth of the lifetime. Undefined: there is none to lose.
 */
export function longestWaitMs(
  certificate: (Lifetime & { readonly activeSince: number }) | undefined,
  now: number,
): number {
  if (certificate === undefined) return DAY_MS;
  const { notBefore, notAfter } = certificate;
  const leftMs = lifeLeftMs(certificate, now);
  const mostMs = leftMs > 0 ? DAY_MS : HOUR_MS;
  const shareMs = Math.floor((leftMs > 0 ? leftMs : notAfter - notBefore) * LIFE_SHARE);
  return Math.max(MINUTE_MS, Math.min(mostMs, shareMs));
}

/**
 * Returns when the next order may start after `failures` in a row, the last one at `now`. `until`: not before, as named
 * by the CA. `urgent`: the certificate is about to expire, so wait an hour at most. None of them waits longer than
 * `longestMs`.
 */
export function nextOrderAt({
  failure,
  failures,
  now,
  longestMs,
  until = now,
  urgent = false,
}: {
  readonly failure: FailureClass;
  readonly failures: number;
  readonly now: number;
  readonly longestMs: number;
  readonly until?: number | undefined;
  readonly urgent?: boolean;
}): number {
  const waits = WAITS[failure];
  const wait = waits[Math.min(failures, waits.length) - 1] ?? waits[0];
  const at = Math.max(until, now + (urgent ? Math.min(wait, HOUR_MS) : wait));
  return Math.min(at, now + longestMs);
}

/** Returns the failed validations that still count, oldest first, including one at `now`. */
export function countFailure(failedAt: readonly number[], now: number): readonly number[] {
  return recentFailures([...failedAt, now], now);
}

/** Returns the failed validations that still count, oldest first, limited to those that matter. */
export function recentFailures(failedAt: readonly number[], now: number): readonly number[] {
  return failedAt
    .filter((at) => at > now - HOUR_MS)
    .toSorted((a, b) => a - b)
    .slice(-MAX_FAILED_VALIDATIONS);
}

/** Reports whether one more validation may fail within the hour after a failure at `now`. */
export function mayFailAgain(failedAt: readonly number[], now: number): boolean {
  return countFailure(failedAt, now).length < MAX_FAILED_VALIDATIONS;
}

/** Returns when the next validation may fail without exceeding the limit. */
export function budgetedAt(failedAt: readonly number[], now: number): number {
  const counting = failedAt.filter((at) => at > now - HOUR_MS);
  const [oldest = now] = counting;
  return counting.length < MAX_FAILED_VALIDATIONS ? now : oldest + HOUR_MS;
}

/** Matches rate limits for a name or a set of names. Other names may still be ordered. */
const NAME_LIMITS = /exact set|identifier|hostname|domain|failed (?:authori[sz]ation|validation)/i;

/**
 * Reports whether a refusal is a rate limit for the whole account. Without a reason it applies to all orders: another
 * one would be refused and counted, too.
 */
export function pausesAuthority({ code, message, names }: AuthorityProblem, name: string): boolean {
  if (code !== "rate_limited" || names.length > 0 || NAME_LIMITS.test(message)) return false;
  const said = message.toLowerCase();
  const labels = name.split(".");
  return !labels.slice(0, -1).some((_, index) => said.includes(labels.slice(index).join(".")));
}
