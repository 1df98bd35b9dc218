import { RESTORE_MS, type StoredCategory } from "../../lib/catalogue/model.ts";
import type { Change } from "../../lib/storage/change.ts";
import { equal } from "../contract-case.ts";
import { storeCases, type StoreCase, START } from "../shelter.ts";

const create = (catalogueId: number, name: string): Change => ({
  kind: "category.create",
  catalogueId,
  name,
  at: START,
});

const rename = (catalogueId: number, from: StoredCategory, name: string): Change => ({
  kind: "category.update",
  catalogueId,
  from,
  name,
  at: START + 1,
});

const remove = (catalogueId: number, from: StoredCategory, at: number = START): Change => ({
  kind: "category.delete",
  catalogueId,
  from,
  at,
});

/** Categories. */
export const catalogueCases: readonly StoreCase[] = storeCases({
  "a fresh catalogue has Dogs, Cats and Other": async ({
    store,
    production,
    staging,
    createdSeq,
  }) => {
    for (const catalogueId of [production, staging]) {
      const found = await store.categories.list(catalogueId, { limit: 10, order: "asc" });
      equal(
        found,
        ["Dogs", "Cats", "Other"].map((name, index) => ({
          id: index + 1,
          name,
          version: 1,
          updatedAt: START,
        })),
        "categories",
      );
    }
    equal(await store.categories.count(production), 3, "count");
    equal(await store.events.last(), createdSeq, "no event");
  },

  "category names are unique, ignoring case": async ({
    production,
    staging,
    commit,
    refusal,
    category,
  }) => {
    const exists = { index: 0, refusal: "exists" } as const;
    const [rabbits] = await commit(create(production, "Rabbits"));
    equal(rabbits, { id: 4, name: "Rabbits", version: 1, updatedAt: START }, "outcome");
    equal(await refusal(create(production, "rABBITS")), exists, "create");
    equal(await refusal(rename(production, await category(4), "DOGS")), exists, "rename");
    await commit(create(staging, "Rabbits"));
    const [shouted] = await commit(rename(production, await category(4), "RABBITS"));
    equal(
      shouted,
      { id: 4, name: "RABBITS", version: 2, updatedAt: START + 1 },
      "its own name in another case",
    );
  },

  "an update of an old version of a category is stale": async ({
    production,
    commit,
    refusal,
    category,
  }) => {
    const dogs = await category(1);
    await commit(rename(production, dogs, "Hounds"));
    const stale = { index: 0, refusal: "stale" } as const;
    equal(await refusal(rename(production, dogs, "Puppies")), stale, "rename");
    equal(await refusal(remove(production, dogs)), stale, "delete");
  },

  "a category in use cannot be deleted, even if its only pet is deleted but restorable": async ({
    production,
    commit,
    refusal,
    addPet,
    category,
  }) => {
    const inUse = { index: 0, refusal: "in_use" } as const;
    const pet = await addPet({ categoryId: 1 });
    equal(await refusal(remove(production, await category(1))), inUse, "used");
    await commit({ kind: "pet.delete", catalogueId: production, from: pet, at: START });
    const late = START + RESTORE_MS;
    equal(await refusal(remove(production, await category(1), late - 1)), inUse, "restorable");
    await commit(remove(production, await category(1), late));
    equal(
      await refusal({
        kind: "pet.restore",
        catalogueId: production,
        petId: pet.id,
        deletedAfter: 0,
        at: late,
      }),
      { index: 0, refusal: "missing" },
      "a pet without its category",
    );
  },

  "the id of a deleted category is not reused": async ({
    store,
    production,
    createdSeq,
    commit,
    category,
  }) => {
    await commit(create(production, "Birds"));
    await commit(remove(production, await category(4)));
    equal(await store.categories.byId(production, 4), undefined, "deleted");
    const [fish] = await commit(create(production, "Birds"));
    equal(fish, { id: 5, name: "Birds", version: 1, updatedAt: START }, "outcome");
    const events = await store.events.after(createdSeq, 10);
    equal(
      events.map(({ type, data }) => [type, data]),
      [
        ["category.created", { category: { id: 4, name: "Birds" } }],
        ["category.deleted", { category: { id: 4, name: "Birds" } }],
        ["category.created", { category: { id: 5, name: "Birds" } }],
      ],
      "events",
    );
  },
});
