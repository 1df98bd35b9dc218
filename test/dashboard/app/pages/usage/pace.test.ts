import { expect, test } from "bun:test";

import { paceOf, spentOf } from "../../../../../dashboard/app/pages/usage/pace.ts";
import { HOUR_MS } from "../../../../../lib/base/clock.ts";

const NOW = 1_000_000;
const day = (remaining: number, resetAt: number | null = NOW + 10 * HOUR_MS) =>
  ({ name: "day", limit: 1_000, remaining, resetAt }) as const;

test("what is left lasts as many hours as it holds the last hour's requests", () => {
  expect(paceOf(day(300), 100, NOW)).toEqual({ kind: "reached", at: NOW + 3 * HOUR_MS });
});

test("a day that ends first tells how much of it will be used", () => {
  expect(paceOf(day(900), 50, NOW)).toEqual({ kind: "lasts", share: 0.6 });
});

test("a limit that is reached at the very end lasts", () => {
  expect(paceOf(day(1_000), 100, NOW)).toEqual({ kind: "lasts", share: 1 });
});

test("a limit that is used up is that, whether or not anybody asks", () => {
  expect(paceOf(day(0), 0, NOW)).toEqual({ kind: "used-up", resetAt: NOW + 10 * HOUR_MS });
});

test("nothing is foretold of a day that has not begun, is over, or in which nobody asks", () => {
  expect(paceOf(day(1_000, null), 5, NOW)).toEqual({ kind: "idle" });
  expect(paceOf(day(0, NOW), 5, NOW)).toEqual({ kind: "idle" });
  expect(paceOf(day(500), 0, NOW)).toEqual({ kind: "idle" });
});

test("neither what was refused for the limit nor what failed is spent", () => {
  expect(spentOf({ answered: 5, refused: 2, limited: 40, failed: 9 })).toBe(7);
});
