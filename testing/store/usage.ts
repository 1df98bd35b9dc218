import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { usageKeptMs, type CountedUsage, type UsageQuery } from "../../lib/model/usage.ts";
import type { Change } from "../../lib/storage/change.ts";
import { equal } from "../contract-case.ts";
import { addShelter, aKey, storeCases, type StoreCase, START, type Shelter } from "../shelter.ts";

const ALL = 1_000;

const row = (shelter: Shelter, more: Partial<CountedUsage> = {}): CountedUsage => ({
  accountId: shelter.account.id,
  keyId: "key1",
  environment: "production",
  operation: "listPets",
  at: START,
  requests: 1,
  limited: 0,
  refused: 0,
  failed: 0,
  ...more,
});

const add = (...rows: readonly CountedUsage[]): Change => ({ kind: "usage.add", rows });

const within = (shelter: Shelter, more: Partial<UsageQuery> = {}): UsageQuery => ({
  accountId: shelter.account.id,
  by: "minute",
  from: START,
  to: START + 2 * DAY_MS,
  ...more,
});

const purge = (now: number, limit = 100): Change => ({
  kind: "purge",
  now,
  deletedBefore: 0,
  adoptersBefore: 0,
  eventsBefore: 0,
  limit,
});

async function withKeys(shelter: Shelter, ...ids: readonly string[]): Promise<Shelter> {
  for (const id of ids) {
    await shelter.commit({
      kind: "key.create",
      key: aKey(id, shelter.account, shelter.production),
      max: 9,
    });
  }
  return shelter;
}

/** Usage. */
export const usageCases: readonly StoreCase[] = storeCases({
  "usage adds up by minute and by day": async (fresh) => {
    const shelter = await withKeys(fresh, "key1");
    const { store, commit } = shelter;
    const before = [await store.events.last(), await store.feed.last()];
    const counts = { requests: 7, limited: 1, refused: 2, failed: 3 };
    await commit(add(row(shelter, counts)), add(row(shelter, counts)));
    await commit(add(row(shelter, counts), row(shelter, { at: START + MINUTE_MS })));
    const { accountId: _accountId, ...one } = row(shelter);
    const three = { requests: 21, limited: 3, refused: 6, failed: 9 };
    const minutes = [
      { ...one, ...three },
      { ...one, at: START + MINUTE_MS },
    ];
    equal(await store.usage.read(within(shelter), ALL), minutes, "minutes");
    equal(
      await store.usage.read(within(shelter, { by: "day" }), ALL),
      [{ ...one, ...three, requests: 22 }],
      "days",
    );
    equal([await store.events.last(), await store.feed.last()], before, "no events");
  },

  "usage is read by start, key and operation, up to a limit": async (fresh) => {
    const shelter = await withKeys(fresh, "key1", "key2");
    const { store, commit } = shelter;
    const rows = [
      row(shelter, { at: START + MINUTE_MS }),
      row(shelter, { keyId: "key2", operation: "addPet" }),
      row(shelter, { operation: "updatePet" }),
      row(shelter, { operation: "addPet" }),
    ];
    await commit(add(...rows));
    const read = async (limit: number, more?: Partial<UsageQuery>): Promise<readonly unknown[]> =>
      (await store.usage.read(within(shelter, more), limit)).map(({ at, keyId, operation }) => [
        at - START,
        keyId,
        operation,
      ]);
    const expected = [
      [0, "key1", "addPet"],
      [0, "key1", "updatePet"],
      [0, "key2", "addPet"],
      [MINUTE_MS, "key1", "listPets"],
    ];
    equal(await read(ALL), expected, "all");
    equal(await read(2), expected.slice(0, 2), "two");
    equal(await read(ALL, { keyId: "key2" }), expected.slice(2, 3), "of one key");
    equal(await read(ALL, { to: START + MINUTE_MS }), expected.slice(0, 3), "before the end");
    equal(await read(ALL, { from: START + 1 }), expected.slice(3), "from the start");
  },

  "usage is separate by environment and account": async (fresh) => {
    const one = await withKeys(fresh, "key1");
    const two = await withKeys(await addShelter(one.store, "acc_two"), "key2");
    await one.commit(
      add(row(one), row(one, { environment: "staging", operation: "addPet" })),
      add(row(two, { keyId: "key2" })),
    );
    const count = async (query: UsageQuery): Promise<number> =>
      (await one.store.usage.read(query, ALL)).length;
    equal(await count(within(one)), 2, "both environments");
    equal(await count(within(one, { environment: "staging" })), 1, "staging");
    equal(await count(within(two, { environment: "staging" })), 0, "the other's staging");
    equal(await count(within(two, { keyId: "key1" })), 0, "another's key");
  },

  "old usage is purged in batches, minutes sooner than days": async (fresh) => {
    const shelter = await withKeys(fresh, "key1");
    const { store, commit } = shelter;
    for (let hour = 0; hour < 3; hour++) {
      await commit(add(row(shelter, { at: START + hour * HOUR_MS })));
    }
    const afterTwoDays = START + usageKeptMs.minute;
    equal(await commit(purge(afterTwoDays)), [0], "too early");
    equal(await commit(purge(afterTwoDays + HOUR_MS + 1, 1)), [1], "a batch");
    equal(await commit(purge(afterTwoDays + HOUR_MS + 1)), [1], "the rest");
    equal((await store.usage.read(within(shelter), ALL)).length, 1, "minutes");
    const days = (): Promise<number> =>
      Promise.resolve(store.usage.read(within(shelter, { by: "day" }), ALL)).then(
        ({ length }) => length,
      );
    equal(await days(), 1, "days");
    await commit(purge(START + usageKeptMs.day + 1));
    equal(await days(), 0, "days in the end");
  },

  "a deleted account loses its usage and records none": async (fresh) => {
    const one = await withKeys(fresh, "key1");
    const { store, commit, account } = one;
    await commit(add(row(one)));
    await commit({ kind: "account.delete", accountId: account.id, at: START });
    await commit(add(row(one, { operation: "addPet" })));
    const again = await withKeys(await addShelter(store, account.id), "key3");
    await commit(add(row(again, { keyId: "key3" })));
    for (let slice = 0; slice < 30; slice++) {
      if ((await commit(purge(START, 1)))[0] === 0) break;
    }
    for (const by of ["minute", "day"] as const) {
      const left = await store.usage.read(within(again, { by }), ALL);
      equal(
        left.map(({ keyId }) => keyId),
        ["key3"],
        by,
      );
    }
  },
});
