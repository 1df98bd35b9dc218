import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";

import { deadlines } from "../../../adapters/holdings/deadlines.ts";
import { manualClock } from "../../helpers/clock.ts";

function watched() {
  const clock = manualClock(1_000_000);
  const late: string[] = [];
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await setImmediate();
  };
  return { pass, late, due: deadlines<string>(clock, 1_000, (item) => late.push(item)) };
}

test("an expired deadline is reported once", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(999);
  expect(late).toEqual([]);
  await pass(1);
  expect(late).toEqual(["a"]);
  await pass(5_000);
  expect(late).toEqual(["a"]);
});

test("a cancelled deadline does not expire", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  due.begin("b");
  due.end("a");
  await pass(1_000);
  expect(late).toEqual(["b"]);
});

test("each deadline has its own time", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(400);
  due.begin("b");
  await pass(600);
  expect(late).toEqual(["a"]);
  await pass(400);
  expect(late).toEqual(["a", "b"]);
});

test("restarting postpones a deadline", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(900);
  due.begin("a");
  await pass(900);
  expect(late).toEqual([]);
  await pass(100);
  expect(late).toEqual(["a"]);
});

test("after a pause the next deadline is watched", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(1_000);
  due.begin("b");
  await pass(1_000);
  expect(late).toEqual(["a", "b"]);
});

test("the first deadline is the one that started first", () => {
  const { due } = watched();
  for (const item of ["a", "b", "c"]) due.begin(item);
  due.begin("a");
  expect(due.first()).toBe("b");
});

test("after closing nothing expires", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  due.close();
  await pass(5_000);
  expect(late).toEqual([]);
  expect(due.size).toBe(0);
});
