import { describe, expect, test } from "bun:test";

import { createThrottle } from "../../../lib/members/attempts.ts";
import { manualClock } from "../../helpers/clock.ts";

const START = 1_000_000;

function throttle(maxHolders = 10) {
  const clock = manualClock(START);
  return { clock, ...createThrottle({ clock, windowMs: 1_000, most: 2, maxHolders }) };
}

describe("a throttle", () => {
  test("allows so many tries, and then returns the exact wait", () => {
    const { clock, take, wait } = throttle();
    take("a");
    clock.advance(400);
    expect(wait("a")).toBe(0);
    take("a");
    expect(wait("a")).toBe(600);
    expect(wait("b")).toBe(0);
    clock.advance(599);
    expect(wait("a")).toBe(1);
    clock.advance(1);
    expect(wait("a")).toBe(0);
    take("a");
    expect(wait("a")).toBe(0);
  });

  test("does not count a try that is refunded", () => {
    const { take, refund, wait } = throttle();
    take("a");
    take("a");
    refund("a");
    expect(wait("a")).toBe(0);
    refund("a");
    refund("a");
    take("a");
    take("a");
    expect(wait("a")).toBe(1_000);
  });

  test("removes a holder whose tries were all refunded", () => {
    const clock = manualClock(START);
    const held = createThrottle({ clock, windowMs: 1_000, most: 2 });
    for (const holder of ["a", "b", "b"]) held.take(holder);
    for (const holder of ["a", "b", "c"]) held.refund(holder);
    expect(held.size).toBe(1);
  });

  test("never evicts: beyond so many holders all others share one window", () => {
    const { clock, take, wait } = throttle(2);
    for (const holder of ["a", "a", "b", "c", "d"]) take(holder);
    expect(wait("a")).toBe(1_000);
    expect(wait("b")).toBe(0);
    expect([wait("c"), wait("e")]).toEqual([1_000, 1_000]);
    clock.advance(1_000);
    expect(wait("e")).toBe(0);
  });

  test("holds no more than its bound, and no ended windows", () => {
    const clock = manualClock(START);
    const held = createThrottle({ clock, windowMs: 1_000, most: 2, maxHolders: 50 });
    for (let holder = 0; holder < 500; holder++) held.take(`holder ${holder}`);
    expect(held.size).toBe(50);
    clock.advance(1_000);
    held.take("new");
    expect(held.size).toBe(1);
  });

  test("does not extend a wait when the clock is set back", () => {
    const { clock, take, wait } = throttle();
    take("a");
    take("a");
    clock.set(START - 500_000);
    expect(wait("a")).toBe(0);
  });
});
