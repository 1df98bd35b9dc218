import { expect, test } from "bun:test";
import { createPetstore, StoreUnavailable } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../../testing/clock.ts";
import { api } from "../../helpers/api.ts";
import { must } from "../../helpers/outcome.ts";

/** Returns a key whose next requests are violations: it was refused more than two seconds ago. */
async function refusedKey(store: Store) {
  const clock = manualClock(1_795_000_000_000);
  const petstore = createPetstore({ store, clock });
  const account = must(await petstore.client.accounts.create({ name: "Shelter" }));
  const issued = must(await petstore.client.keys.create({ accountId: account.id }));
  const { get } = api({ fetch: petstore.fetch, key: issued.token });
  for (let count = 0; count <= 60; count++) await get("/v1/pets");
  clock.advance(2_001);
  return { petstore, get };
}

test("a flood of refused requests bans its key once", async () => {
  const { petstore, get } = await refusedKey(memoryStore());
  // All are refused before the ban is on disk.
  await Promise.all(Array.from({ length: 200 }, () => get("/v1/pets")));
  const events = await petstore.events.after(0, 1_000);
  expect(events.filter(({ type }) => type === "key.banned")).toHaveLength(1);
  expect((await get("/v1/pets")).body).toMatchObject({ code: "key_banned" });
});

test("a ban that cannot be stored does not change the refusal", async () => {
  const store = memoryStore();
  const full: Store = {
    ...store,
    commit: async (changes, actor) => {
      if (changes.some(({ kind }) => kind === "key.ban")) throw new StoreUnavailable("Full.");
      return store.commit(changes, actor);
    },
  };
  const { get } = await refusedKey(full);
  for (let count = 0; count <= 20; count++) {
    expect((await get("/v1/pets")).body).toMatchObject({ code: "rate_limited" });
  }
});
