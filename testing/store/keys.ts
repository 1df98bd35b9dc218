import { system } from "../../lib/model/actor.ts";
import { isoTime, DAY_MS } from "../../lib/base/clock.ts";
import { type ApiKey, ENDED_KEYS_KEPT_MS } from "../../lib/model/api-key.ts";
import type { Change } from "../../lib/storage/change.ts";
import { equal } from "../contract-case.ts";
import {
  addShelter,
  aKey,
  must,
  storeCases,
  type StoreCase,
  START,
  type Shelter,
} from "../shelter.ts";

async function withKey(shelter: Shelter, more: Partial<ApiKey> = {}): Promise<ApiKey> {
  const key: ApiKey = { ...aKey("key1", shelter.account, shelter.production), ...more };
  await shelter.commit({ kind: "key.create", key, max: MAX });
  return key;
}

/** More than these tests need. */
const MAX = 9;

const missing = { index: 0, refusal: "missing" } as const;

/** API keys. */
export const keyCases: readonly StoreCase[] = storeCases({
  "a created key is found, and its event omits the hash": async (shelter) => {
    const key = await withKey(shelter, { expiresAt: START + 9 });
    equal(await shelter.store.keys.byId("key1"), key, "key");
    equal(await shelter.store.keys.byId("key2"), undefined, "unknown key");
    const [event] = await shelter.store.events.after(shelter.createdSeq, 10);
    equal(
      event,
      {
        seq: event?.seq ?? 0,
        type: "key.created",
        accountId: key.accountId,
        catalogueId: key.catalogueId,
        at: START,
        actor: { kind: "system" },
        data: { keyId: "key1", name: "Key key1", environment: "production" },
      },
      "event",
    );
  },

  "a key requires a catalogue of its account and a new id": async (shelter) => {
    const { refusal, staging, account } = shelter;
    const other = await addShelter(shelter.store, "acc_two");
    const key = await withKey(shelter);
    equal(
      await refusal({ kind: "key.create", key, max: MAX }),
      { index: 0, refusal: "exists" },
      "twice",
    );
    const wrong = [other.production, staging, 999].map((id) => aKey("key2", account, id));
    for (const lost of wrong) {
      equal(
        await refusal({ kind: "key.create", key: lost, max: MAX }),
        missing,
        `in ${lost.catalogueId}`,
      );
    }
  },

  "keys of an account are listed newest first": async (shelter) => {
    await withKey(shelter, { id: "a", createdAt: START + 1 });
    await withKey(shelter, { id: "b", createdAt: START + 3, revokedAt: START + 4 });
    await withKey(shelter, { id: "c", createdAt: START + 2 });
    const keys = await shelter.store.keys.ofAccount(shelter.account.id);
    equal(
      keys.map(({ id }) => id),
      ["b", "c", "a"],
      "ids",
    );
    equal(await shelter.store.keys.ofAccount("acc_none"), [], "of an unknown account");
  },

  "a rotated key expires at the given instant or earlier, and names its successor": async (
    shelter,
  ) => {
    const { store, commit, refusal, account, production } = shelter;
    await withKey(shelter, { id: "a" });
    await withKey(shelter, { id: "b", expiresAt: START + 5 });
    const start = await store.feed.last();
    const endsAt = START + 10;
    for (const keyId of ["a", "b"]) {
      const successor = aKey(`${keyId}2`, account, production);
      await commit({ kind: "key.rotate", keyId, endsAt, successor, max: MAX, at: START });
      equal(await store.keys.byId(successor.id), successor, "successor");
      equal((await store.keys.byId(keyId))?.replacedBy, successor.id, "replacedBy");
    }
    equal((await store.keys.byId("a"))?.expiresAt, endsAt, "without an end");
    equal((await store.keys.byId("b"))?.expiresAt, START + 5, "with an end before");
    const subjects = (await store.feed.after(start, 10)).map(({ subject }) => subject);
    equal(subjects.includes("a") && subjects.includes("b"), true, "notices");
    await withKey(shelter, { id: "c" });
    await commit({ kind: "key.revoke", keyId: "c", at: START });
    // "a" has a successor already.
    for (const keyId of ["a", "c", "nobody"]) {
      const successor = aKey("late", account, production);
      equal(
        await refusal({ kind: "key.rotate", keyId, endsAt, successor, max: MAX, at: START }),
        missing,
        keyId,
      );
    }
  },

  "renaming a key writes one event": async (shelter) => {
    const { store, commit, refusal } = shelter;
    const key = await withKey(shelter);
    const start = await store.events.last();
    const rename = { kind: "key.rename", keyId: "key1", name: "Website", at: START + 1 } as const;
    await commit(rename);
    equal(await store.keys.byId("key1"), { ...key, name: "Website" }, "key");
    const [event] = await store.events.after(start, 10);
    equal(event?.type, "key.updated", "event");
    equal(event?.data["name"], "Website", "name in the event");
    const before = [await store.events.last(), await store.feed.last()];
    await commit({ ...rename, at: START + 2 });
    equal([await store.events.last(), await store.feed.last()], before, "one event");
    equal(await refusal({ ...rename, keyId: "nobody" }), missing, "unknown");
  },

  "a second revocation changes nothing": async (shelter) => {
    const { store, commit, refusal } = shelter;
    await withKey(shelter);
    await commit({ kind: "key.revoke", keyId: "key1", at: START + 1 });
    const before = [await store.events.last(), await store.feed.last()];
    await commit({ kind: "key.revoke", keyId: "key1", at: START + 2 });
    equal((await store.keys.byId("key1"))?.revokedAt, START + 1, "revokedAt");
    equal([await store.events.last(), await store.feed.last()], before, "one event");
    equal(await refusal({ kind: "key.revoke", keyId: "nobody", at: START }), missing, "unknown");
  },

  "a ban is stored, and lifting it keeps its level": async (shelter) => {
    const { store, commit, refusal } = shelter;
    await withKey(shelter);
    const start = await store.events.last();
    const ban = { until: START + 60_000, level: 2, bannedAt: START };
    await commit({ kind: "key.ban", keyId: "key1", ban, from: undefined, at: START });
    equal((await store.keys.byId("key1"))?.ban, ban, "ban");
    // Another process read the key before it was banned.
    const late = { kind: "key.ban", keyId: "key1", ban, from: undefined, at: START } as const;
    equal(await refusal(late), { index: 0, refusal: "stale" }, "banned at the same time");
    await commit({ kind: "key.unban", keyId: "key1", at: START + 5 });
    const lifted = must((await store.keys.byId("key1"))?.ban, "The ban is remembered.");
    equal(lifted, { ...ban, liftedAt: START + 5 }, "lifted");
    await commit({ kind: "key.unban", keyId: "key1", at: START + 6 });
    equal((await store.keys.byId("key1"))?.ban, lifted, "a second time");
    const events = await store.events.after(start, 10);
    equal(
      events.map(({ type }) => type),
      ["key.banned", "key.unbanned"],
      "events",
    );
    equal(
      events[0]?.data,
      {
        keyId: "key1",
        name: "Key key1",
        environment: "production",
        level: 2,
        until: isoTime(ban.until),
      },
      "data",
    );
    equal(await refusal({ ...late, keyId: "nobody" }), missing, "ban");
    const again = { ...ban, level: 3, bannedAt: START + 7 };
    await commit({ kind: "key.ban", keyId: "key1", ban: again, from: lifted, at: START + 7 });
    equal((await store.keys.byId("key1"))?.ban, again, "the next ban");
    equal(await refusal({ kind: "key.unban", keyId: "nobody", at: START }), missing, "unban");
  },
});

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
  adoptersBefore: 0,
  eventsBefore: 0,
  limit,
});

