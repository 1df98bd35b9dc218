import type { Difference } from "../finding-facts.ts";

/** Where `observed` departs from `expected`, so that a missing letter can be shown instead of searched for. */
export function differenceOf(observed: string, expected: string): Difference {
  const shorter = Math.min(observed.length, expected.length);
  let start = 0;
  while (start < shorter && observed[start] === expected[start]) start++;
  let end = 0;
  while (end < shorter - start && observed.at(-1 - end) === expected.at(-1 - end)) end++;
  return {
    start: expected.slice(0, start),
    observed: observed.slice(start, observed.length - end),
    expected: expected.slice(start, expected.length - end),
    end: expected.slice(expected.length - end),
  };
}
