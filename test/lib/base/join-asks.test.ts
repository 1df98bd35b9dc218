import { expect, test } from "bun:test";

import { joinAsks } from "../../../lib/base/join-asks.ts";

/** Answers in hand: each group waits until it is answered. */
function inHand(most: number) {
  const groups: string[][] = [];
  const answers: ((failure?: Error) => void)[] = [];
  const ask = joinAsks(most, async (keys: readonly string[]) => {
    groups.push([...keys]);
    const number = groups.length;
    const failure = await new Promise<Error | undefined>((resolve) => answers.push(resolve));
    if (failure !== undefined) throw failure;
    return (key) => `${key}${number}`;
  });
  return { ask, groups, answers };
}

test("questions during an answer wait for the next one, and equal ones are asked once", async () => {
  const { ask, groups, answers } = inHand(10);
  const first = ask("a");
  const later = [ask("a"), ask("b"), ask("a")];
  answers[0]?.();
  expect(await first).toBe("a1");
  await Promise.resolve();
  answers[1]?.();
  expect(await Promise.all(later)).toEqual(["a2", "b2", "a2"]);
  expect(groups).toEqual([["a"], ["a", "b"]]);
});

test("a group is limited, and the rest follows", async () => {
  const { ask, groups, answers } = inHand(2);
  const asked = ["a", "b", "c", "d"].map(ask);
  for (let index = 0; index < 3; index++) {
    answers[index]?.();
    await Bun.sleep(0);
  }
  expect(await Promise.all(asked)).toEqual(["a1", "b2", "c2", "d3"]);
  expect(groups).toEqual([["a"], ["b", "c"], ["d"]]);
});

test("a failure rejects its group only", async () => {
  const { ask, answers } = inHand(10);
  const [first, second] = [ask("a"), ask("b")];
  answers[0]?.(new Error("lost"));
  expect(await first.catch(String)).toContain("lost");
  await Bun.sleep(0);
  answers[1]?.();
  expect(await second).toBe("b2");
});
