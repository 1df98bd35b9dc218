import { expect, test } from "bun:test";

import {
  periodsOf,
  shares,
  sumOf,
  totalOf,
} from "../../../../../dashboard/app/pages/usage/periods.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../lib/base/clock.ts";
import type { UsageRow } from "../../../../../lib/model/usage.ts";

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

test("an hour has sixty minutes, the present one last", () => {
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

test("what was asked in one period is added up, whoever asked", () => {
  const at = NOW - (NOW % MINUTE_MS) - MINUTE_MS;
  const periods = periodsOf(
    [row(at, { limited: 3 }), row(at, { keyId: "b", requests: 5, failed: 1, refused: 2 })],
    "minute",
    NOW,
  );
  expect(periods.at(-2)).toEqual({ at, answered: 9, refused: 2, limited: 3, failed: 1 });
  expect(totalOf(sumOf([row(at), row(at, { failed: 4 })]))).toBe(20);
});

test("a service whose clock is ahead has its newest row shown", () => {
  const ahead = NOW - (NOW % MINUTE_MS) + 2 * MINUTE_MS;
  const periods = periodsOf([row(ahead)], "minute", NOW);
  expect(periods).toHaveLength(60);
  expect(periods.at(-1)).toMatchObject({ at: ahead, answered: 10 });
});

test("whoever asked most is listed first, and names decide between equals", () => {
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
