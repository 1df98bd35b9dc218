import { MINUTE_MS } from "../../lib/base/clock.ts";

/** A difference between our clock and the CA's up to this is no error: nothing is corrected, nothing is reported. */
export const MAX_SKEW_MS: number = MINUTE_MS;

/** Whether a clock that the CA's is `aheadMs` ahead of is wrong. */
export function isSkewed(aheadMs: number): boolean {
  return Math.abs(aheadMs) > MAX_SKEW_MS;
}

/** `our clock is 46800 s ahead of the CA's`. */
export function skewInWords(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `our clock is ${seconds} s ${aheadMs > 0 ? "behind" : "ahead of"} the CA's`;
}
