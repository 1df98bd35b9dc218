import { isoTime } from "../../base/clock.ts";
import { MAX_ID, petFieldsOf, RESTORE_MS, type NewPet, type StoredPet } from "../../model/pet.ts";
import type { Change } from "../../storage/change.ts";
import { equal } from "../assert.ts";
import { aPet, openShelter, START, type Shelter, newPet } from "../shelter.ts";
import type { StoreCase } from "./case.ts";

const update = (catalogueId: number, from: StoredPet, fields: Partial<NewPet>): Change => ({
  kind: "pet.update",
  catalogueId,
  from,
  to: { ...petFieldsOf(from), ...fields },
  at: START + 1,
});

const remove = (catalogueId: number, from: StoredPet, at: number = START): Change => ({
  kind: "pet.delete",
  catalogueId,
  from,
  at,
});

const restore = (catalogueId: number, petId: number, at: number): Change => ({
  kind: "pet.restore",
  catalogueId,
  petId,
  deletedAfter: at - RESTORE_MS,
  at,
});

const typesOf = async ({ store }: Shelter, after: number): Promise<readonly string[]> =>
  (await store.events.after(after, 100)).map(({ type }) => type);

/** Promises about animals and their orders. */
export const petCases: readonly StoreCase[] = [
  {
    name: "a pet is found as it was left behind",
    run: async (open) => {
      const { store, production, addPet } = await openShelter(open);
      const fields = newPet({ name: "Zoë 🐈", categoryId: 2, status: "pending" });
      const pet = await addPet(fields);
      equal(pet, { id: 1, ...fields, version: 1, createdAt: START, updatedAt: START }, "outcome");
      equal(await store.pets.byId(production, 1), pet, "by id");
      for (const id of [2, 0, -1, MAX_ID]) {
        equal(await store.pets.byId(production, id), undefined, `pet ${id}`);
      }
    },
  },
  {
    name: "a pet of an unknown category or catalogue is refused",
    run: async (open) => {
      const { refusal, production, addPet } = await openShelter(open);
      const unknown = { index: 0, refusal: "unknown_category" } as const;
      const pet = newPet({ categoryId: 9 });
      equal(
        await refusal({ kind: "pet.create", catalogueId: production, pet, at: START }),
        unknown,
        "create",
      );
      equal(
        await refusal({
          kind: "pet.create",
          catalogueId: 999,
          pet: { ...pet, categoryId: 1 },
          at: START,
        }),
        unknown,
        "create in no catalogue",
      );
      const from = await addPet();
      equal(await refusal(update(production, from, { categoryId: 9 })), unknown, "update");
    },
  },
  {
    name: "writing into a row changes nothing",
    run: async (open) => {
      const { store, production, addPet } = await openShelter(open);
      const pet = await addPet();
      const [listed] = await store.pets.list(production, {}, { limit: 1, order: "asc" });
      for (const row of [pet, listed, await store.pets.byId(production, 1)]) {
        if (row !== undefined) Object.assign(row, { name: "Changed" });
      }
      equal((await store.pets.byId(production, 1))?.name, "Rex", "name");
    },
  },
  {
    name: "an update is a version later and tells what happened",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { production, commit, addPet, store } = shelter;
      const pet = await addPet();
      const start = await store.events.last();
      const [renamed] = await commit(update(production, pet, { name: "Bello" }));
      const after: StoredPet = { ...pet, name: "Bello", version: 2, updatedAt: START + 1 };
      equal(renamed, after, "outcome");
      equal(await store.pets.byId(production, pet.id), after, "row");
      await commit(update(production, after, { name: "Hasso", status: "pending" }));
      const [first, second] = await store.events.after(start, 10);
      equal(first?.type, "pet.updated", "first event");
      equal(
        second,
        {
          seq: second?.seq ?? 0,
          type: "pet.status_changed",
          accountId: shelter.account.id,
          catalogueId: production,
          at: START + 1,
          data: {
            pet: { id: 1, name: "Hasso", categoryId: 1, status: "pending" },
            from: "available",
          },
        },
        "second event",
      );
    },
  },
  {
    name: "a change of an old version, a deleted or an unknown pet is stale",
    run: async (open) => {
      const { production, commit, refusal, addPet } = await openShelter(open);
      const stale = { index: 0, refusal: "stale" } as const;
      const pet = await addPet();
      await commit(update(production, pet, { name: "Bello" }));
      equal(await refusal(update(production, pet, { name: "Hasso" })), stale, "update");
      equal(await refusal(remove(production, pet)), stale, "delete");
      const gone = await addPet();
      await commit(remove(production, gone));
      equal(await refusal(update(production, gone, { name: "Hasso" })), stale, "deleted");
      equal(await refusal(remove(production, gone)), stale, "deleted twice");
      equal(await refusal(remove(production, { ...pet, id: 77 })), stale, "unknown");
    },
  },
  {
    name: "every sale writes an order of its own, and a return leaves it",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, production, born, commit, addPet } = shelter;
      const pet = await addPet({ status: "sold" });
      const [back] = await commit(update(production, pet, { status: "available" }));
      await commit(update(production, aPet(back), { status: "sold" }));
      const orders = await store.orders.list(production, {}, { limit: 10, order: "asc" });
      equal(
        orders,
        [
          { id: 1, petId: 1, status: "placed", createdAt: START },
          { id: 2, petId: 1, status: "placed", createdAt: START + 1 },
        ],
        "orders",
      );
      const events = await store.events.after(born, 10);
      equal(
        events.map(({ type }) => type),
        ["pet.created", "order.placed", "pet.status_changed", "pet.status_changed", "order.placed"],
        "events",
      );
      equal(
        events[1]?.data,
        { order: { id: 1, petId: 1, status: "placed", createdAt: isoTime(START) } },
        "data",
      );
    },
  },
  {
    name: "a deleted pet is nowhere, and comes back a version later",
    run: async (open) => {
      const shelter = await openShelter(open);
      const { store, production, commit, refusal, addPet } = shelter;
      const pet = await addPet();
      await commit(remove(production, pet));
      equal(await store.pets.byId(production, pet.id), undefined, "by id");
      equal(await store.pets.count(production, { ids: [pet.id] }), 0, "count");
      const at = START + RESTORE_MS - 1;
      const [restored] = await commit(restore(production, pet.id, at));
      const expected: StoredPet = { ...pet, version: 2, updatedAt: at };
      equal(restored, expected, "outcome");
      equal(await store.pets.byId(production, pet.id), expected, "row");
      equal(await typesOf(shelter, shelter.born + 1), ["pet.deleted", "pet.restored"], "events");
      equal(
        await refusal(restore(production, pet.id, at)),
        { index: 0, refusal: "missing" },
        "a second time",
      );
    },
  },
  {
    name: "a pet deleted too long ago stays deleted",
    run: async (open) => {
      const { production, commit, refusal, addPet } = await openShelter(open);
      const pet = await addPet();
      await commit(remove(production, pet));
      equal(
        await refusal(restore(production, pet.id, START + RESTORE_MS)),
        { index: 0, refusal: "missing" },
        "restore",
      );
    },
  },
  {
    name: "what shows in a list moves the revision, and what was refused does not",
    run: async (open) => {
      const { store, production, staging, commit, refusal, addPet } = await openShelter(open);
      const revisions = [await store.catalogues.revision(production)];
      const note = async (): Promise<void> => {
        revisions.push(await store.catalogues.revision(production));
      };
      const pet = await addPet();
      await note();
      const [changed] = await commit(update(production, pet, { name: "Bello" }));
      await note();
      await commit(remove(production, aPet(changed)));
      await note();
      await commit(restore(production, pet.id, START));
      await note();
      equal(
        revisions.every((revision, index) => index === 0 || revision > (revisions[index - 1] ?? 0)),
        true,
        `revisions ${revisions.join()} grow`,
      );
      await refusal(remove(production, pet));
      equal(await store.catalogues.revision(production), revisions.at(-1), "after a refusal");
      equal(await store.catalogues.revision(staging), 1, "of the other catalogue");
      equal(await store.catalogues.revision(999), 0, "of none");
    },
  },
];
