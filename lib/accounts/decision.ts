import {
  type LimitStatus,
  type Rates,
  viewOf,
  type Window,
  windowLengthMs,
  windowsOf,
} from "../model/window.ts";
import type { Charges, Decision, Verdict } from "./limiter.ts";

/** Returns the length of the longest window, in milliseconds. */
export function longest(rates: Rates): number {
  return Math.max(...windowsOf(rates).map(({ name }) => windowLengthMs[name]));
}

/** Returns true if every window of every counter has a request left. */
export function isAllowed(charges: Charges, opened: readonly (readonly Window[])[]): boolean {
  return charges.every(({ rates }, charge) =>
    windowsOf(rates).every(({ limit }, index) => (opened[charge]?.[index]?.used ?? 0) < limit),
  );
}

/** Returns the decision about charges whose counters have the windows `opened`. */
export function decisionOf(
  charges: Charges,
  opened: readonly (readonly Window[])[],
  made: Pick<Decision, "at" | "allowed">,
): Decision {
  const [first, ...others] = charges.flatMap(({ rates }, charge) =>
    windowsOf(rates).flatMap(({ name, limit }, index) => {
      const window = opened[charge]?.[index];
      return window === undefined ? [] : [viewOf(window, name, limit)];
    }),
  );
  if (first === undefined) throw new TypeError("A charge needs a window.");
  return { ...made, windows: [first, ...others] };
}

/** Returns the ends of each charge's windows in a decision. */
export function endsOf(charges: Charges, { windows }: LimitStatus): readonly (readonly number[])[] {
  let next = 0;
  return charges.map(({ rates }) => {
    const from = next;
    next += windowsOf(rates).length;
    return windows.slice(from, next).map(({ resetsAt }) => resetsAt);
  });
}

/**
 * Returns the verdict for a banned key: nothing remains until the ban has ended and the used-up windows have reset, so
 * that a request at the reported reset succeeds.
 */
export function bannedVerdict(verdict: Verdict, until: number): Verdict {
  const [first, ...others] = verdict.windows;
  const end = Math.ceil(until / 1_000) * 1_000;
  const reset = [first, ...others].reduce(
    (latest, { remaining, resetsAt }) => (remaining === 0 ? Math.max(latest, resetsAt) : latest),
    end,
  );
  return {
    allowed: false,
    at: verdict.at,
    abusive: false,
    windows: [{ ...first, remaining: 0, resetsAt: reset }, ...others],
  };
}
