import { expect, test } from "bun:test";

import {
  paceOf,
  periodsOf,
  scaleFor,
  shares,
  spentOf,
  sumOf,
  totalOf,
} from "../../../../../dashboard/app/pages/usage/numbers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../lib/base/clock.ts";
import type { UsageRow } from "../../../../../lib/model/usage.ts";
import { chance } from "../../../../helpers/chance.ts";

const NOW = 500 * DAY_MS + 3 * HOUR_MS + 59_000;

function row(at: number, more: Partial<UsageRow> = {}): UsageRow {
  return {
    keyId: "a",
    environment: "production",
    operation: "listPets",
    at,
    requests: 10,
    limited: 0,
    refused: 0,
    failed: 0,
    ...more,
  };
}

test("an hour has sixty minutes, the current one last", () => {
  const periods = periodsOf([], "minute", NOW);
  expect(periods).toHaveLength(60);
  expect(periods.at(-1)?.at).toBe(500 * DAY_MS + 3 * HOUR_MS);
  expect(periods[0]?.at).toBe(500 * DAY_MS + 3 * HOUR_MS - 59 * MINUTE_MS);
});

test("thirty days end with today", () => {
  const periods = periodsOf([], "day", NOW);
  expect(periods.map(({ at }) => at)).toEqual(
    Array.from({ length: 30 }, (_, index) => (471 + index) * DAY_MS),
  );
});

test("the requests of one period are summed over all keys", () => {
  const at = NOW - (NOW % MINUTE_MS) - MINUTE_MS;
  const periods = periodsOf(
    [row(at, { limited: 3 }), row(at, { keyId: "b", requests: 5, failed: 1, refused: 2 })],
    "minute",
    NOW,
  );
  expect(periods.at(-2)).toEqual({ at, answered: 9, refused: 2, limited: 3, failed: 1 });
  expect(totalOf(sumOf([row(at), row(at, { failed: 4 })]))).toBe(20);
});

test("the newest row of a service whose clock is ahead is shown", () => {
  const ahead = NOW - (NOW % MINUTE_MS) + 2 * MINUTE_MS;
  const periods = periodsOf([row(ahead)], "minute", NOW);
  expect(periods).toHaveLength(60);
  expect(periods.at(-1)).toMatchObject({ at: ahead, answered: 10 });
});

test("most requests come first, then names decide", () => {
  const rows = [
    row(0, { keyId: "b", requests: 4 }),
    row(0, { keyId: "c", requests: 9 }),
    row(60_000, { keyId: "a", requests: 4 }),
  ];
  expect(shares(rows, "keyId").map(({ name }) => name)).toEqual(["c", "a", "b"]);
  expect(shares(rows, "operation")).toEqual([
    { name: "listPets", answered: 17, refused: 0, limited: 0, failed: 0 },
  ]);
});

const day = (remaining: number, resetAt: number | null = NOW + 10 * HOUR_MS) =>
  ({ name: "day", limit: 1_000, remaining, resetAt }) as const;

test("the rest of the limit lasts at the pace of the last hour", () => {
  expect(paceOf(day(300), 100, NOW)).toEqual({ kind: "reached", at: NOW + 3 * HOUR_MS });
});

test("a window that ends first has a share that will be used", () => {
  expect(paceOf(day(900), 50, NOW)).toEqual({ kind: "lasts", share: 0.6 });
});

test("a limit reached exactly at the end lasts", () => {
  expect(paceOf(day(1_000), 100, NOW)).toEqual({ kind: "lasts", share: 1 });
});

test("a limit without requests left is used up", () => {
  expect(paceOf(day(0), 0, NOW)).toEqual({ kind: "used_up", resetAt: NOW + 10 * HOUR_MS });
});

test("a window without requests has no forecast", () => {
  expect(paceOf(day(1_000, null), 5, NOW)).toEqual({ kind: "idle" });
  expect(paceOf(day(0, NOW), 5, NOW)).toEqual({ kind: "idle" });
  expect(paceOf(day(500), 0, NOW)).toEqual({ kind: "idle" });
});

test("requests rejected by the limit or failed do not count", () => {
  expect(spentOf({ answered: 5, refused: 2, limited: 40, failed: 9 })).toBe(7);
});

test("a peak near the limit is shown together with the limit", () => {
  expect(scaleFor(50, 60)).toEqual({ top: 80, limitAt: 0.75 });
});

test("a peak above the limit fits, with the limit below it", () => {
  expect(scaleFor(141, 60)).toEqual({ top: 200, limitAt: 0.3 });
});

test("a peak far below the limit is shown without the limit", () => {
  expect(scaleFor(10, 100_000)).toEqual({ top: 20, limitAt: undefined });
});

test("without requests the scale is small", () => {
  expect(scaleFor(0, 1_000)).toEqual({ top: 4, limitAt: undefined });
});

test("every scale holds its peak and has a whole half", () => {
  const { next } = chance(7);
  for (let turn = 0; turn < 2_000; turn++) {
    const peak = Math.floor(10 ** (next() * 9));
    const limit = 1 + Math.floor(10 ** (next() * 9));
    const { top, limitAt } = scaleFor(peak, limit);
    expect(top).toBeGreaterThanOrEqual(peak);
    expect(Number.isInteger(top / 2)).toBe(true);
    if (limitAt !== undefined) expect(limitAt).toBeLessThanOrEqual(1);
  }
});
