import { isoTime } from "../../lib/base/clock.ts";
import { MAX_ID } from "../../lib/base/id.ts";
import {
  petFieldsOf,
  petShown,
  RESTORE_MS,
  type NewPet,
  type StoredPet,
} from "../../lib/catalogue/model.ts";
import { changedPet, createdPet } from "../../lib/catalogue/model-changes.ts";
import { petExample } from "../../lib/catalogue/schema.ts";
import type { Change } from "../../lib/storage/change.ts";
import { equal } from "../contract-case.ts";
import { aPet, storeCases, type StoreCase, START, type Shelter, newPet } from "../shelter.ts";

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

/** Animals and their orders. */
export const petCases: readonly StoreCase[] = storeCases({
  "a stored pet is found unchanged": async ({ store, production, addPet }) => {
    const fields = newPet({ name: "Zoë 🐈", categoryId: 2, status: "pending" });
    const pet = await addPet(fields);
    equal(pet, { id: 1, ...fields, version: 1, createdAt: START, updatedAt: START }, "outcome");
    equal(await store.pets.byId(production, 1), pet, "by id");
    for (const id of [2, 0, -1, MAX_ID]) {
      equal(await store.pets.byId(production, id), undefined, `pet ${id}`);
    }
  },

  "a pet keeps every field that it gets, until it is to lack it": async (shelter) => {
    const { store, production, commit } = shelter;
    const fields = newPet(petFieldsOf(petExample));
    const lacking = newPet({ name: "Bello", categoryId: 2, status: "pending" });
    const stored = async (expected: StoredPet, outcome: unknown, what: string): Promise<void> => {
      const page = { limit: 9, order: "asc" } as const;
      equal<unknown>(outcome, expected, what);
      equal(await store.pets.byId(production, 1), expected, `${what}, by id`);
      equal(await store.pets.list(production, {}, page), [expected], `${what}, in a list`);
    };
    const creation = { catalogueId: production, pet: fields, at: START } as const;
    const first = createdPet(1, fields, START);
    await stored(first, (await commit({ kind: "pet.create", ...creation }))[0], "created");
    await commit(remove(production, first));
    const deleted = await store.pets.deleted(production, 0, { limit: 9, order: "asc" });
    equal(deleted, [{ ...first, deletedAt: START }], "deleted");
    const second = changedPet(first, first, START);
    await stored(second, (await commit(restore(production, 1, START)))[0], "restored");
    const change = { catalogueId: production, from: second, to: lacking, at: START } as const;
    const third = changedPet(second, lacking, START);
    await stored(third, (await commit({ kind: "pet.update", ...change }))[0], "changed");
    const shown = [first, first, second, third].map((pet) => ({ pet: petShown(pet) }));
    const events = await store.events.after(shelter.createdSeq, 9);
    const pets = events.map(({ data }) => ({ pet: data["pet"] }));
    equal<unknown>(pets, shown, "events");
  },

  "a pet of an unknown category or catalogue is refused": async ({
    refusal,
    production,
    addPet,
  }) => {
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
      "create in an unknown catalogue",
    );
    const from = await addPet();
    equal(await refusal(update(production, from, { categoryId: 9 })), unknown, "update");
  },

  "writing into a row changes nothing": async ({ store, production, addPet }) => {
    const pet = await addPet();
    const [listed] = await store.pets.list(production, {}, { limit: 1, order: "asc" });
    for (const row of [pet, listed, await store.pets.byId(production, 1)]) {
      if (row !== undefined) Object.assign(row, { name: "Changed" });
    }
    equal((await store.pets.byId(production, 1))?.name, "Rex", "name");
  },

  "an update increases the version and writes an event": async (shelter) => {
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
        actor: { kind: "system" },
        data: {
          pet: petShown({ ...after, name: "Hasso", status: "pending" }),
          from: "available",
        },
      },
      "second event",
    );
  },

  "an update of an old version, a deleted or an unknown pet is stale": async ({
    production,
    commit,
    refusal,
    addPet,
  }) => {
    const stale = { index: 0, refusal: "stale" } as const;
    const pet = await addPet();
    await commit(update(production, pet, { name: "Bello" }));
    equal(await refusal(update(production, pet, { name: "Hasso" })), stale, "update");
    equal(await refusal(remove(production, pet)), stale, "delete");
    const deleted = await addPet();
    await commit(remove(production, deleted));
    equal(await refusal(update(production, deleted, { name: "Hasso" })), stale, "deleted");
    equal(await refusal(remove(production, deleted)), stale, "deleted twice");
    equal(await refusal(remove(production, { ...pet, id: 77 })), stale, "unknown");
  },

  "every adoption writes its own order, which a return keeps": async (shelter) => {
    const { store, production, createdSeq, commit, addPet } = shelter;
    const pet = await addPet({ status: "sold" });
    const [back] = await commit(update(production, pet, { status: "available" }));
    await commit(update(production, aPet(back), { status: "sold" }));
    const orders = await store.orders.list(production, {}, { limit: 10, order: "asc" });
    const placed = { status: "placed", version: 1 } as const;
    equal(
      orders,
      [
        { id: 1, petId: 1, ...placed, createdAt: START, updatedAt: START },
        {
          id: 2,
          petId: 1,
          ...placed,
          createdAt: START + 1,
          updatedAt: START + 1,
          statusBefore: "available",
        },
      ],
      "orders",
    );
    const events = await store.events.after(createdSeq, 10);
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

  "a deleted pet is hidden, and its restoration increases the version": async (shelter) => {
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
    equal(
      await typesOf(shelter, shelter.createdSeq + 1),
      ["pet.deleted", "pet.restored"],
      "events",
    );
    equal(
      await refusal(restore(production, pet.id, at)),
      { index: 0, refusal: "missing" },
      "a second time",
    );
  },

  "a pet deleted too long ago stays deleted": async ({ production, commit, refusal, addPet }) => {
    const pet = await addPet();
    await commit(remove(production, pet));
    equal(
      await refusal(restore(production, pet.id, START + RESTORE_MS)),
      { index: 0, refusal: "missing" },
      "restore",
    );
  },

  "visible changes increase the revision, and refused ones do not": async ({
    store,
    production,
    staging,
    commit,
    refusal,
    addPet,
  }) => {
    const revisions = [await store.catalogues.revision(production)];
    const other = await store.catalogues.revision(staging);
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
    equal(await store.catalogues.revision(staging), other, "of the other catalogue");
    equal(await store.catalogues.revision(999), 0, "of an unknown catalogue");
  },
});
