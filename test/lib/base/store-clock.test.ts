import { describe, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { databaseClock } from "../../../lib/base/database-clock.ts";
import { silentLog, type Log } from "../../../lib/base/log.ts";
import { storeClock } from "../../../lib/base/store-clock.ts";
import { countingSleep } from "../../../server/process/runtime.ts";
import { manualClock, type ManualClock } from "../../helpers/clock.ts";

const START = 1_795_000_000_000;

type Settings = Map<string, string>;

function settingsOf(settings: Settings) {
  return {
    read: (name: string) => settings.get(name),
    write: async (name: string, value: string) => settings.set(name, value),
  };
}

/** A store without a clock of its own. */
function open(machine: ManualClock, settings: Settings = new Map()) {
  return storeClock({ clock: machine, ...settingsOf(settings) });
}

/** A process on a database, whose clock is right, or else ahead. */
async function openNode(
  world: { readonly machine: ManualClock; readonly database: ManualClock },
  settings: Settings = new Map(),
) {
  const clock = await databaseClock({
    machine: world.machine,
    ask: async () => world.database.now(),
  });
  return storeClock({ clock, ...settingsOf(settings) });
}

async function run(
  machine: ManualClock,
  clock: ReturnType<typeof open>,
  ms: number,
  log: Log = silentLog,
): Promise<number> {
  let allowedMs = 0;
  for (let ran = 0; ran < ms; ran += MINUTE_MS) {
    machine.advance(MINUTE_MS);
    await clock.keep(log);
    if (clock.pause() === undefined) allowedMs += MINUTE_MS;
  }
  return allowedMs;
}

describe("a store without a clock", () => {
  test.each([1, 23, 24 * 7 - 2])(
    "purges although the machine sleeps every day, after %p h awake",
    async (awakeHours) => {
      const machine = manualClock(START);
      const clock = open(machine);
      await clock.keep(silentLog);
      const days: number[] = [];
      for (let day = 0; day < 90; day++) {
        // A longer sleep at the weekend.
        machine.set(machine.now() + (day % 7 === 5 ? 62 : 14) * HOUR_MS);
        days.push(await run(machine, clock, Math.min(awakeHours, 30) * HOUR_MS));
      }
      const allowedMs = days.reduce((sum, ms) => sum + ms, 0);
      expect(allowedMs).toBeGreaterThanOrEqual(HOUR_MS);
      const ranMs = 90 * Math.min(awakeHours, 30) * HOUR_MS;
      // An hour after each day of running time, at least.
      expect(allowedMs / ranMs).toBeGreaterThan(1 / 50);
    },
  );

  test("a jump of 40 days for 70 seconds purges nothing, whenever it happens", async () => {
    for (let hour = 0; hour < 30; hour++) {
      for (const first of [0, 14 * HOUR_MS, 40 * DAY_MS]) {
        const machine = manualClock(START);
        const clock = open(machine);
        await clock.keep(silentLog);
        machine.set(machine.now() + first);
        // The pause of the first one may end within the second one.
        await run(machine, clock, hour * HOUR_MS);
        machine.advance(MINUTE_MS - 35 * SECOND_MS);
        machine.set(machine.now() + 40 * DAY_MS);
        for (let second = 0; second < 70; second += 5) {
          await clock.keep(silentLog);
          expect([hour, first, clock.pause()?.reason]).toEqual([hour, first, "clock_jumped"]);
          machine.advance(5 * SECOND_MS);
        }
        machine.set(machine.now() - 40 * DAY_MS);
        expect(clock.pause()?.reason).toBe("clock_jumped");
      }
    }
  });

  test("jumps that grow lengthen a pause a few times at most", async () => {
    const machine = manualClock(START);
    const clock = open(machine);
    await clock.keep(silentLog);
    let allowedMs = 0;
    let ranMs = 0;
    for (let jump = 2 * HOUR_MS; jump < 400 * DAY_MS; jump *= 1.1) {
      machine.set(machine.now() + jump);
      allowedMs += await run(machine, clock, 12 * HOUR_MS);
      ranMs += 12 * HOUR_MS;
    }
    expect(allowedMs).toBeGreaterThan(ranMs / 50);
  });

  test.each([
    ["every 30 seconds", 30 * SECOND_MS],
    ["every 9 minutes", 9 * MINUTE_MS],
  ])("a pause ends although the process restarts %s", async (_, everyMs) => {
    const machine = manualClock(START);
    const settings: Settings = new Map();
    await open(machine, settings).keep(silentLog);
    machine.set(START + 2 * DAY_MS);
    let ranMs = 0;
    for (; ranMs < 2 * DAY_MS; ranMs += everyMs) {
      const clock = open(machine, settings);
      await clock.keep(silentLog);
      if (clock.pause() === undefined) break;
      machine.advance(everyMs);
      await clock.leave();
    }
    expect(ranMs).toBe(DAY_MS);
  });

  test("a pause ends although the process is killed every 9 minutes", async () => {
    const machine = manualClock(START);
    const settings: Settings = new Map();
    await open(machine, settings).keep(silentLog);
    machine.set(START + 2 * DAY_MS);
    let [ranMs, allowedMs] = [0, 0];
    while (allowedMs === 0 && ranMs < 3 * DAY_MS) {
      const clock = open(machine, settings);
      await clock.keep(silentLog);
      allowedMs = await run(machine, clock, 9 * MINUTE_MS);
      ranMs += 9 * MINUTE_MS;
    }
    expect(ranMs).toBeLessThan(DAY_MS + 9 * MINUTE_MS * 2);
    expect(ranMs).toBeGreaterThanOrEqual(DAY_MS);
  });

  test("purges although it is started for an hour every other day", async () => {
    const machine = manualClock(START);
    const settings: Settings = new Map();
    let allowedMs = 0;
    for (let day = 0; day < 100; day += 2) {
      const clock = open(machine, settings);
      await clock.keep(silentLog);
      allowedMs += await run(machine, clock, HOUR_MS);
      await clock.leave();
      machine.set(machine.now() + 47 * HOUR_MS);
    }
    expect(allowedMs).toBeGreaterThanOrEqual(HOUR_MS);
  });
});

describe("a store on a database with a clock", () => {
  const advance = (world: Record<string, ManualClock>, ms: number) => {
    for (const clock of Object.values(world)) clock.advance(ms);
  };

  test("a node that is alone purges once the clocks have differed alike for a day, restarts included", async () => {
    const world = { machine: manualClock(START + 61 * SECOND_MS), database: manualClock(START) };
    const settings: Settings = new Map();
    const lines: string[] = [];
    const log: Log = { ...silentLog, warn: (line) => lines.push(line) };
    let ranMs = 0;
    for (; ranMs < 2 * DAY_MS; ranMs += HOUR_MS) {
      const clock = await openNode(world, settings);
      await clock.keep(log);
      if (clock.pause() === undefined) break;
      expect(clock.pause()?.reason).toBe("clocks_differ");
      advance(world, HOUR_MS);
      await clock.leave();
    }
    expect(ranMs).toBe(DAY_MS);
    expect(new Set(lines)).toEqual(
      new Set([
        "the clock of this machine differs from the database's: nothing is purged until the difference has been the same for a day",
      ]),
    );
    // A new difference must prove itself again.
    const clock = await openNode(world, settings);
    await clock.keep(log);
    expect(clock.pause()).toBeUndefined();
    world.machine.set(world.machine.now() + 2 * MINUTE_MS);
    await clock.keep(log);
    expect(clock.pause()).toMatchObject({ reason: "clocks_differ", remainingMs: DAY_MS });
  });

  test("a node that is wrong never purges while another one is right", async () => {
    const world = { machine: manualClock(START + 61 * SECOND_MS), database: manualClock(START) };
    const clock = await openNode(world);
    for (let hour = 0; hour < 72; hour++) {
      clock.learn?.(world.database.now(), clock.steady(), true);
      await clock.keep(silentLog);
      expect(clock.pause()).toEqual({ reason: "clocks_differ", aheadMs: 61 * SECOND_MS });
      advance(world, HOUR_MS);
    }
    clock.learn?.(world.database.now(), clock.steady(), false);
    expect(clock.pause()).toBeUndefined();
  });

  test("a node that was suspended pauses itself at most, not the others", async () => {
    const settings: Settings = new Map();
    const database = manualClock(START);
    const [suspended, other] = [manualClock(START), manualClock(START)];
    const one = await openNode({ machine: suspended, database }, settings);
    const two = await openNode({ machine: other, database }, settings);
    await one.keep(silentLog);
    await two.keep(silentLog);
    for (let minute = 0; minute < 120; minute++) {
      advance({ other, database }, MINUTE_MS);
      await two.keep(silentLog);
    }
    suspended.set(database.now());
    for (let minute = 0; minute < 60; minute++) {
      await one.keep(silentLog);
      expect(one.now()).toBe(database.now());
      await two.keep(silentLog);
      expect(two.pause()).toBeUndefined();
      advance({ suspended, other, database }, MINUTE_MS);
    }
  });
});

test("a clock that counts sleep is as fine as one that does not, and goes on after a sleep", () => {
  let [awake, slept] = [100.25, 0];
  const steady = countingSleep(
    () => awake,
    () => Math.floor((awake + slept + 5_000_000) / SECOND_MS) * SECOND_MS,
  );
  const first = steady();
  let last = first;
  for (let step = 0; step < 3_000; step++) {
    awake += 7.5;
    expect(steady() - last).toBe(7.5);
    last = steady();
  }
  slept += 8 * HOUR_MS;
  expect(Math.abs(steady() - last - 8 * HOUR_MS)).toBeLessThan(2 * SECOND_MS);
  last = steady();
  awake += 1;
  expect(steady() - last).toBe(1);
});
