import { expect, test } from "bun:test";

import { followFeed, shareFeed } from "../../../lib/storage/feed.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { FeedReader, Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../helpers/clock.ts";

/** A feed whose notices the test makes visible, in any order, and settles. */
function testFeed() {
  const visible = new Set<number>();
  const feed = {
    visible,
    settled: 0,
    timeline: 1,
    queries: 0,
    /** Notices that were read. */
    rows: 0,
    /** Fails the next query. */
    fails: false,
    store: (): Pick<Store, "feed"> => ({
      feed: {
        last: () => {
          feed.queries++;
          return feed.settled;
        },
        timeline: () => feed.timeline,
        after: async (seq, limit, through = Infinity) => {
          feed.queries++;
          if (feed.fails) throw new Error("The store is away.");
          const read = [...visible]
            .filter((one) => one > seq && one <= through)
            .toSorted((a, b) => a - b)
            .slice(0, limit)
            .map((one) => ({ seq: one, topic: "key" as const, subject: `key ${one}` }));
          feed.rows += read.length;
          return read;
        },
      },
    }),
  };
  return feed;
}

function recorder(): { readonly reader: FeedReader; readonly heard: () => readonly string[] } {
  const heard: string[] = [];
  const reader = {
    forget: (_topic: string, subject: string) => void heard.push(subject),
    forgetAll: () => void heard.push("all"),
    confirm: (at: number) => void heard.push(`confirmed ${at}`),
  };
  return { reader, heard: () => heard.splice(0) };
}

test("notices beyond the last settled one are passed on at once, and only once", async () => {
  const feed = testFeed();
  const { reader, heard } = recorder();
  const follow = followFeed(feed.store(), () => 7, reader);
  const poll = async (): Promise<readonly string[]> => {
    await follow();
    return heard();
  };

  expect(await poll()).toEqual(["all"]);
  feed.visible.add(2);
  expect(await poll()).toEqual(["key 2", "confirmed 7"]);
  expect(await poll()).toEqual(["confirmed 7"]);
  // A transaction that took its number earlier commits later.
  feed.visible.add(1);
  feed.settled = 2;
  expect(await poll()).toEqual(["key 1", "confirmed 7"]);
  feed.visible.add(3);
  expect(await poll()).toEqual(["key 3", "confirmed 7"]);
  // A purge leaves nothing.
  feed.visible.clear();
  feed.settled = 0;
  expect(await poll()).toEqual(["confirmed 7"]);
  const before = feed.queries;
  expect(await poll()).toEqual(["confirmed 7"]);
  expect(feed.queries - before).toBe(1);
});

test("numbers that are used again after a failover hide no notice", async () => {
  const feed = testFeed();
  const parts = [recorder(), recorder()];
  const clock = manualClock(0);
  const shared = shareFeed({ ...memoryStore(), ...feed.store() }, clock);
  const follows = parts.map(({ reader }) => followFeed(shared, () => clock.now(), reader));
  const round = async (): Promise<readonly (readonly string[])[]> => {
    clock.advance(250);
    for (const follow of follows) await follow();
    return parts.map(({ heard }) => heard());
  };
  feed.visible.add(1);
  feed.settled = 1;
  await round();
  for (const lost of [2, 3, 5]) feed.visible.add(lost);
  expect(await round()).toEqual(
    parts.map(() => ["key 2", "key 3", "key 5", `confirmed ${clock.now()}`]),
  );

  // The standby has not received 2 to 5. Before the next poll, another node has used 2 again.
  feed.visible.clear();
  for (const kept of [1, 2]) feed.visible.add(kept);
  feed.settled = 2;
  feed.timeline = 2;
  expect(await round()).toEqual(parts.map(() => ["all", `confirmed ${clock.now()}`]));
  feed.visible.add(3);
  const before = feed.queries;
  expect(await round()).toEqual(parts.map(() => ["key 3", `confirmed ${clock.now()}`]));
  expect(feed.queries - before).toBe(1);

  // The database fails while the reading begins again.
  feed.timeline = 3;
  feed.fails = true;
  clock.advance(250);
  for (const follow of follows) expect(await follow().catch(String)).toContain("away");
  feed.fails = false;
  expect(await round()).toEqual(parts.map(() => ["all", `confirmed ${clock.now()}`]));
});

test("of many gaps in the numbers, none hides a later notice", async () => {
  const feed = testFeed();
  const { reader, heard } = recorder();
  const follow = followFeed(feed.store(), () => 7, reader);
  await follow();
  const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
  for (const even of numbers.filter((one) => one % 2 === 0)) feed.visible.add(even);
  await follow();
  const before = feed.queries;
  await follow();
  expect(feed.queries - before).toBeLessThan(100);
  for (const odd of numbers.filter((one) => one % 2 === 1)) feed.visible.add(odd);
  await follow();
  feed.settled = 1_000;
  await follow();
  expect(new Set(heard())).toEqual(
    new Set(["all", "confirmed 7", ...numbers.map((one) => `key ${one}`)]),
  );
  const settled = feed.queries;
  await follow();
  expect(feed.queries - settled).toBe(1);
});

