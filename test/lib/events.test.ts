import { expect, test } from "bun:test";
import { createPetstore, StoreUnavailable, type Store } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { must } from "../helpers/outcome.ts";

function petstore() {
  return createPetstore({ store: memoryStore(), clock: manualClock(1_795_000_000_000) });
}

test("a listener receives the events committed after it subscribed", async () => {
  const { client, events, jobs } = petstore();
  await client.keys.create({ name: "older" });
  const heard: unknown[] = [];
  events.subscribe(({ type, data }) => heard.push([type, data["name"]]));
  await client.keys.create({ name: "newer" });
  await jobs.tick();
  await jobs.tick();
  expect(heard).toEqual([["key.created", "newer"]]);
});

test("an unsubscribed listener receives nothing", async () => {
  const { client, events, jobs } = petstore();
  const heard: unknown[] = [];
  const leave = events.subscribe((event) => heard.push(event));
  leave();
  await client.keys.create({});
  await jobs.tick();
  expect(heard).toEqual([]);
});

test("a listener that throws does not affect the others", async () => {
  const { client, events, jobs } = petstore();
  await client.accounts.default();
  const heard: string[] = [];
  events.subscribe(() => {
    throw new Error("not today");
  });
  events.subscribe(({ type }) => heard.push(type));
  await client.keys.create({});
  await client.keys.create({});
  await jobs.tick();
  expect(heard).toEqual(["key.created", "key.created"]);
});

test("using 80 and 100 percent of the day's limit emits one event each", async () => {
  const { client, events, fetch, jobs } = petstore();
  const account = must(
    await client.accounts.create({
      name: "Small",
      plan: "enterprise",
      limits: { perMinute: 1_000, perDay: 10 },
    }),
  );
  const issued = must(await client.keys.create({ accountId: account.id }));
  const authorization = `Bearer ${issued.token}`;
  for (let count = 0; count < 12; count++) {
    await fetch(new Request("http://pets.test/v1/pets", { headers: { authorization } }));
  }
  await jobs.tick();
  const thresholds = (await events.after(0)).filter(
    ({ type }) => type === "quota.threshold_reached",
  );
  expect(thresholds.map(({ data }) => data["percent"])).toEqual([80, 100]);
});

test("if the store cannot return its last event, it is asked again, and no listener misses an event", async () => {
  const store = memoryStore();
  let attempts = 0;
  const hesitant: Store = {
    ...store,
    events: {
      ...store.events,
      last: async () => {
        if (attempts++ === 0) throw new StoreUnavailable("Not yet.");
        return store.events.last();
      },
    },
  };
  const { client, events, jobs } = createPetstore({
    store: hesitant,
    clock: manualClock(1_795_000_000_000),
  });
  const heard: string[] = [];
  events.subscribe(({ type }) => heard.push(type));
  await jobs.tick();
  await client.keys.create({});
  await jobs.tick();
  expect(heard).toEqual(["account.created", "key.created"]);
});
