import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { manualClock } from "../../../testing/clock.ts";
import type { OrderFilter, PetFilter } from "../../../lib/catalogue/model.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { addShelter, aKey, START, newPet } from "../../../testing/shelter.ts";
import { plannedDatabase, wasteful } from "../../helpers/planned.ts";

/** Returns a store and the query plans of its statements. */
async function planned(): Promise<{
  readonly store: Store;
  readonly plans: () => readonly string[];
}> {
  const { database, plans } = plannedDatabase();
  const clock = manualClock(0);
  return { store: await sqlStore({ sql: sqliteSql({ database, clock }), clock }), plans };
}

const petFilters: readonly PetFilter[] = [
  {},
  { status: "available" },
  { categoryId: 2 },
  { categoryId: 2, status: "sold" },
  { ids: [1, 2, 3] },
  { ids: [1], status: "sold" },
  { ids: [1, 2], categoryId: 2 },
  { ids: [1, 2], categoryId: 2, status: "sold" },
  { name: "rex" },
  { name: "rex", status: "sold" },
  { name: "rex", categoryId: 2, status: "sold" },
  { name: "rex", ids: [1, 2] },
  { profile: { sex: "female", goodWith: ["dogs"], bornFrom: "2020-01-01", words: "rex" } },
  { profile: { size: "small", bornUntil: "2020-01-01" }, status: "sold", categoryId: 2 },
];
const orderFilters: readonly OrderFilter[] = [
  {},
  { petId: 3 },
  { status: "placed" },
  { petId: 3, status: "placed" },
];
const pages = [
  { limit: 20, order: "asc" },
  { limit: 20, order: "desc" },
  { limit: 20, order: "asc", after: 40 },
  { limit: 20, order: "desc", after: 40 },
] as const;

