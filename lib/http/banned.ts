import type { Verdict } from "../limits/limiter.ts";

/**
 * What the limits look like to a banned key: nothing remains until the ban is over, and not before
 * the windows that are spent are full again, so that a request at Reset is served.
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
