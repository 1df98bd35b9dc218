import type { ApiKey } from "../../model/api-key.ts";
import { isoTime } from "../../base/clock.ts";
import { equal } from "../assert.ts";
import { addShelter, aKey, must, openShelter, START, type Shelter } from "../shelter.ts";
import type { StoreCase } from "./case.ts";

async function withKey(shelter: Shelter, more: Partial<ApiKey> = {}): Promise<ApiKey> {
  const key: ApiKey = { ...aKey("key1", shelter.account, shelter.production), ...more };
  await shelter.commit({ kind: "key.create", key, max: MAX });
  return key;
}

/** More than these stories need. */
const MAX = 9;

const missing = { index: 0, refusal: "missing" } as const;

/** Promises about API keys. */
export const keyCases: readonly StoreCase[] = [
  {
    name: "a key is found as it was made, and an event tells of it without its hash",
    run: async (open) => {
      const shelter = await openShelter(open);
      const key = await withKey(shelter, { expiresAt: START + 9 });
      equal(await shelter.store.keys.byId("key1"), key, "key");
      equal(await shelter.store.keys.byId("key2"), undefined, "unknown key");
      const [event] = await shelter.store.events.after(shelter.born, 10);
      equal(
        event,
        {
          seq: event?.seq ?? 0,
          type: "key.created",
          accountId: key.accountId,
          catalogueId: key.catalogueId,
          at: START,
          data: { keyId: "key1", name: "Key key1", environment: "production" },
        },
        "event",
      );
    },
  },
  {
    name: "a key needs its own account's catalogue and a new id",
    run: async (open) => {
      const shelter = await openShelter(open);
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
  },
  {
    name: "keys of an account are listed newest first",
    run: async (open) => {
      const shelter = await openShelter(open);
      await withKey(shelter, { id: "a", createdAt: START + 1 });
      await withKey(shelter, { id: "b", createdAt: START + 3, revokedAt: START + 4 });
      await withKey(shelter, { id: "c", createdAt: START + 2 });
      const keys = await shelter.store.keys.ofAccount(shelter.account.id);
      equal(
        keys.map(({ id }) => id),
        ["b", "c", "a"],
        "ids",
      );
      equal(await shelter.store.keys.ofAccount("acc_none"), [], "of nobody");
    },
  },
  {
    name: "a rotated key ends at the given instant or before, and names its successor",
    run: async (open) => {
      const shelter = await openShelter(open);
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
      // "a" has its successor.
      for (const keyId of ["a", "c", "nobody"]) {
        const successor = aKey("late", account, production);
        equal(
          await refusal({ kind: "key.rotate", keyId, endsAt, successor, max: MAX, at: START }),
          missing,
          keyId,
        );
      }
    },
  },
  {
    name: "a key is renamed, and told of once",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, commit, refusal } = shelter;
      const key = await withKey(shelter);
      const start = await store.events.last();
      const rename = { kind: "key.rename", keyId: "key1", name: "Website", at: START + 1 } as const;
      await commit(rename);
      equal(await store.keys.byId("key1"), { ...key, name: "Website" }, "key");
      const [event] = await store.events.after(start, 10);
      equal(event?.type, "key.updated", "event");
      equal(event?.data["name"], "Website", "name in the event");
      const told = [await store.events.last(), await store.feed.last()];
      await commit({ ...rename, at: START + 2 });
      equal([await store.events.last(), await store.feed.last()], told, "told once");
      equal(await refusal({ ...rename, keyId: "nobody" }), missing, "unknown");
    },
  },
  {
    name: "revoking a second time changes nothing",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, commit, refusal } = shelter;
      await withKey(shelter);
      await commit({ kind: "key.revoke", keyId: "key1", at: START + 1 });
      const told = [await store.events.last(), await store.feed.last()];
      await commit({ kind: "key.revoke", keyId: "key1", at: START + 2 });
      equal((await store.keys.byId("key1"))?.revokedAt, START + 1, "revokedAt");
      equal([await store.events.last(), await store.feed.last()], told, "told once");
      equal(await refusal({ kind: "key.revoke", keyId: "nobody", at: START }), missing, "unknown");
    },
  },
  {
    name: "a ban is remembered, and lifting it keeps its level",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, commit, refusal } = shelter;
      await withKey(shelter);
      const start = await store.events.last();
      const ban = { until: START + 60_000, level: 2, bannedAt: START };
      await commit({ kind: "key.ban", keyId: "key1", ban, at: START });
      equal((await store.keys.byId("key1"))?.ban, ban, "ban");
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
      equal(await refusal({ kind: "key.ban", keyId: "nobody", ban, at: START }), missing, "ban");
      equal(await refusal({ kind: "key.unban", keyId: "nobody", at: START }), missing, "unban");
    },
  },
];
