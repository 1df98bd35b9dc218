import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";

import { deadlines } from "../../../domains/tls/deadlines.ts";
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

test("what does not end in time is called late, once", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(999);
  expect(late).toEqual([]);
  await pass(1);
  expect(late).toEqual(["a"]);
  await pass(5_000);
  expect(late).toEqual(["a"]);
});

test("what ends is not late", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  due.begin("b");
  due.end("a");
  await pass(1_000);
  expect(late).toEqual(["b"]);
});

test("each has its own time", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(400);
  due.begin("b");
  await pass(600);
  expect(late).toEqual(["a"]);
  await pass(400);
  expect(late).toEqual(["a", "b"]);
});

test("to begin anew puts it off", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(900);
  due.begin("a");
  await pass(900);
  expect(late).toEqual([]);
  await pass(100);
  expect(late).toEqual(["a"]);
});

test("after a quiet time the next one is watched too", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  await pass(1_000);
  due.begin("b");
  await pass(1_000);
  expect(late).toEqual(["a", "b"]);
});

test("the first is the one that began first", () => {
  const { due } = watched();
  for (const item of ["a", "b", "c"]) due.begin(item);
  due.begin("a");
  expect(due.first()).toBe("b");
});

test("after closing nothing is late", async () => {
  const { pass, late, due } = watched();
  due.begin("a");
  due.close();
  await pass(5_000);
  expect(late).toEqual([]);
  expect(due.size).toBe(0);
});
