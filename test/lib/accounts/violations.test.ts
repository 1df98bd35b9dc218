import { expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { memoryLimiter } from "../../../lib/accounts/memory-limiter.ts";
import { Violations } from "../../../lib/accounts/violations.ts";
import { nextBan } from "../../../lib/accounts/bans.ts";
import { chance } from "../../helpers/chance.ts";
import { manualClock } from "../../helpers/clock.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const END = NOON + DAY_MS;

/** Refused at noon by a window that ends a day later. */
function offender(): Violations {
  const violations = new Violations("key", END, NOON);
  violations.refused(NOON, END, 20);
  return violations;
}

test("a key below the threshold is never abusive, and one far above it always is", () => {
  const random = chance();
  for (let round = 0; round < 300; round++) {
    const violations = offender();
    const threshold = random.between(1, 60);
    const pace = random.pick([1, 30, 99, 100, 500, 2_000, 5_000]);
    let counted: number[] = [];
    let now = NOON + 2_000;
    for (let step = 0; step < 500; step++) {
      now += random.between(0, random.true(0.02) ? 70_000 : pace);
      if (now > NOON + 2_000) counted.push(now);
      const within = (ms: number): number => counted.filter((at) => now - at < ms).length;
      const abusive = violations.refused(now, END, threshold);
      if (abusive) expect(within(MINUTE_MS)).toBeGreaterThan(threshold);
      else expect(within(MINUTE_MS - 100)).toBeLessThanOrEqual(threshold);
      if (abusive) counted = [];
    }
  }
});

test("a tally stays small, whatever the number of violations", () => {
  const violations = offender();
  for (let now = NOON + 2_001; now < NOON + 5 * MINUTE_MS; now += 1) {
    violations.refused(now, END, 250_000_000);
  }
  expect(violations.numbers.length).toBeLessThanOrEqual(2 + 2 * 600);
});

test("a second window has its own grace period", () => {
  const violations = offender();
  for (let count = 0; count < 20; count++) violations.refused(NOON + 2_001, END, 20);
  expect(violations.refused(NOON + 2_001, END + 1_000, 20)).toBe(false);
  expect(violations.refused(NOON + 4_001, END + 1_000, 20)).toBe(false);
  expect(violations.refused(NOON + 4_002, END + 1_000, 20)).toBe(true);
});

test("violations in the future do not count", () => {
  const violations = offender();
  for (let count = 0; count < 20; count++) violations.refused(NOON + 30_000, END, 20);
  expect(violations.refused(NOON + 20_000, END, 20)).toBe(false);
  expect(violations.refused(NOON + 30_000, END, 20)).toBe(false);
});

test("setting the clock back does not extend the grace period", () => {
  const violations = new Violations("key", END, NOON + DAY_MS / 2);
  violations.refused(NOON, END, 20);
  let abusive = false;
  for (let count = 0; count < 21; count++) {
    abusive = violations.refused(NOON + 2_001, END, 20);
  }
  expect(abusive).toBe(true);
});

const free = { perMinute: 60, perDay: 1_000 };

test("fifty workers that stop at their first 429 are never banned", () => {
  const random = chance();
  for (const limits of [free, { perMinute: 300, perDay: 10_000 }]) {
    const clock = manualClock(NOON);
    const limiter = memoryLimiter({ clock });
    // Each sends a request and waits for the response, and after a 429 until the reset.
    const workers = Array.from({ length: 50 }, () => ({ freeAt: NOON, waitsFrom: 0 }));
    let refusals = 0;
    for (let step = 0; step < 100_000; step++) {
      const next = workers.reduce((a, b) => (b.freeAt < a.freeAt ? b : a));
      clock.set(next.freeAt);
      const { allowed, abusive, windows } = limiter.spend(
        { counter: "catalogue 1", keyId: "shared" },
        limits,
      );
      expect(abusive).toBe(false);
      if (!allowed) refusals++;
      const spent = windows.filter(({ remaining }) => remaining === 0);
      next.freeAt = allowed
        ? next.freeAt + random.between(5, 1_900)
        : Math.max(...spent.map(({ resetsAt }) => resetsAt));
    }
    expect(refusals).toBeGreaterThan(1_000);
  }
});

test("a persistent client is banned for longer each time", () => {
  const clock = manualClock(NOON);
  const limiter = memoryLimiter({ clock });
  const lengths: number[] = [];
  let ban: ReturnType<typeof nextBan> | undefined;
  while (lengths.length < 5) {
    clock.advance(100);
    if (limiter.spend({ counter: "catalogue 1", keyId: "stubborn" }, free).abusive) {
      ban = nextBan(ban, clock.now());
      lengths.push((ban.until - ban.bannedAt) / MINUTE_MS);
      clock.set(ban.until);
    }
  }
  expect(lengths).toEqual([1, 5, 15, 60, 1_440]);
});

test("a client that retries every four seconds is not banned", () => {
  const clock = manualClock(NOON);
  const limiter = memoryLimiter({ clock });
  let refusals = 0;
  for (let request = 0; request < 100_000; request++) {
    const perDay = 10;
    const spender = { counter: "catalogue 1", keyId: "slow" };
    const { allowed, abusive } = limiter.spend(spender, { perMinute: 60, perDay });
    expect(abusive).toBe(false);
    if (!allowed) refusals++;
    clock.advance(4_000);
  }
  expect(refusals).toBeGreaterThan(90_000);
});
