import { expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import { memoryLimiter, type MemoryLimiter } from "../../../lib/accounts/memory-limiter.ts";
import { limiterContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const limits = { perMinute: 5, perDay: 12 };
const spender = { counter: "catalogue 1", keyId: "key" };

describeContract(
  "memoryLimiter as a limiter",
  limiterContract(() => {
    const clock = manualClock(START);
    return { clock, limiter: memoryLimiter({ clock }) };
  }),
);

function fresh(): { readonly clock: ManualClock; readonly limiter: MemoryLimiter } {
  const clock = manualClock(START);
  return { clock, limiter: memoryLimiter({ clock }) };
}

function spendTimes(limiter: MemoryLimiter, times: number, keyId = "key"): boolean {
  let abusive = false;
  for (let request = 0; request < times; request++) {
    if (limiter.spend({ counter: "catalogue 1", keyId }, limits).abusive) abusive = true;
  }
  return abusive;
}

test("drain returns each changed counter once", () => {
  const { limiter } = fresh();
  spendTimes(limiter, 3);
  limiter.peek({ counter: "catalogue 2", keyId: "other" }, limits);

  const first = limiter.drain();
  expect(first.map(({ name }) => name)).toEqual(["windows catalogue 1"]);
  expect(first[0]?.endsAt).toBe(START + DAY_MS);
  expect(limiter.drain()).toEqual([]);
});

test("a restored limiter continues where the drained one stopped", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 4);
  const saved = limiter.drain();

  const next = memoryLimiter({ clock });
  next.restore(saved);
  clock.advance(30_000);
  expect(next.spend(spender, limits)).toEqual(limiter.spend(spender, limits));
});

test("violations survive a restart", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 6);
  clock.advance(2_001);
  expect(spendTimes(limiter, 20)).toBe(false);

  const next = memoryLimiter({ clock });
  next.restore(limiter.drain());
  expect(next.spend(spender, limits).abusive).toBe(true);
});

test("cleared violations stay cleared after a restart", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 6);
  clock.advance(2_001);
  spendTimes(limiter, 20);
  const before = limiter.drain();
  limiter.clearViolations("key");

  const rows = new Map([...before, ...limiter.drain()].map((row) => [row.name, row]));
  const next = memoryLimiter({ clock });
  next.restore([...rows.values()]);
  clock.advance(2_001);
  expect(spendTimes(next, 20)).toBe(false);
});

test("restoring does not overwrite newer counts", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 1);
  const saved = limiter.drain();
  spendTimes(limiter, 2);

  limiter.restore(saved);
  expect(limiter.peek(spender, limits).windows[0].remaining).toBe(2);
  clock.advance(MINUTE_MS);
  limiter.restore(saved);
  expect(limiter.peek(spender, limits).windows[1]?.remaining).toBe(9);
});

test("invalid counters are dropped, and the rest restored", () => {
  const { limiter } = fresh();
  limiter.restore([
    { name: "windows a", state: "{", endsAt: START + DAY_MS },
    { name: "windows b", state: "[1,2,3]", endsAt: START + DAY_MS },
    { name: "windows c", state: '["1",0,0,1,0,0]', endsAt: START + DAY_MS },
    { name: "windows d", state: `[${START},-1,0,${START},0,0]`, endsAt: START + DAY_MS },
    { name: "violations e", state: `[${START + DAY_MS}]`, endsAt: START + DAY_MS },
    { name: "violations f", state: `[${START + DAY_MS},${START},1]`, endsAt: START + DAY_MS },
    { name: "unheard of", state: "[]", endsAt: START + DAY_MS },
    { name: "windows catalogue 1", state: `[${START},5,5,${START},5,5]`, endsAt: START + DAY_MS },
  ]);
  expect(limiter.size).toBe(1);
  expect(limiter.spend(spender, limits).allowed).toBe(false);
});

test("ended counters are not restored", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 1);
  clock.advance(DAY_MS);
  const next = memoryLimiter({ clock });
  next.restore(limiter.drain());
  expect(next.size).toBe(0);
});

test("no live counter is evicted, however many there are", () => {
  const { clock, limiter } = fresh();
  const counters = 20_000;
  for (let index = 0; index < counters; index++) {
    limiter.spend({ counter: `catalogue ${index}`, keyId: `key ${index}` }, limits);
  }
  clock.advance(DAY_MS - 1);
  limiter.sweep();
  limiter.sweep();
  expect(limiter.size).toBe(counters);
  const first = { counter: "catalogue 0", keyId: "key 0" };
  expect(limiter.peek(first, limits).windows[1]?.remaining).toBe(11);
});

test("a first refusal is not evicted while its window is open", () => {
  const { clock, limiter } = fresh();
  for (let minute = 0; minute < 3; minute++) {
    spendTimes(limiter, 5);
    clock.advance(MINUTE_MS);
  }
  spendTimes(limiter, 1);
  clock.advance(DAY_MS - 4 * MINUTE_MS);
  for (let round = 0; round < 3; round++) limiter.sweep();
  expect(spendTimes(limiter, 21)).toBe(true);
});

test("memory is proportional to the live counters, without a sweep", () => {
  const { clock, limiter } = fresh();
  let most = 0;
  for (let day = 0; day < 20; day++) {
    for (let index = 0; index < 500; index++) {
      const counter = `catalogue ${day} ${index}`;
      for (let request = 0; request < 6; request++) {
        limiter.spend({ counter, keyId: counter }, limits);
      }
    }
    most = Math.max(most, limiter.size);
    clock.advance(DAY_MS);
  }
  expect(most).toBeLessThan(2 * 1_000);
});

test("sweeping an idle limiter removes all ended counters, saved ones included", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 30);
  clock.advance(DAY_MS);
  limiter.sweep();
  expect(limiter.size).toBe(0);
  expect(limiter.drain()).toEqual([]);
});

test("two limiters are independent", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 5);
  expect(memoryLimiter({ clock }).spend(spender, limits).allowed).toBe(true);
});

test("violations outlive their window", () => {
  const { clock, limiter } = fresh();
  spendTimes(limiter, 6);
  clock.advance(MINUTE_MS - 1);
  spendTimes(limiter, 20);
  clock.advance(1);
  limiter.sweep();
  spendTimes(limiter, 6);
  clock.advance(2_001);
  expect(limiter.spend(spender, limits).abusive).toBe(true);
});

test.each(["spend", "peek"] as const)(
  "a window moved by setting the clock back is saved, also if a %s found it",
  (question) => {
    const { clock, limiter } = fresh();
    spendTimes(limiter, 5);
    limiter.drain();
    clock.advance(-DAY_MS);
    limiter[question](spender, limits);
    clock.advance(MINUTE_MS);

    const next = memoryLimiter({ clock });
    next.restore(limiter.drain());
    expect(next.spend(spender, limits).windows.map(({ remaining }) => remaining)).toEqual([4, 6]);
  },
);
