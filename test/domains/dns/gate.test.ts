import { expect, test } from "bun:test";

import { createGate } from "../../../domains/dns/gate.ts";

const never = new AbortController().signal;

test("a gate admits up to its limit, in order", async () => {
  const gate = createGate(2);
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const task = (number: number) => async (): Promise<void> => {
    order.push(number);
    most = Math.max(most, ++inside);
    await Bun.sleep(1);
    inside--;
  };
  await Promise.all(Array.from({ length: 9 }, (_, number) => gate.pass(task(number), never)));
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a waiting task that is aborted leaves the queue", async () => {
  const gate = createGate(1);
  const first = Promise.withResolvers<void>();
  const gaveUp = new AbortController();
  const passing = gate.pass(() => first.promise, never);
  const waiting = gate.pass(async () => "passed", gaveUp.signal);
  const next = gate.pass(async () => "passed", never);
  gaveUp.abort(new Error("Enough"));
  await expect(waiting).rejects.toThrow("Enough");
  first.resolve();
  await passing;
  expect(await next).toBe("passed");
});

test("a newcomer does not overtake a waiting task", async () => {
  const gate = createGate(1);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let started = false;
  const passing = gate.pass(() => first.promise, never);
  const waiting = gate.pass(() => second.promise, never);
  first.resolve();
  await passing;
  const late = gate.pass(async () => {
    started = true;
  }, never);
  await Bun.sleep(1);
  expect(started).toBe(false);
  second.resolve();
  await Promise.all([waiting, late]);
  expect(started).toBe(true);
});

test("a failed task frees its slot", async () => {
  const gate = createGate(1);
  const failing = gate.pass(() => Promise.reject(new Error("It broke")), never);
  await expect(failing).rejects.toThrow("It broke");
  expect(await gate.pass(async () => "passed", never)).toBe("passed");
});

test("a group with many tasks leaves slots for others", async () => {
  const gate = createGate(4, 2);
  const [greedy, modest] = [{}, {}];
  const slow = Promise.withResolvers<void>();
  const entered: string[] = [];
  const all = Array.from({ length: 9 }, (_, number) =>
    gate.pass(
      () => {
        entered.push(`greedy ${number}`);
        return slow.promise;
      },
      never,
      greedy,
    ),
  );
  for (const number of [0, 1, 2]) {
    await gate.pass(async () => void entered.push(`modest ${number}`), never, modest);
  }
  expect(entered).toEqual(["greedy 0", "greedy 1", "modest 0", "modest 1", "modest 2"]);
  slow.resolve();
  await Promise.all(all);
  expect(entered).toHaveLength(12);
});

test("when the gate is full, groups take turns", async () => {
  const gate = createGate(1, 1);
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const [some, other] = [{}, {}];
  const passing = gate.pass(() => first.promise, never);
  const all = ["some", "some", "some", "other", "other"].map((who) =>
    gate.pass(async () => void order.push(who), never, who === "some" ? some : other),
  );
  first.resolve();
  await Promise.all([passing, ...all]);
  expect(order).toEqual(["some", "other", "some", "other", "some"]);
});

test("groups without tasks are forgotten", async () => {
  const gate = createGate(2, 1);
  for (let number = 0; number < 100; number++) await gate.pass(async () => {}, never, {});
  expect(gate.groups).toBe(0);
});
