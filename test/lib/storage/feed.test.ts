import { expect, test } from "bun:test";

import { followFeed } from "../../../lib/storage/feed.ts";

test("notices beyond the last settled one are passed on at once, and read again", async () => {
  const visible = new Set<number>();
  let settled = 0;
  const forgotten: string[] = [];
  const follow = followFeed(
    {
      feed: {
        last: () => settled,
        after: (seq, limit) =>
          [...visible]
            .filter((one) => one > seq)
            .toSorted((a, b) => a - b)
            .slice(0, limit)
            .map((one) => ({ seq: one, topic: "key" as const, subject: `key ${one}` })),
      },
    },
    () => 0,
    {
      forget: (_topic, subject) => void forgotten.push(subject),
      forgetAll: () => void forgotten.push("all"),
      confirm: () => void forgotten.push("confirmed"),
    },
  );
  const poll = async (): Promise<readonly string[]> => {
    await follow();
    return forgotten.splice(0);
  };

  expect(await poll()).toEqual(["all"]);
  visible.add(2);
  expect(await poll()).toEqual(["key 2", "confirmed"]);
  // A transaction that took its number earlier commits later.
  visible.add(1);
  settled = 2;
  expect(await poll()).toEqual(["key 1", "key 2", "confirmed"]);
  expect(await poll()).toEqual(["confirmed"]);
  // A purge leaves nothing.
  visible.clear();
  settled = 0;
  expect(await poll()).toEqual(["confirmed"]);
});
