import { expect, test } from "bun:test";

import { sharedCheck, sharedChecks } from "../../server/system/shared-checks.ts";
import { manualClock } from "../helpers/clock.ts";

/** A check that records its calls and ends on demand. */
function slow() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const check = (subject = ""): Promise<string> => {
    started.push(subject);
    const { promise, resolve } = Promise.withResolvers<string>();
    ends.push(() => resolve(`${subject} ${started.length}`));
    return promise;
  };
  return { started, ends, check };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("callers during a check or soon after it share its result", async () => {
  const clock = manualClock(0);
  const { started, ends, check } = slow();
  const shared = sharedCheck({ clock, freshMs: 5_000 }, () => check());
  const both = [shared(), shared()];
  ends[0]?.();
  expect(await Promise.all(both)).toEqual([" 1", " 1"]);
  await clock.advance(4_999);
  expect(await shared()).toBe(" 1");
  await clock.advance(1);
  void shared();
  expect(started).toHaveLength(2);
});

test("the next caller repeats a failed check", async () => {
  const clock = manualClock(0);
  let times = 0;
  const shared = sharedCheck({ clock, freshMs: 5_000 }, async () => {
    times++;
    if (times === 1) throw new Error("broke");
    return times;
  });
  await expect(shared()).rejects.toThrow("broke");
  expect(await shared()).toBe(2);
});

test("checks of different subjects run one after the other", async () => {
  const { started, ends, check } = slow();
  const shared = sharedChecks({ clock: manualClock(0), freshMs: 5_000 }, check);
  const a = shared("a");
  const b = shared("b");
  expect(shared("b")).toBe(b);
  await settled();
  expect(started).toEqual(["a"]);
  ends[0]?.();
  await a;
  await settled();
  expect(started).toEqual(["a", "b"]);
  ends[1]?.();
  expect(await b).toBe("b 2");
});

test("the next check runs even if the previous one failed", async () => {
  const shared = sharedChecks({ clock: manualClock(0), freshMs: 5_000 }, async (subject) => {
    if (subject === "a") throw new Error("broke");
    return subject;
  });
  const a = shared("a");
  const b = shared("b");
  await expect(a).rejects.toThrow("broke");
  expect(await b).toBe("b");
});

test("at most four checks are queued or running, and one more is accepted when a check ends", async () => {
  const { ends, check } = slow();
  const shared = sharedChecks({ clock: manualClock(0), freshMs: 5_000 }, check);
  const first = shared("1");
  for (const subject of ["2", "3", "4"]) expect(shared(subject)).toBeDefined();
  expect(shared("5")).toBeUndefined();
  await settled();
  ends[0]?.();
  await first;
  expect(shared("5")).toBeDefined();
});
