import type { Page } from "../../base/page.ts";
import type { PetFilter, StoredPet } from "../../model/pet.ts";
import type { Change } from "../../storage/change.ts";
import { equal } from "../assert.ts";
import { aPet, openShelter, START, type Shelter } from "../shelter.ts";
import type { StoreCase } from "./case.ts";

/** Pets of every category and status, several times over. */
async function fill({ commit, production }: Shelter): Promise<readonly StoredPet[]> {
  const statuses = ["available", "pending", "sold"] as const;
  const changes = Array.from({ length: 45 }, (_, index): Change => {
    const status = statuses[index % 3] ?? "sold";
    const pet = { name: `Pet ${index}`, categoryId: 1 + (Math.floor(index / 3) % 3), status };
    return { kind: "pet.create", catalogueId: production, pet, at: START };
  });
  return (await commit(...changes)).map(aPet);
}

/** Follows the pages to the end. */
async function walk(shelter: Shelter, filter: PetFilter, page: Page): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let after = page.after; ; after = ids.at(-1)) {
    const found = await shelter.store.pets.list(
      shelter.production,
      filter,
      after === undefined ? page : { ...page, after },
    );
    if (found.length === 0) return ids;
    ids.push(...found.map(({ id }) => id));
  }
}

/** Promises about pages of animals and orders. */
export const listCases: readonly StoreCase[] = [
  {
    name: "every filter, order and page size shows every pet that matches exactly once",
    run: async (open) => {
      const shelter = await openShelter(open);
      const pets = await fill(shelter);
      const filters: readonly PetFilter[] = [
        {},
        { status: "pending" },
        { categoryId: 2 },
        { categoryId: 3, status: "sold" },
        { ids: [3, 44, 7, 999, 3] },
        { ids: Array.from({ length: 100 }, (_, index) => index), status: "available" },
        { ids: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], categoryId: 1, status: "pending" },
        { ids: [] },
        { categoryId: 77 },
      ];
      for (const filter of filters) {
        const { status, categoryId, ids } = filter;
        const expected = pets
          .filter(
            (pet) =>
              (status ?? pet.status) === pet.status &&
              (categoryId ?? pet.categoryId) === pet.categoryId &&
              (ids?.includes(pet.id) ?? true),
          )
          .map(({ id }) => id);
        const what = JSON.stringify(filter);
        equal(await shelter.store.pets.count(shelter.production, filter), expected.length, what);
        for (const limit of [1, 4, 100]) {
          equal(await walk(shelter, filter, { limit, order: "asc" }), expected, what);
          equal(await walk(shelter, filter, { limit, order: "desc" }), expected.toReversed(), what);
        }
      }
    },
  },
  {
    name: "a walk sees what stays exactly once, whatever is written meanwhile",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, production, commit, addPet } = shelter;
      const pets = await fill(shelter);
      const seen: number[] = [];
      for (let after: number | undefined; ; after = seen.at(-1)) {
        const page = {
          limit: 5,
          order: "desc",
          ...(after === undefined ? {} : { after }),
        } as const;
        const found = await store.pets.list(production, {}, page);
        if (found.length === 0) break;
        seen.push(...found.map(({ id }) => id));
        await addPet();
        const from = found[2];
        if (from !== undefined) {
          await commit({ kind: "pet.delete", catalogueId: production, from, at: START });
        }
      }
      equal(seen, pets.map(({ id }) => id).toReversed(), "what was seen");
    },
  },
  {
    name: "orders are listed by pet, by status and in pages",
    run: async (open) => {
      const { store, production, addPet } = await openShelter(open);
      for (let count = 0; count < 5; count++) await addPet({ status: "sold" });
      const list = async (
        filter: Parameters<typeof store.orders.list>[1],
        page: Page,
      ): Promise<readonly number[]> =>
        (await store.orders.list(production, filter, page)).map(({ id }) => id);
      equal(await list({}, { limit: 2, order: "desc" }), [5, 4], "newest");
      equal(await list({}, { limit: 2, order: "desc", after: 4 }), [3, 2], "next");
      equal(await list({ petId: 3 }, { limit: 9, order: "asc" }), [3], "by pet");
      equal(
        await list({ status: "placed" }, { limit: 9, order: "asc", after: 3 }),
        [4, 5],
        "status",
      );
      equal(await list({ petId: 3, status: "delivered" }, { limit: 9, order: "asc" }), [], "both");
      equal(await store.orders.count(production, { petId: 3, status: "placed" }), 1, "count");
    },
  },
];