describe("SQLite", () => {
  test("reads every page of a list by an index, without scanning or sorting", async () => {
    const { store, plans } = await planned();
    plans();
    for (const page of pages) {
      for (const filter of petFilters) await store.pets.list(1, filter, page);
      for (const filter of orderFilters) await store.orders.list(1, filter, page);
      await store.categories.list(1, page);
      await store.pets.deleted(1, START, page);
    }
    await store.photos.bytes("acc_one");
    const found = plans();
    expect(found.length).toBeGreaterThanOrEqual(pages.length * 18);
    expect(wasteful(found)).toEqual([]);
    await store.close();
  });

  test("finds the animals of a list one by one, however long the list is", async () => {
    const { store, plans } = await planned();
    plans();
    for (const ids of [[1], [1, 2]]) {
      await store.profiles.of(1, ids);
      await store.photos.of(1, ids);
      await store.profiles.byExternalIds(1, "asm3", ids.map(String));
      await store.pets.list(1, { ids, profile: { sex: "female" } }, pages[0]);
    }
    expect(wasteful(plans())).toEqual([]);
    await store.close();
  });

  test("reads only the returned rows of a page by category and status", async () => {
    const { store, plans } = await planned();
    plans();
    await store.pets.list(1, { categoryId: 2, status: "sold" }, pages[3]);
    await store.pets.list(1, { categoryId: 2 }, pages[3]);
    await store.pets.list(1, { status: "sold" }, pages[3]);
    const [both, category, status] = plans();
    expect(both).toContain(
      "pets_by_category_and_status (catalogue_id=? AND category_id=? AND status=? AND id<?)",
    );
    expect(category).toContain("pets_by_category (catalogue_id=? AND category_id=? AND id<?)");
    expect(status).toContain("pets_by_status (catalogue_id=? AND status=? AND id<?)");
    await store.close();
  });

  test("compares profiles in one index, without reading their rows", async () => {
    const { store, plans } = await planned();
    plans();
    await store.pets.list(1, { profile: { sex: "female", goodWith: ["dogs"] } }, pages[3]);
    await store.pets.list(1, { profile: { words: "rex", bornFrom: "2020-01-01" } }, pages[3]);
    const compared = plans().filter((plan) => /^\w+ profiles /.test(plan));
    expect(compared.length).toBe(3);
    for (const plan of compared) {
      expect(plan).toMatch(
        /USING COVERING INDEX profiles_by_filters \(catalogue_id=\? AND pet_id[=<]\?/,
      );
    }
    await store.close();
  });

  test("reads only the given ids of a page by ids", async () => {
    const { store, plans } = await planned();
    plans();
    for (const filter of petFilters) {
      if (filter.ids !== undefined) await store.pets.list(1, filter, pages[3]);
    }
    for (const plan of plans()) expect(plan).toMatch(/PRIMARY KEY \(catalogue_id=\? AND id=\?\)/);
    await store.close();
  });

  test("finds names without a searchable form without reading the animals", async () => {
    const { store, plans } = await planned();
    const [look] = plans().filter((plan) => plan.includes("folded_name IS NULL"));
    expect(look).toMatch(/USING (COVERING )?INDEX pets_unfolded/);
    await store.close();
  });

  test("finds out whether a category is in use by an index, without scanning the animals", async () => {
    const { store, plans } = await planned();
    const { production, commit, category } = await addShelter(store, "acc_one");
    const from = await category(3);
    plans();
    await commit({ kind: "category.delete", catalogueId: production, from, at: START });
    const looks = plans().filter((plan) => /SEARCH (deleted_)?pets/.test(plan));
    expect(looks).toHaveLength(2);
    for (const look of looks) expect(look).toContain("category_id=?");
    await store.close();
  });

  test("reads single rows, events and the feed by an index, without scanning or sorting", async () => {
    const { store, plans } = await planned();
    plans();
    await store.accounts.byId("a");
    await store.catalogues.byId(1);
    await store.catalogues.of("a", "production");
    await store.catalogues.revision(1);
    await store.keys.byId("k");
    await store.keys.ofAccount("a");
    await store.pets.byId(1, 1);
    await store.categories.byId(1, 1);
    await store.answers.find({ catalogueId: 1, request: "r", key: "k" });
    await store.counters.live(1);
    await store.events.after(1, 10);
    await store.events.after(1, 10, "a");
    await store.events.before(9, 10);
    await store.events.before(9, 10, "a");
    await store.feed.after(1, 10);
    await store.settings.get("s");
    for (const by of ["minute", "day"] as const) {
      for (const keyId of [undefined, "k"]) {
        const key = keyId === undefined ? {} : { keyId };
        await store.usage.read({ accountId: "a", by, from: 1, to: 9, ...key }, 10);
        await store.usage.read(
          { accountId: "a", by, from: 1, to: 9, environment: "staging", ...key },
          10,
        );
      }
    }
    expect(wasteful(plans())).toEqual([]);
    await store.close();
  });

  test("finds usage of one key by the key, and of all keys by time", async () => {
    const { store, plans } = await planned();
    plans();
    const range = { accountId: "a", by: "minute", from: 1, to: 9 } as const;
    await store.usage.read({ ...range, keyId: "k" }, 10);
    await store.usage.read(range, 10);
    const [ofKey, ofAll] = plans();
    expect(ofKey).toContain("(account_id=? AND key_id=? AND started_at>? AND started_at<?)");
    expect(ofAll).toContain("(account_id=? AND started_at>? AND started_at<?)");
    await store.close();
  });

  test("adds usage without a scan", async () => {
    const { store, plans } = await planned();
    const { account, commit } = await addShelter(store, "acc_one");
    plans();
    const counts = { requests: 1, limited: 0, refused: 0, failed: 0 };
    const row = {
      keyId: "k",
      environment: "production",
      operation: "listPets",
      at: START,
    } as const;
    await commit({ kind: "usage.add", rows: [{ ...row, ...counts, accountId: account.id }] });
    const found = plans();
    expect(found.length).toBeGreaterThan(0);
    expect(wasteful(found)).toEqual([]);
    await store.close();
  });

  test("finds keys that ended long ago by their end", async () => {
    const { store, plans } = await planned();
    plans();
    await store.commit(
      [
        {
          kind: "purge",
          now: START,
          deletedBefore: 0,
          adoptersBefore: 0,
          eventsBefore: 0,
          limit: 9,
        },
      ],
      system,
    );
    const found = plans().filter((plan) => plan.includes("DELETE FROM api_keys"));
    expect(found.some((plan) => plan.includes("api_keys_by_end (<expr><?)"))).toBe(true);
    expect(wasteful(found)).toEqual([]);
    await store.close();
  });

  test("changes animals, categories and keys without a scan", async () => {
    const { store, plans } = await planned();
    const { account, production, commit, addPet, category } = await addShelter(store, "acc_one");
    plans();
    const from = await addPet({ status: "sold" });
    const to = newPet({ name: "B", categoryId: 2 });
    await commit(
      { kind: "pet.update", catalogueId: production, from, to, at: START },
      { kind: "category.create", catalogueId: production, name: "Birds", at: START },
      { kind: "key.create", key: aKey("k", account, production), max: 9 },
      {
        kind: "key.rotate",
        keyId: "k",
        endsAt: START + 9,
        successor: aKey("k2", account, production),
        max: 9,
        at: START,
      },
      { kind: "key.revoke", keyId: "k", at: START },
    );
    const pet = await store.pets.byId(production, from.id);
    if (pet !== undefined) {
      await commit(
        { kind: "pet.delete", catalogueId: production, from: pet, at: START },
        { kind: "pet.restore", catalogueId: production, petId: 1, deletedAfter: 0, at: START },
      );
    }
    await commit(
      {
        kind: "category.update",
        catalogueId: production,
        from: await category(3),
        name: "Fish",
        at: START,
      },
      { kind: "category.delete", catalogueId: production, from: await category(4), at: START },
    );
    expect(wasteful(plans())).toEqual([]);
    await store.close();
  });
});
