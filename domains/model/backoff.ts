import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import type { AuthorityProblem } from "./acme-problem.ts";

/** What failed, as far as it matters for when to try again. */
export type FailureClass =
  /** The CA looked and did not find the proof; every such failure counts against the name at the CA. */
  | "validation"
  /** The CA, or the way to it, is down. */
  | "outage"
  | "rate_limited"
  /** Nothing helps before the owner did something. */
  | "refused"
  /** Nothing helps before the operator did something: the CA does not want us, or our account. */
  | "operator"
  /** The CA has lost our account, which is made again at once. */
  | "account"
  /** The CA gave a certificate that must not be served; each such one counts against the name's limits. */
  | "unusable"
  /** The order went away; the next one may succeed at once. */
  | "restart";

/** The CA counts five failed validations a name and hour; one is left for a person who repairs by hand. */
export const MAX_FAILED_VALIDATIONS = 4;

/** A person who asks again makes the next order come sooner, but not sooner than that after a failure. */
export const ASKED_AGAIN_MS: number = 5 * MINUTE_MS;

const WAITS: Readonly<Record<FailureClass, readonly [number, ...number[]]>> = {
  validation: [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS, DAY_MS],
  outage: [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS],
  rate_limited: [HOUR_MS],
  refused: [DAY_MS],
  operator: [DAY_MS],
  account: [0, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  unusable: [HOUR_MS, 8 * HOUR_MS, DAY_MS],
  restart: [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
};

/**
 * When the next order may be begun after `failures` in a row, the last one at `now`. `until` is the instant that the CA
 * named, before which nothing goes. `urgent` is for certificates about to end: they wait an hour at most.
 */
export function nextOrderAt({
  failure,
  failures,
  now,
  until = now,
  urgent = false,
}: {
  readonly failure: FailureClass;
  readonly failures: number;
  readonly now: number;
  readonly until?: number;
  readonly urgent?: boolean;
}): number {
  const waits = WAITS[failure];
  const wait = waits[Math.min(failures, waits.length) - 1] ?? waits[0];
  if (failure === "rate_limited" && until > now) return until;
  return Math.max(until, now + (urgent ? Math.min(wait, HOUR_MS) : wait));
}

/** The failed validations that still count, the oldest first, with one at `now`. */
export function countFailure(failedAt: readonly number[], now: number): readonly number[] {
  return recentFailures([...failedAt, now], now);
}

/** The failed validations that still count, the oldest first, and no more of them than matter. */
export function recentFailures(failedAt: readonly number[], now: number): readonly number[] {
  return failedAt
    .filter((at) => at > now - HOUR_MS)
    .toSorted((a, b) => a - b)
    .slice(-MAX_FAILED_VALIDATIONS);
}

/** Whether the budget of the hour still has room for one failed validation after the one that happens at `now`. */
export function mayFailAgain(failedAt: readonly number[], now: number): boolean {
  return countFailure(failedAt, now).length < MAX_FAILED_VALIDATIONS;
}

/** Before that, one more failed validation would be one too many. */
export function budgetedAt(failedAt: readonly number[], now: number): number {
  const counting = failedAt.filter((at) => at > now - HOUR_MS);
  const [oldest = now] = counting;
  return counting.length < MAX_FAILED_VALIDATIONS ? now : oldest + HOUR_MS;
}

/** An authority takes no new orders from us until then: it said so, for the account or the address as a whole. */
export interface AuthorityPause {
  readonly authority: string;
  readonly until: number;
  /** The CA's words. */
  readonly message: string;
}

/** Words of limits that count a name, or a set of them: other names may still be ordered. */
const OF_NAMES = /exact set|identifier|hostname|domain|failed (?:authori[sz]ation|validation)/i;

/**
 * Whether a refusal is a rate limit for all orders of the account, not for those of `name`. A CA that gives no reason at
 * all means everybody: another order would be refused too, and counted.
 */
export function pausesAuthority({ code, message, names }: AuthorityProblem, name: string): boolean {
  if (code !== "rate_limited" || names.length > 0 || OF_NAMES.test(message)) return false;
  const said = message.toLowerCase();
  const labels = name.split(".");
  return !labels.slice(0, -1).some((_, index) => said.includes(labels.slice(index).join(".")));
}
