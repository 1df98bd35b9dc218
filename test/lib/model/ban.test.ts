import { expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import type { Ban } from "../../../lib/model/api-key.ts";
import { nextBan } from "../../../lib/accounts/bans.ts";
import { activeUntil, banThreshold } from "../../../lib/model/ban.ts";

const NOON = Date.UTC(2026, 10, 20, 12);

/** Returns a ban of that level, set at noon. */
function banOf(level: number): Ban {
  let ban = nextBan(undefined, NOON);
  while (ban.level < level) ban = nextBan(ban, NOON);
  return ban;
}

test("bans last 1, 5, 15 minutes, an hour, a day, and never longer", () => {
  let ban: Ban | undefined;
  const lengths: number[] = [];
  let now = NOON;
  for (let time = 0; time < 7; time++) {
    ban = nextBan(ban, now);
    lengths.push((ban.until - ban.bannedAt) / MINUTE_MS);
    now = ban.until;
  }
  expect(lengths).toEqual([1, 5, 15, 60, 1_440, 1_440, 1_440]);
});

test.each([
  [0, 4],
  [DAY_MS - 1, 4],
  [DAY_MS, 3],
  [2 * DAY_MS, 2],
  [3 * DAY_MS, 1],
  [400 * DAY_MS, 1],
])("%d ms after the end of a third ban, the next is of level %d", (later, level) => {
  const third = banOf(3);
  expect(nextBan(third, third.until + later).level).toBe(level);
});

test("lifting a ban keeps its level, and its clean days start then", () => {
  const fifth = { ...banOf(5), liftedAt: NOON + HOUR_MS };
  expect(nextBan(fifth, NOON + 2 * HOUR_MS).level).toBe(5);
  expect(nextBan(fifth, NOON + HOUR_MS + DAY_MS).level).toBe(5);
  expect(nextBan(fifth, NOON + HOUR_MS + 2 * DAY_MS).level).toBe(4);
});

test("lifting a ban that is over does not shorten the clean days", () => {
  const first = { ...banOf(1), liftedAt: NOON + 10 * DAY_MS };
  expect(nextBan(first, NOON + 2 * DAY_MS).level).toBe(1);
});

test("a ban is active until its end, unless it was lifted", () => {
  const ban = banOf(2);
  expect(activeUntil(ban, NOON)).toBe(ban.until);
  expect(activeUntil(ban, ban.until - 1)).toBe(ban.until);
  expect(activeUntil(ban, ban.until)).toBeUndefined();
  expect(activeUntil({ ...ban, liftedAt: NOON + 1 }, NOON + 2)).toBeUndefined();
  expect(activeUntil(undefined, NOON)).toBeUndefined();
});

test("a ban is active in a process whose clock is slightly behind", () => {
  const ban = banOf(1);
  expect(activeUntil(ban, NOON - MINUTE_MS)).toBe(ban.until);
});

test("a ban set by a clock that was two days ahead is over", () => {
  expect(activeUntil(banOf(1), NOON - 2 * DAY_MS)).toBeUndefined();
});

test.each([
  [1, 20],
  [60, 20],
  [80, 20],
  [84, 21],
  [300, 75],
  [1_000, 250],
])("with %d requests a minute, more than %d violations ban", (perMinute, threshold) => {
  expect(banThreshold({ perMinute, perDay: 1 })).toBe(threshold);
});
