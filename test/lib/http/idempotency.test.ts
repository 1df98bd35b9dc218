import { expect, test } from "bun:test";
import { createPetstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../../testing/clock.ts";
import { api, type Api } from "../../helpers/api.ts";
import { must } from "../../helpers/outcome.ts";

const encryptionKey = new Uint8Array(32).fill(7);

/** Two processes over one store. The second looks for recorded responses before the first writes its own. */
async function twoAtOnce(): Promise<readonly [Api, Api]> {
  const store = memoryStore();
  let looks = 0;
  const late: Store = {
    ...store,
    answers: { find: (id) => (looks++ === 0 ? undefined : store.answers.find(id)) },
  };
  const clock = manualClock(1_795_000_000_000);
  const [first, second] = [
    createPetstore({ store, clock, encryptionKey }),
    createPetstore({ store: late, clock, encryptionKey }),
  ];
  const issued = must(await first.client.keys.create({}));
  const key = issued.token;
  return [api({ fetch: first.fetch, key }), api({ fetch: second.fetch, key })];
}

const headers = { "idempotency-key": "once" };

test("if another process runs the same creation first, its response is replayed", async () => {
  const [first, second] = await twoAtOnce();
  const made = await first.post("/v1/categories", { name: "Birds" }, { headers });
  const again = await second.post("/v1/categories", { name: "Birds" }, { headers });
  expect([again.status, again.text]).toEqual([201, made.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("if another process runs the same change first, its response is replayed", async () => {
  const [first, second] = await twoAtOnce();
  const pet = await first.post("/v1/pets", { name: "Rex", categoryId: 1 });
  const condition = { headers: { ...headers, "if-match": pet.headers.get("etag") ?? "" } };
  const changed = await first.patch("/v1/pets/1", { name: "Max" }, condition);
  const again = await second.patch("/v1/pets/1", { name: "Max" }, condition);
  expect([again.status, again.text]).toEqual([200, changed.text]);
});
