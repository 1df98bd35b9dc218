import { system } from "../../lib/model/actor.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { expect, test } from "bun:test";
import { createPetstore } from "../../lib/index.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { type Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../testing/clock.ts";
import { api } from "../helpers/api.ts";
import { must } from "../helpers/outcome.ts";

const START = 1_795_000_000_000;

async function open() {
  const clock = manualClock(START);
  const store = memoryStore();
  const petstore = createPetstore({ store, clock });
  const issued = must(await petstore.client.keys.create({}));
  const shop = api({ fetch: petstore.fetch, key: issued.token });
  return { clock, store, petstore, shop };
}

test("counters are still saved after the clock is set back", async () => {
  const { clock, store, petstore, shop } = await open();
  await shop.get("/v1/pets");
  await petstore.jobs.tick();
  clock.set(START - 2 * DAY_MS);
  await shop.get("/v1/pets");
  await petstore.jobs.tick();
  const [windows] = (await store.counters.live(0)).filter(({ name }) => name.startsWith("windows"));
  expect(windows?.endsAt).toBe(START - DAY_MS);
});

test("ended rows are still purged after the clock is set back", async () => {
  const { clock, store, petstore } = await open();
  clock.set(START - 2 * DAY_MS);
  const counter = { name: "of old", state: "[]", endsAt: START - 3 * DAY_MS };
  await store.commit([{ kind: "counters.save", counters: [counter], lastUsed: [] }], system);
  clock.advance(MINUTE_MS + SECOND_MS);
  await petstore.jobs.tick();
  expect(await store.counters.live(0)).toEqual([]);
});

test("the first tick of a process purges, and the next ones once a minute", async () => {
  const { clock, store, petstore } = await open();
  const counter = { name: "of old", state: "[]", endsAt: START - DAY_MS };
  const leave = () =>
    store.commit([{ kind: "counters.save", counters: [counter], lastUsed: [] }], system);
  const left = async () => (await store.counters.live(0)).length;
  await leave();
  await petstore.jobs.tick();
  expect(await left()).toBe(0);
  await leave();
  clock.advance(MINUTE_MS - 1);
  await petstore.jobs.tick();
  expect(await left()).toBe(1);
  clock.advance(1);
  await petstore.jobs.tick();
  expect(await left()).toBe(0);
});

test("an ended key is listed for 90 days", async () => {
  const { clock, petstore } = await open();
  const issued = await petstore.client.keys.create({ expiresInMs: 1 });
  const ids = async (): Promise<readonly string[]> => {
    const keys = await petstore.client.keys.list("acc_default");
    return keys.ok ? keys.value.map(({ id }) => id) : [];
  };
  const id = issued.ok ? issued.value.view.id : "";
  clock.advance(90 * DAY_MS + 1);
  await petstore.jobs.tick();
  expect(await ids()).toContain(id);
  clock.advance(MINUTE_MS);
  await petstore.jobs.tick();
  expect(await ids()).not.toContain(id);
  expect(await ids()).toHaveLength(1);
});

test("nothing is written before the jobs start", async () => {
  const { store, shop } = await open();
  await shop.get("/v1/pets");
  expect(await store.counters.live(0)).toEqual([]);
});

test("uses and counts are written once a second, and the rest when the jobs stop", async () => {
  const { clock, store, petstore, shop } = await open();
  const lastUsed = async (): Promise<number | undefined> =>
    (await store.keys.ofAccount("acc_default"))[0]?.lastUsedAt;
  await petstore.jobs.tick();
  await shop.get("/v1/pets");
  clock.advance(999);
  await petstore.jobs.tick();
  expect(await lastUsed()).toBeUndefined();
  clock.advance(1);
  await petstore.jobs.tick();
  expect(await lastUsed()).toBe(START);
  clock.advance(10);
  await shop.get("/v1/pets");
  await petstore.close();
  expect(await lastUsed()).toBe(START + 1_010);
});

test("a new process adds to the counts written by the old one", async () => {
  const { clock, store, petstore, shop } = await open();
  const before = await shop.get("/v1/pets");
  await petstore.close();
  const next = createPetstore({ store, clock });
  const issued = must(await next.client.keys.create({}));
  const after = await api({ fetch: next.fetch, key: issued.token }).get("/v1/pets");
  const remaining = (reply: typeof after): number =>
    Number(reply.headers.get("x-ratelimit-remaining"));
  expect(remaining(after)).toBe(remaining(before) - 1);
});

test("counters that could not be written are written the next time", async () => {
  const { clock, store, petstore } = await open();
  const issued = must(await petstore.client.keys.create({}));
  let full = true;
  const failing: Store = {
    ...store,
    commit: (changes, actor) =>
      full ? Promise.reject(new StoreUnavailable("full")) : store.commit(changes, actor),
  };
  const { fetch, jobs } = createPetstore({ store: failing, clock });
  expect((await api({ fetch, key: issued.token }).get("/v1/pets")).status).toBe(200);
  await jobs.tick();
  expect(await store.counters.live(0)).toEqual([]);
  full = false;
  clock.advance(SECOND_MS);
  await jobs.tick();
  expect(await store.counters.live(0)).not.toEqual([]);
});

test("jobs started twice run once, and stop when asked", async () => {
  const { clock, store } = await open();
  let looks = 0;
  const feed = { ...store.feed, after: (seq: number, limit: number) => look(seq, limit) };
  const look = (seq: number, limit: number) => {
    looks++;
    return store.feed.after(seq, limit);
  };
  const { jobs } = createPetstore({ store: { ...store, feed }, clock });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn++) await Bun.sleep(0);
  };
  jobs.start();
  jobs.start();
  await settle();
  for (let quarter = 0; quarter < 4; quarter++) {
    clock.advance(250);
    await settle();
  }
  expect(looks).toBe(4);
  await jobs.stop();
  clock.advance(10_000);
  await settle();
  expect(looks).toBe(4);
});

test("an outage of the store is logged once, and so is its end", async () => {
  const clock = manualClock(1_795_000_000_000);
  const working = memoryStore();
  let down = true;
  const store = {
    ...working,
    feed: {
      ...working.feed,
      last: () => {
        if (down) throw new Error("gone");
        return working.feed.last();
      },
    },
  };
  const lines: string[] = [];
  const log = {
    debug() {},
    info: (message: string) => lines.push(message),
    warn() {},
    error: (message: string) => lines.push(message),
  };
  const { jobs } = createPetstore({ store, clock, log });
  await jobs.tick();
  await jobs.tick();
  down = false;
  await jobs.tick();
  await jobs.tick();
  expect(lines).toEqual(["reading the feed failed and is retried", "reading the feed works again"]);
});