test("of many gaps, the distant ones are not joined", async () => {
  const feed = testFeed();
  const { reader } = recorder();
  const follow = followFeed(feed.store(), () => 7, reader);
  await follow();
  for (let number = 1; number <= 7_000; number++) {
    if (number % 100 !== 0) feed.visible.add(number);
  }
  await follow();
  const before = feed.rows;
  await follow();
  // Of 70 gaps, the closest are joined: at most seven times the hundred notices between two of them are read again.
  expect(feed.rows - before).toBeWithin(1, 800);
});

test("a new process waits for a final number while others write", async () => {
  const feed = testFeed();
  for (let number = 1; number <= 5_000; number++) feed.visible.add(number);
  const store = feed.store();
  let asks = 0;
  const last = () => (++asks < 4 ? 0 : 4_999);
  const { reader, heard } = recorder();
  const follow = followFeed({ feed: { ...store.feed, last } }, () => 7, reader);
  await follow();
  await follow();
  expect(heard()).toEqual(["all", "key 5000", "confirmed 7"]);
});

test("a shared feed is read once for all followers, four times a second", async () => {
  const feed = testFeed();
  const clock = manualClock(1_000);
  const shared = shareFeed({ ...memoryStore(), ...feed.store() }, clock);
  const parts = Array.from({ length: 8 }, () => {
    const { reader, heard } = recorder();
    return { follow: followFeed(shared, () => clock.now(), reader), heard };
  });
  const round = async (): Promise<readonly (readonly string[])[]> => {
    await Promise.all(parts.map(({ follow }) => follow()));
    return parts.map(({ heard }) => heard());
  };
  const each = (...heard: readonly string[]) => parts.map(() => heard);

  expect(await round()).toEqual(each("all"));
  const before = feed.queries;
  expect(await round()).toEqual(each("confirmed 1000"));
  expect(feed.queries - before).toBe(1);

  feed.visible.add(1);
  clock.advance(249);
  expect(await round()).toEqual(each());
  clock.advance(1);
  // Whoever is first reads for all.
  await parts[3]?.follow();
  expect(parts.map(({ heard }) => heard())).toEqual(each("key 1", "confirmed 1250"));
  expect(await round()).toEqual(each());

  // A failure reaches every follower, and none waits for the next reading.
  clock.advance(250);
  feed.fails = true;
  for (const { follow } of parts) expect(await follow().catch(String)).toContain("away");
  feed.fails = false;
  feed.visible.add(2);
  expect(await round()).toEqual(each("key 2", "confirmed 1500"));

  // A clock that was set back.
  clock.advance(-5_000);
  expect(await round()).toEqual(each("confirmed -3500"));
});

test("a follower that joins later hears only of what changes after it has forgotten its copies", async () => {
  const feed = testFeed();
  const clock = manualClock(0);
  const shared = shareFeed({ ...memoryStore(), ...feed.store() }, clock);
  const [first, second] = [recorder(), recorder()];
  const follow = followFeed(shared, () => clock.now(), first.reader);
  await follow();
  feed.visible.add(1);
  await follow();
  expect(first.heard()).toEqual(["all", "key 1", "confirmed 0"]);

  const followToo = followFeed(shared, () => clock.now() + 7, second.reader);
  await followToo();
  expect(second.heard()).toEqual(["all"]);
  feed.visible.add(2);
  clock.advance(250);
  await followToo();
  expect(first.heard()).toEqual(["key 2", "confirmed 250"]);
  expect(second.heard()).toEqual(["key 2", "confirmed 257"]);
});

test("of followers that start at the same time, none misses a notice between their starts", async () => {
  const feed = testFeed();
  const { feed: inner } = feed.store();
  const lasts: ((last: number) => void)[] = [];
  let starting = true;
  const last = () =>
    starting ? new Promise<number>((resolve) => lasts.push(resolve)) : feed.settled;
  const store = { ...memoryStore(), feed: { ...inner, last } };
  const { feed: shared } = shareFeed(store, manualClock(0));
  const [first, second] = [recorder(), recorder()];
  const [followFirst, followSecond] = [first, second].map(({ reader }) =>
    shared.follow?.(() => 7, reader),
  );
  const started = followFirst?.();
  const startedLater = followSecond?.();
  lasts[0]?.(1);
  await started;
  feed.visible.add(2);
  feed.settled = 2;
  lasts[1]?.(2);
  await startedLater;
  starting = false;
  await followFirst?.();
  expect(first.heard()).toEqual(["all", "key 2", "confirmed 7"]);
});
