import { expect, test } from "bun:test";

import { durableObjectJobs } from "../../adapters/cloudflare/durable-object.ts";
import { manualClock } from "../../testing/clock.ts";

const NOW = 1_000_000;

/** Jobs of an object, and what they do: alarms as the milliseconds until they are due, and ticks. */
function setUp(idleMs?: number) {
  const clock = manualClock(NOW);
  const done: (number | "tick")[] = [];
  let wait = Promise.resolve();
  let broken = false;
  const object = durableObjectJobs({
    storage: {
      setAlarm: async (at) => {
        if (broken) throw new Error("The storage is broken.");
        done.push(at - clock.now());
      },
    },
    jobs: [
      {
        start: () => undefined,
        tick: () => {
          done.push("tick");
          return wait;
        },
        stop: () => Promise.resolve(),
      },
    ],
    idleMs,
    clock,
  });
  return {
    ...object,
    clock,
    /** Returns what was done since the previous call. */
    done: () => done.splice(0),
    /** Makes the next ticks wait for the promise. */
    waitFor: (promise: Promise<void>) => {
      wait = promise;
    },
    break: (is: boolean) => {
      broken = is;
    },
  };
}

test("nothing is set before the first request", () => {
  expect(setUp().done()).toEqual([]);
});

test("requests set one alarm, a second later", async () => {
  const object = setUp();
  object.wake();
  object.clock.advance(400);
  object.wake();
  expect(object.done()).toEqual([1_000]);
  object.clock.advance(600);
  await object.alarm();
  expect(object.done()).toEqual(["tick", 60_000]);
  object.wake();
  expect(object.done()).toEqual([1_000]);
});

test("without requests, alarms come once in idleMs", async () => {
  const object = setUp(5_000);
  for (const _ of [1, 2]) {
    await object.alarm();
    expect(object.done()).toEqual(["tick", 5_000]);
  }
});

test("while an alarm takes long, requests are saved within a second, and once", async () => {
  const object = setUp();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  object.waitFor(promise.then(() => undefined));
  const running = object.alarm();
  expect(object.done()).toEqual(["tick"]);
  object.wake();
  object.wake();
  object.clock.advance(999);
  expect(object.done()).toEqual([]);
  object.clock.advance(1);
  await Bun.sleep(0);
  expect(object.done()).toEqual(["tick"]);
  resolve(undefined);
  await running;
  expect(object.done()).toEqual([1_000]);
});

test("an alarm that cannot be set is set by the next request, and Cloudflare repeats the alarm", async () => {
  const object = setUp();
  object.break(true);
  object.wake();
  await Bun.sleep(0);
  await expect(object.alarm()).rejects.toThrow("broken");
  object.break(false);
  object.done();
  object.wake();
  expect(object.done()).toEqual([1_000]);
});
