import { DAY_MS } from "../../base/clock.ts";
import { ENDED_KEYS_KEPT_MS, type ApiKey } from "../../model/api-key.ts";
import type { Change } from "../../storage/change.ts";
import { equal } from "../assert.ts";
import { aKey, openShelter, START, type Shelter } from "../shelter.ts";
import type { StoreCase } from "./case.ts";

const full = { index: 0, refusal: "limit" } as const;

const create = (
  { account, production }: Shelter,
  id: string,
  { max = 2, ...more }: Partial<ApiKey> & { readonly max?: number } = {},
): Change => ({ kind: "key.create", key: { ...aKey(id, account, production), ...more }, max });

const rotate = (
  { account, production }: Shelter,
  keyId: string,
  { max = 2, endsAt = START + 10, at = START } = {},
): Change => {
  const successor = { ...aKey(`${keyId}+`, account, production), createdAt: at };
  return { kind: "key.rotate", keyId, endsAt, successor, max, at };
};

const purge = (now: number, limit = 100): Change => ({
  kind: "purge",
  now,
  deletedBefore: 0,
  eventsBefore: 0,
  limit,
});

async function idsOf({ store, account }: Shelter): Promise<readonly string[]> {
  return (await store.keys.ofAccount(account.id)).map(({ id }) => id).toSorted();
}

/** Promises about how many API keys there can be. */
export const keyBoundCases: readonly StoreCase[] = [
  {
    name: "a catalogue has no more working keys than allowed; those that ended do not count",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { account, staging, commit, refusal } = shelter;
      await commit(
        create(shelter, "revoked", { revokedAt: START }),
        create(shelter, "expired", { expiresAt: START }),
        create(shelter, "a", { expiresAt: START + 1 }),
        create(shelter, "b"),
      );
      equal(await refusal(create(shelter, "c")), full, "one more");
      const other = { ...aKey("s", account, staging), environment: "staging" } as const;
      await commit({ kind: "key.create", key: other, max: 1 });
      await commit({ kind: "key.revoke", keyId: "b", at: START });
      await commit(create(shelter, "c"));
      await commit(create(shelter, "d", { createdAt: START + 1 }));
      equal(await refusal(create(shelter, "e", { createdAt: START + 1 })), full, "in the end");
    },
  },
  {
    name: "of keys made at the same time none goes beyond the bound",
    run: async (open) => {
      const shelter = await openShelter(open);
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          shelter.store.commit([create(shelter, `key${index}`, { max: 7 })]),
        ),
      );
      equal(made.filter(({ ok }) => ok).length, 7, "made");
      equal((await idsOf(shelter)).length, 7, "there");
    },
  },
  {
    name: "a working key can be rotated where there is no room, an expired one cannot",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { commit, refusal } = shelter;
      await commit(
        create(shelter, "old", { expiresAt: START }),
        create(shelter, "a"),
        create(shelter, "b"),
      );
      await commit(rotate(shelter, "a"));
      equal(await refusal(create(shelter, "c")), full, "the successor counts");
      equal(await refusal(rotate(shelter, "old")), full, "an expired one");
      await commit({ kind: "key.revoke", keyId: "a+", at: START });
      await commit(rotate(shelter, "old"));
    },
  },
  {
    name: "rotated keys that still work have a bound of their own, which one that ends at once is not held to",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { commit, refusal, store } = shelter;
      await commit(create(shelter, "a"), create(shelter, "b"));
      await commit(rotate(shelter, "a"));
      await commit(rotate(shelter, "b"));
      equal(await refusal(rotate(shelter, "a+")), full, "a third");
      equal((await store.keys.byId("a+"))?.replacedBy, undefined, "what was refused");
      await commit(rotate(shelter, "a+", { endsAt: START }));
      await commit(rotate(shelter, "b+", { endsAt: START + 20, at: START + 10 }));
    },
  },
  {
    name: "with a new key the oldest of those that ended go, and other processes are told",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, commit } = shelter;
      await commit(
        create(shelter, "a", { revokedAt: START + 3 }),
        create(shelter, "b", { expiresAt: START + 1, revokedAt: START + 9 }),
        create(shelter, "c", { expiresAt: START + 2 }),
        create(shelter, "d", { expiresAt: START + 50 }),
      );
      const noticed = await store.feed.last();
      await commit(create(shelter, "e", { createdAt: START + 10 }));
      equal(await idsOf(shelter), ["a", "c", "d", "e"], "keys");
      const notices = await store.feed.after(noticed, 9);
      equal(
        notices.map(({ topic, subject }) => `${topic} ${subject}`).toSorted(),
        ["key b", "key e"],
        "notices",
      );
    },
  },
  {
    name: "keys that ended long ago are purged by slices, and what they asked for is still told",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, account, commit } = shelter;
      await commit(
        create(shelter, "revoked", { revokedAt: START, max: 9 }),
        create(shelter, "expired", { expiresAt: START + 1, revokedAt: START + DAY_MS, max: 9 }),
        create(shelter, "later", { expiresAt: START + DAY_MS, max: 9 }),
        create(shelter, "good", { max: 9 }),
      );
      const counts = { requests: 1, limited: 0, refused: 0, failed: 0 };
      const asked = { keyId: "revoked", environment: "production", operation: "listPets" } as const;
      const usage = { ...asked, ...counts, accountId: account.id, at: START };
      await commit({ kind: "usage.add", rows: [usage] });
      const over = START + ENDED_KEYS_KEPT_MS;
      const noticed = await store.feed.last();
      // The minute is over by then: one row of usage.
      equal(await commit(purge(over)), [1], "too early");
      equal(await commit(purge(over + 2, 1)), [1], "a slice");
      equal(await commit(purge(over + 2)), [1], "the rest");
      equal(await commit(purge(over + 2)), [0], "nothing more");
      equal(await idsOf(shelter), ["good", "later"], "keys");
      equal((await store.feed.after(noticed, 9)).length, 2, "notices");
      const range = { accountId: account.id, by: "day", from: 0, to: over } as const;
      equal((await store.usage.read(range, 9)).length, 1, "usage");
    },
  },
];