async function idsOf({ store, account }: Shelter): Promise<readonly string[]> {
  return (await store.keys.ofAccount(account.id)).map(({ id }) => id).toSorted();
}

/** Limits on the number of API keys. */
export const keyBoundCases: readonly StoreCase[] = storeCases({
  "a catalogue has a limited number of active keys": async (shelter) => {
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

  "keys created at the same time do not exceed the limit": async (shelter) => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        shelter.store.commit([create(shelter, `key${index}`, { max: 7 })], system),
      ),
    );
    equal(made.filter(({ ok }) => ok).length, 7, "made");
    equal((await idsOf(shelter)).length, 7, "there");
  },

  "an active key can be rotated at the limit, an expired one cannot": async (shelter) => {
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

  "rotated keys that still work have their own limit, which keys that end at once do not reach":
    async (shelter) => {
      const { commit, refusal, store } = shelter;
      await commit(create(shelter, "a"), create(shelter, "b"));
      await commit(rotate(shelter, "a"));
      await commit(rotate(shelter, "b"));
      equal(await refusal(rotate(shelter, "a+")), full, "a third");
      equal((await store.keys.byId("a+"))?.replacedBy, undefined, "after a refused rotation");
      await commit(rotate(shelter, "a+", { endsAt: START }));
      await commit(rotate(shelter, "b+", { endsAt: START + 20, at: START + 10 }));
    },

  "a new key removes the oldest inactive ones and writes notices": async (shelter) => {
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

  "keys inactive for long are purged in batches, and their usage stays": async (shelter) => {
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
    // The minute row is purged by then, which leaves one row of usage.
    equal(await commit(purge(over)), [1], "too early");
    equal(await commit(purge(over + 2, 1)), [1], "a batch");
    equal(await commit(purge(over + 2)), [1], "the rest");
    equal(await commit(purge(over + 2)), [0], "nothing more");
    equal(await idsOf(shelter), ["good", "later"], "keys");
    equal((await store.feed.after(noticed, 9)).length, 2, "notices");
    const range = { accountId: account.id, by: "day", from: 0, to: over } as const;
    equal((await store.usage.read(range, 9)).length, 1, "usage");
  },
});
