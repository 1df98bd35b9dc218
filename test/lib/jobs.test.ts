import { expect, test } from "bun:test";
import { createPetstore } from "../../lib/index.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../lib/testing/clock.ts";
import { api } from "../helpers/api.ts";

const START = 1_795_000_000_000;

async function open() {
  const clock = manualClock(START);
  const store = memoryStore();
  const petstore = createPetstore({ store, clock });
  const issued = await petstore.client.keys.create({});
  if (!issued.ok) throw new Error(issued.failure.message);
  const asked = api({ fetch: petstore.fetch, key: issued.value.token });
  return { clock, store, petstore, asked };
}

test("counters are written on after the clock was put back", async () => {
  const { clock, store, petstore, asked } = await open();
  await asked.get("/v1/pets");
  await petstore.jobs.tick();
  clock.set(START - 2 * DAY_MS);
  await asked.get("/v1/pets");
  await petstore.jobs.tick();
  const [windows] = (await store.counters.live(0)).filter(({ name }) => name.startsWith("windows"));
  expect(windows?.endsAt).toBe(START - DAY_MS);
});

test("what is over is purged on after the clock was put back", async () => {
  const { clock, store, petstore } = await open();
  clock.set(START - 2 * DAY_MS);
  const counter = { name: "of old", state: "[]", endsAt: START - 3 * DAY_MS };
  await store.commit([{ kind: "counters.save", counters: [counter], lastUsed: [] }]);
  clock.advance(MINUTE_MS + SECOND_MS);
  await petstore.jobs.tick();
  expect(await store.counters.live(0)).toEqual([]);
});
