import { expect, test } from "bun:test";
import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { createPetstore, StoreUnavailable, type Store } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock, type ManualClock } from "../../testing/clock.ts";
import { api, type Api } from "../helpers/api.ts";
import { scratch } from "../helpers/sqlite.ts";
import { must } from "../helpers/outcome.ts";

const file = scratch();

// The start of a UTC day.
const START = 1_794_960_000_000;

async function open({
  store = memoryStore(),
  clock = manualClock(START),
}: { readonly store?: Store; readonly clock?: ManualClock } = {}) {
  const petstore = createPetstore({ store, clock });
  const account = must(
    await petstore.client.accounts.create({
      name: "Small",
      plan: "enterprise",
      limits: { perMinute: 3, perDay: 1_000 },
    }),
  );
  const accountId = account.id;
  const { token: key, view } = must(await petstore.client.keys.create({ accountId }));
  const usage = (by: "minute" | "day" = "minute") =>
    store.usage.read({ accountId, by, from: START - DAY_MS, to: START + DAY_MS }, 100);
  return { clock, store, petstore, usage, key, keyId: view.id, shop: ask(petstore.fetch, key) };
}

function ask(fetch: (request: Request) => Response | Promise<Response>, key: string): Api {
  return api({ fetch, key });
}

test("every request of a key is counted by operation and result", async () => {
  const { shop, petstore, usage, keyId } = await open();
  await shop.get("/v1/pets");
  await shop.get("/v1/pets?nonsense=1");
  await shop.delete("/v1/pets/7");
  await shop.get("/v1/pets");
  await petstore.jobs.tick();
  const row = { keyId, environment: "production", at: START } as const;
  expect(await usage()).toEqual([
    { ...row, operation: "deletePet", requests: 1, limited: 0, refused: 1, failed: 0 },
    { ...row, operation: "listPets", requests: 3, limited: 1, refused: 1, failed: 0 },
  ]);
});

test("a request without a valid key is not counted", async () => {
  const { shop, petstore, usage } = await open();
  await shop.as(undefined).get("/v1/pets");
  await shop.as("pet_live_nonsense").get("/v1/pets");
  await petstore.jobs.tick();
  expect(await usage()).toEqual([]);
});

test("a server error is counted as failed", async () => {
  const store = memoryStore();
  let broken = false;
  const pets: Store["pets"] = {
    ...store.pets,
    list: (...page) => {
      if (broken) throw new Error("the disk is gone");
      return store.pets.list(...page);
    },
  };
  const { shop, petstore, usage } = await open({ store: { ...store, pets } });
  broken = true;
  expect((await shop.get("/v1/pets")).status).toBe(500);
  await petstore.jobs.tick();
  expect(await usage()).toMatchObject([{ requests: 1, refused: 0, limited: 0, failed: 1 }]);
});

test("each minute has its own row, and they share one for the day", async () => {
  const { shop, clock, petstore, usage } = await open();
  await shop.get("/v1/pets");
  clock.advance(MINUTE_MS - 1);
  await shop.get("/v1/pets");
  clock.advance(1);
  await shop.get("/v1/pets");
  await petstore.jobs.tick();
  expect((await usage()).map(({ at, requests }) => [at - START, requests])).toEqual([
    [0, 2],
    [MINUTE_MS, 1],
  ]);
  expect((await usage("day")).map(({ at, requests }) => [at - START, requests])).toEqual([[0, 3]]);
});

test("a request is saved once, however often the counters are saved", async () => {
  const { shop, clock, petstore, usage } = await open();
  await shop.get("/v1/pets");
  for (let seconds = 0; seconds < 3; seconds++) {
    await petstore.jobs.tick();
    clock.advance(SECOND_MS);
  }
  await shop.get("/v1/pets");
  await petstore.close();
  expect(await usage()).toMatchObject([{ requests: 2 }]);
});

test("counts that could not be saved are saved the next time, once", async () => {
  const store = memoryStore();
  let full = false;
  const failing: Store = {
    ...store,
    commit: (changes, actor) =>
      full ? Promise.reject(new StoreUnavailable("full")) : store.commit(changes, actor),
  };
  const { shop, clock, petstore, usage } = await open({ store: failing });
  full = true;
  await shop.get("/v1/pets");
  await petstore.jobs.tick();
  clock.advance(SECOND_MS);
  await shop.get("/v1/pets");
  full = false;
  await petstore.close();
  expect(await usage()).toMatchObject([{ requests: 2 }]);
});

test("after the clock is set back, requests count in the displayed minute", async () => {
  const { shop, clock, petstore, usage } = await open();
  await shop.get("/v1/pets");
  clock.set(START - MINUTE_MS);
  await shop.get("/v1/pets");
  await petstore.close();
  expect((await usage()).map(({ at, requests }) => [at - START, requests])).toEqual([
    [-MINUTE_MS, 1],
    [0, 1],
  ]);
});

test("the counts of two processes add up", async () => {
  const path = file();
  const clock = manualClock(START);
  const [store, other] = [await bunSqliteStore({ path }), await bunSqliteStore({ path })];
  const here = await open({ store, clock });
  const there = createPetstore({ store: other, clock });
  await here.shop.get("/v1/pets");
  await ask(there.fetch, here.key).get("/v1/pets");
  await ask(there.fetch, here.key).get("/v1/pets");
  await here.petstore.close();
  await there.close();
  expect(await here.usage()).toMatchObject([{ operation: "listPets", requests: 3 }]);
  await store.close();
  await other.close();
});
