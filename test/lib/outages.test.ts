import { expect, test } from "bun:test";

import { silentLog } from "../../lib/base/log.ts";
import type { LogFields } from "../../lib/base/log.ts";
import { createPetstore, StoreUnavailable, type Store } from "../../lib/index.ts";
import { logFailure } from "../../lib/storage/log-failure.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { api } from "../helpers/api.ts";
import { openOffice, realProjects } from "../helpers/management.ts";
import { must } from "../helpers/outcome.ts";

/** Returns the logged error lines with their fields. */
function lines() {
  const written: (readonly [string, LogFields | undefined])[] = [];
  const log = {
    ...silentLog,
    error: (message: string, _error: unknown, fields?: LogFields) =>
      void written.push([message, fields]),
  };
  return { log, written };
}

/** Returns a store whose disk can be made full. */
function fillable(store: Store) {
  const disk = { full: false };
  const commit: Store["commit"] = async (changes, actor) => {
    if (disk.full) throw new StoreUnavailable("The database has no space left on its disk.");
    return store.commit(changes, actor);
  };
  return { disk, store: { ...store, commit } };
}

test("a full disk is logged once a second, whichever part meets it", async () => {
  const { log, written } = lines();
  const clock = manualClock(1_800_000_000_000);
  const { disk, store } = fillable(memoryStore());
  const limits = { countBy: "key" } as const;
  const parts = (["production", "staging"] as const).map((environment) =>
    createPetstore({ store, environment, clock, log, ...limits }),
  );
  const account = await parts[0]?.client.accounts.create({
    name: "A",
    plan: "enterprise",
    limits: { perMinute: 10_000, perDay: 10_000 },
  });
  if (account?.ok !== true) throw new Error("no account");
  const shops = await Promise.all(
    parts.map(async (part, index) => {
      const environment = index === 0 ? "production" : "staging";
      const key = must(await part.client.keys.create({ accountId: account.value.id, environment }));
      const fetch = async (request: Request) => part.fetch(request);
      return api({ fetch, base: "http://petstore.test", key: key.token });
    }),
  );
  disk.full = true;
  for (let second = 0; second < 3; second++) {
    for (let round = 0; round < 20; round++) {
      for (const shop of shops) {
        const refused = await shop.post("/v1/pets", { name: "Rex", categoryId: 1 });
        expect(refused.status).toBe(503);
      }
    }
    await clock.advance(1_000);
  }
  expect(written.map(([message]) => message)).toEqual(Array(3).fill("the store is unavailable"));
  expect(written.map(([, fields]) => fields?.["suppressed"])).toEqual([undefined, 39, 39]);
  expect(written[0]?.[1]).toMatchObject({ operation: "createPet" });
  expect(written[0]?.[1]?.["requestId"]).toBeString();
});

test("the management API shares that line, and other failures are logged individually", async () => {
  const { log, written } = lines();
  const failure = { now: undefined as Error | undefined };
  const office = await openOffice({
    log,
    projects: realProjects,
    store: (store) => ({
      ...store,
      commit: async (changes, actor) => {
        if (failure.now !== undefined) throw failure.now;
        return store.commit(changes, actor);
      },
    }),
  });
  const operator = office.as("operator");
  const create = () => operator.post("/manage/v1/accounts", { name: "B" });
  failure.now = new StoreUnavailable("The database has no space left on its disk.");
  for (let round = 0; round < 5; round++) expect((await create()).status).toBe(503);
  expect(written.map(([message]) => message)).toEqual(["the store is unavailable"]);
  failure.now = new Error("a defect");
  for (let round = 0; round < 2; round++) expect((await create()).status).toBe(500);
  expect(written.slice(1).map(([message]) => message)).toEqual([
    "a request failed",
    "a request failed",
  ]);
});

test("setting the clock back does not silence the log", async () => {
  const { log, written } = lines();
  const error = new StoreUnavailable("full");
  for (const now of [10_000, 10_999, 11_000, 3_000, 3_500]) logFailure(log, "x", error, { now });
  expect(written.map(([, fields]) => fields)).toEqual([{}, { suppressed: 1 }, {}]);
});
