import { petFieldsOf, type PetFilter, type StoredPet } from "../../lib/catalogue/model.ts";
import { searchForm } from "../../lib/model/text.ts";
import type { Change } from "../../lib/storage/change.ts";
import type { Page } from "../../lib/base/page.ts";
import { equal } from "../contract-case.ts";
import { aPet, storeCases, type StoreCase, START, type Shelter, newPet } from "../shelter.ts";

/** Adds several pets of every category and status. */
async function fill({ commit, production }: Shelter): Promise<readonly StoredPet[]> {
  const statuses = ["available", "pending", "sold"] as const;
  const changes = Array.from({ length: 45 }, (_, index): Change => {
    const status = statuses[index % 3] ?? "sold";
    const pet = newPet({
      name: `${names[index % 4]} ${index}`,
      categoryId: 1 + (Math.floor(index / 3) % 3),
      status,
    });
    return { kind: "pet.create", catalogueId: production, pet, at: START };
  });
  return (await commit(...changes)).map(aPet);
}

const names = ["Zoë", "ΦΊΔΟΣ", "Straßer", "100% _Rex_"];

/** Reads all pages. */
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

/** Pages of animals and orders. */
export const listCases: readonly StoreCase[] = storeCases({
  "every filter, order and page size returns each matching pet exactly once": async (shelter) => {
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
      { name: "" },
      { name: "zoe" },
      { name: "ZOE\u0308 1" },
      { name: "φίδος", status: "sold" },
      { name: "STRASSER", categoryId: 2 },
      { name: "% _rex_ 3", categoryId: 1, status: "available" },
      { name: "%" },
      { name: "_" },
      { name: "nobody" },
      { name: "zoë", ids: [1, 2, 5, 6] },
    ];
    const found = new Set<number>();
    for (const filter of filters) {
      const { status, categoryId, ids, name = "" } = filter;
      const expected = pets
        .filter(
          (pet) =>
            (status ?? pet.status) === pet.status &&
            (categoryId ?? pet.categoryId) === pet.categoryId &&
            (ids?.includes(pet.id) ?? true) &&
            searchForm(pet.name).includes(searchForm(name)),
        )
        .map(({ id }) => id);
      const what = JSON.stringify(filter);
      if (name !== "") for (const id of expected) found.add(id);
      equal(await shelter.store.pets.count(shelter.production, filter), expected.length, what);
      for (const limit of [1, 4, 100]) {
        equal(await walk(shelter, filter, { limit, order: "asc" }), expected, what);
        equal(await walk(shelter, filter, { limit, order: "desc" }), expected.toReversed(), what);
      }
    }
    equal(found.size > 20, true, "animals are found by name");
  },

  "an animal is found by its current name, also after a restoration": async ({
    store,
    production,
    commit,
    addPet,
  }) => {
    const search = async (name: string): Promise<readonly number[]> =>
      (await store.pets.list(production, { name }, { limit: 9, order: "asc" })).map(({ id }) => id);
    const from = await addPet({ name: "Müsli" });
    equal(await search("mus"), [1], "by its first name");
    const change = { from, to: { ...petFieldsOf(from), name: "Bello" }, at: START } as const;
    const [renamed] = await commit({ kind: "pet.update", catalogueId: production, ...change });
    equal([await search("mus"), await search("ELLO")], [[], [1]], "renamed");
    const bello = aPet(renamed);
    await commit({ kind: "pet.delete", catalogueId: production, from: bello, at: START });
    equal(await search("bello"), [], "deleted");
    const again = { petId: 1, deletedAfter: START - 1, at: START } as const;
    await commit({ kind: "pet.restore", catalogueId: production, ...again });
    equal(await search("bello"), [1], "restored");
  },

  "recently deleted animals are listed in pages": async ({
    store,
    production,
    staging,
    commit,
    addPet,
  }) => {
    for (let index = 0; index < 5; index++) {
      const from = await addPet();
      const at = START + index;
      await commit({ kind: "pet.delete", catalogueId: production, from, at });
    }
    const list = async (after: number, page: Page): Promise<readonly number[]> =>
      (await store.pets.deleted(production, after, page)).map(({ id }) => id);
    equal(await list(START, { limit: 9, order: "asc" }), [2, 3, 4, 5], "deleted after");
    equal(await list(START - 1, { limit: 2, order: "desc" }), [5, 4], "newest");
    equal(await list(START - 1, { limit: 2, order: "desc", after: 4 }), [3, 2], "next");
    equal(await list(START - 1, { limit: 9, order: "asc", after: 3 }), [4, 5], "oldest");
    const again = { petId: 3, deletedAfter: START, at: START + 9 } as const;
    await commit({ kind: "pet.restore", catalogueId: production, ...again });
    equal(await list(START - 1, { limit: 9, order: "asc" }), [1, 2, 4, 5], "one restored");
    const [first] = await store.pets.deleted(production, 0, { limit: 1, order: "asc" });
    equal(first?.deletedAt, START, "deletedAt");
    equal(await store.pets.deleted(staging, 0, { limit: 9, order: "asc" }), [], "elsewhere");
  },

  "paging returns rows that stay exactly once, whatever is written meanwhile": async (shelter) => {
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
    equal(seen, pets.map(({ id }) => id).toReversed(), "animals seen");
  },

  "orders are listed by pet, by status and in pages": async ({ store, production, addPet }) => {
    for (let count = 0; count < 5; count++) await addPet({ status: "sold" });
    const list = async (
      filter: Parameters<typeof store.orders.list>[1],
      page: Page,
    ): Promise<readonly number[]> =>
      (await store.orders.list(production, filter, page)).map(({ id }) => id);
    equal(await list({}, { limit: 2, order: "desc" }), [5, 4], "newest");
    equal(await list({}, { limit: 2, order: "desc", after: 4 }), [3, 2], "next");
    equal(await list({ petId: 3 }, { limit: 9, order: "asc" }), [3], "by pet");
    equal(await list({ status: "placed" }, { limit: 9, order: "asc", after: 3 }), [4, 5], "status");
    equal(await list({ petId: 3, status: "delivered" }, { limit: 9, order: "asc" }), [], "both");
    equal(await store.orders.count(production, { petId: 3, status: "placed" }), 1, "count");
  },
});
