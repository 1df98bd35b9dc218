import { expect, test } from "bun:test";

import { scaleFor } from "../../../../../dashboard/app/pages/usage/scale.ts";
import { chance } from "../../../../helpers/chance.ts";

test("a peak near the limit is shown together with the limit", () => {
  expect(scaleFor(50, 60)).toEqual({ top: 80, limitAt: 0.75 });
});

test("a peak above the limit has room, and the limit lies below it", () => {
  expect(scaleFor(141, 60)).toEqual({ top: 200, limitAt: 0.3 });
});

test("a peak far below the limit is shown by itself", () => {
  expect(scaleFor(10, 100_000)).toEqual({ top: 20, limitAt: undefined });
});

test("where nothing was asked the scale is a small one", () => {
  expect(scaleFor(0, 1_000)).toEqual({ top: 4, limitAt: undefined });
});

test("every scale holds its peak, and its half is a whole number", () => {
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
