import { MINUTE_MS } from "../../lib/base/clock.ts";

/** Largest difference between our clock and the CA's that is neither corrected nor reported. */
export const MAX_SKEW_MS: number = MINUTE_MS;

/** Reports whether a difference of `aheadMs`, the CA's clock being ahead, means that our clock is wrong. */
export function isSkewed(aheadMs: number): boolean {
  return Math.abs(aheadMs) > MAX_SKEW_MS;
}

/** For example `our clock is 46800 s ahead of the CA's`. */
export function skewInWords(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return `our clock is ${seconds} s ${aheadMs > 0 ? "behind" : "ahead of"} the CA's`;
}
