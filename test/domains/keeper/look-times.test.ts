import { expect, test } from "bun:test";

import { isLookDue, NEVER_LOOKED } from "../../../domains/keeper/look-times.ts";
import { SECOND_MS } from "../../../lib/base/clock.ts";

const [HOST_NOW, CA_NOW] = [1_000_000_000, 1_000_700_000];
const LOOKED = { ...NEVER_LOOKED, lookedAt: HOST_NOW };

/** Whether a look is due so many milliseconds of the host's clock after the last one. */
const dueAfter = (ms: number, times: Partial<typeof LOOKED> = {}, working = false): boolean =>
  isLookDue({ ...LOOKED, ...times }, { hostNow: HOST_NOW + ms, now: CA_NOW + ms, working });

test("a keeper that has not looked yet looks at once", () => {
  expect(isLookDue(NEVER_LOOKED, { hostNow: HOST_NOW, now: CA_NOW, working: false })).toBe(true);
});

test("it looks every second, and every ten seconds until the next task is due", () => {
  expect(dueAfter(999)).toBe(false);
  expect(dueAfter(SECOND_MS)).toBe(true);
  const nextDueAt = CA_NOW + 5 * SECOND_MS;
  expect(dueAfter(5 * SECOND_MS - 1, { nextDueAt })).toBe(false);
  expect(dueAfter(5 * SECOND_MS, { nextDueAt })).toBe(true);
  expect(dueAfter(10 * SECOND_MS - 1, { nextDueAt: Infinity })).toBe(false);
  expect(dueAfter(10 * SECOND_MS, { nextDueAt: Infinity })).toBe(true);
});

test("it looks in every round while a domain is worked on, and for ten seconds after a change", () => {
  expect(dueAfter(0, { nextDueAt: Infinity }, true)).toBe(true);
  const changed = { nextDueAt: Infinity, changedAt: HOST_NOW - 9 * SECOND_MS };
  expect(dueAfter(SECOND_MS - 1, changed)).toBe(true);
  expect(dueAfter(SECOND_MS, changed)).toBe(false);
});

test("it looks at once after the clock was set back", () => {
  expect(dueAfter(-10 * SECOND_MS, { nextDueAt: Infinity })).toBe(true);
});
