import { expect, test } from "bun:test";

import { inSteps, queued } from "../../../lib/base/steps.ts";

test("only one of several long pieces of work takes a step per turn", async () => {
  const turns: (() => void)[] = [];
  const pause = queued(() => new Promise((resolve) => void turns.push(resolve)));
  const steps: string[] = [];
  function* work(name: string): Generator<undefined, void> {
    for (let step = 1; step <= 3; step++) {
      steps.push(`${name}${step}`);
      if (step < 3) yield;
    }
  }
  const all = Promise.all(["a", "b", "c"].map((name) => inSteps(work(name), pause)));
  const taken: string[][] = [steps.splice(0)];
  for (let turn = 0; turn < 6; turn++) {
    // Runs everything that does not wait for a turn.
    await new Promise(setImmediate);
    expect(turns).toHaveLength(1);
    turns.shift()?.();
    await new Promise(setImmediate);
    taken.push(steps.splice(0));
  }
  await all;
  // The first step runs in the request's own turn.
  expect(taken).toEqual([["a1", "b1", "c1"], ["a2"], ["b2"], ["c2"], ["a3"], ["b3"], ["c3"]]);
});

test("a failed pause ends only the work that waits for it", async () => {
  let calls = 0;
  const pause = queued(async () => {
    if (++calls === 1) throw new Error("cut short");
  });
  const [first, second] = await Promise.allSettled([pause(), pause()]);
  expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
});
