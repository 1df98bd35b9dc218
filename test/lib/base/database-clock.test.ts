import { expect, test } from "bun:test";

import { databaseClock } from "../../../lib/base/database-clock.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/base/clock.ts";
import { manualClock } from "../../helpers/clock.ts";

const START = 1_795_000_000_000;

/** A database whose clock is ahead of the machine's, and answers after some time. */
async function follow({ aheadMs = 0, tripMs = 0 } = {}) {
  const machine = manualClock(START);
  const world = { aheadMs, thereMs: tripMs / 2, backMs: tripMs / 2, asked: 0 };
  const clock = await databaseClock({
    machine,
    ask: async () => {
      world.asked++;
      machine.advance(world.thereMs);
      const at = START + machine.steady() + world.aheadMs;
      machine.advance(world.backMs);
      return at;
    },
  });
  const truth = () => START + machine.steady() + world.aheadMs;
  return { machine, clock, world, truth };
}

test("the time is the database's, however wrong the machine is, now and after it is set", async () => {
  const { machine, clock, truth } = await follow({ aheadMs: 40 * DAY_MS });
  expect(clock.now()).toBe(truth());
  expect(clock.aheadMs).toBe(-40 * DAY_MS);
  machine.advance(HOUR_MS);
  machine.set(START - DAY_MS);
  expect(clock.now()).toBe(truth());
});

test("an answer that is late on its way moves no clock", async () => {
  const { clock, world, truth } = await follow({ tripMs: 2 });
  world.backMs = 5_000;
  await clock.compare(0);
  expect(clock.now()).toBe(truth());
});

test("a clock of the database that was set is followed, to within the time of an answer", async () => {
  const { clock, world, truth } = await follow({ tripMs: 10 });
  for (const aheadMs of [DAY_MS, -DAY_MS, 0]) {
    world.aheadMs = aheadMs;
    await clock.compare(0);
    expect(Math.abs(clock.now() - truth())).toBeLessThanOrEqual(10);
  }
});

test("the clocks are not compared again before the given age", async () => {
  const { machine, clock, world } = await follow();
  await clock.compare(HOUR_MS);
  expect(world.asked).toBe(1);
  machine.advance(HOUR_MS);
  await clock.compare(HOUR_MS);
  expect(world.asked).toBe(2);
  clock.learn(machine.now(), machine.steady());
  await clock.compare(HOUR_MS);
  expect(world.asked).toBe(2);
});

test("the clocks are compared again at once after the machine slept", async () => {
  const { machine, clock, world, truth } = await follow();
  // The steady clock stands still in sleep, and the database's does not.
  machine.set(machine.now() + 8 * HOUR_MS);
  world.aheadMs += 8 * HOUR_MS;
  await clock.compare(HOUR_MS);
  expect(clock.now()).toBe(truth());
  await clock.compare(HOUR_MS);
  expect(world.asked).toBe(2);
});
