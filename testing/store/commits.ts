import { actorText, system, type Actor } from "../../lib/model/actor.ts";
import { isObject } from "../../lib/base/field-error.ts";
import { petShown } from "../../lib/catalogue/model.ts";
import { createdPet } from "../../lib/catalogue/model-changes.ts";
import { petOf, type Change } from "../../lib/storage/change.ts";
import { equal, rejects, text } from "../contract-case.ts";
import {
  addShelter,
  anAccount,
  storeCases,
  type StoreCase,
  START,
  type Shelter,
  newPet,
} from "../shelter.ts";

/** Returns all data that a commit could change. */
async function traces({ store, production }: Shelter): Promise<unknown> {
  return {
    revision: await store.catalogues.revision(production),
    pets: await store.pets.list(production, {}, { limit: 100, order: "asc" }),
    orders: await store.orders.list(production, {}, { limit: 100, order: "asc" }),
    categories: await store.categories.list(production, { limit: 100, order: "asc" }),
    events: await store.events.after(0, 100),
    notices: await store.feed.after(0, 100),
  };
}

const createPet = (catalogueId: number, categoryId = 1): Change => ({
  kind: "pet.create",
  catalogueId,
  pet: newPet({ categoryId, status: "sold" }),
  at: START,
});

function nameIn(thing: unknown): unknown {
  return isObject(thing) ? thing["name"] : undefined;
}

function petIdIn(thing: unknown): unknown {
  return isObject(thing) ? thing["petId"] : undefined;
}

function idIn(thing: unknown): unknown {
  return isObject(thing) ? thing["id"] : undefined;
}

/** More than a store commits together. */
const CREATED_TOGETHER = 400;

/** Categories of some of the animals created together; the last one is unknown. */
const UNUSUAL_CATEGORIES: Readonly<Record<number, number>> = { 4: 2, 5: 3, 13: 2, 17: 99 };

/** Returns a row or an event's subject without the ids that depend on the order of simultaneous commits. */
function withoutIds(thing: unknown): unknown {
  if (!isObject(thing)) return thing;
  const { id: _id, petId: _petId, ...fields } = thing;
  return fields;
}

/** Returns what animals created in both catalogues left behind, independent of the order of their commits. */
async function effectsOf({ store, account, production, staging }: Shelter): Promise<unknown> {
  const page = { limit: 2 * CREATED_TOGETHER, order: "asc" } as const;
  const events = await store.events.after(0, 8 * CREATED_TOGETHER, account.id);
  return Promise.all(
    [production, staging].map(async (catalogueId) => {
      const pets = await store.pets.list(catalogueId, {}, page);
      const orders = await store.orders.list(catalogueId, {}, page);
      const names = new Map<unknown, string>(pets.map(({ id, name }) => [id, name]));
      const own = events.filter((event) => event.catalogueId === catalogueId);
      const told = own.map(({ type, at, data }) => {
        const subject = data["order"] ?? data["pet"];
        const petId = isObject(subject) ? (subject["petId"] ?? subject["id"]) : undefined;
        return text([type, at, names.get(petId), withoutIds(subject)]);
      });
      return {
        ids: pets.map(({ id }) => id),
        pets: pets.map(withoutIds).map(text).toSorted(),
        orderIds: orders.map(({ id }) => id),
        orders: orders.map((order) => text([names.get(order.petId), withoutIds(order)])).toSorted(),
        events: told.toSorted(),
      };
    }),
  );
}

/** Commits in general. */
export const commitCases: readonly StoreCase[] = storeCases({
  "every event has the actor of its commit, also of commits that are made together": async ({
    store,
    production,
    createdSeq,
  }) => {
    const actors: readonly Actor[] = [
      { kind: "member", id: "mem_one" },
      { kind: "member", id: "mem_two" },
      { kind: "token", id: "one" },
      { kind: "key", id: "one" },
      { kind: "visitor" },
      { kind: "command" },
      { kind: "host" },
      { kind: "system" },
    ];
    const named = (actor: Actor): Change => ({
      kind: "pet.create",
      catalogueId: production,
      pet: newPet({ name: actorText(actor), status: "sold" }),
      at: START,
    });
    await Promise.all(actors.map((actor) => store.commit([named(actor)], actor)));
    const events = await store.events.after(createdSeq, 100);
    for (const actor of actors) {
      const created = events.find(
        ({ type, data }) => type === "pet.created" && nameIn(data["pet"]) === actorText(actor),
      );
      const sold = events.find(
        ({ type, data }) =>
          type === "order.placed" && petIdIn(data["order"]) === idIn(created?.data["pet"]),
      );
      equal([created?.actor, sold?.actor], [actor, actor], `events of ${actorText(actor)}`);
    }
  },

  "animals created in one commit get ids, orders and events in that order": async ({
    store,
    production,
  }) => {
    const status = (index: number) => (index % 3 === 0 ? "sold" : "available");
    const changes = Array.from({ length: 7 }, (_, index): Change => ({
      kind: "pet.create",
      catalogueId: production,
      pet: newPet({ name: `Pet ${index}`, categoryId: 1 + (index % 2), status: status(index) }),
      at: START + index,
    }));
    await store.commit(changes.slice(0, 1), system);
    const written = await store.commit(changes.slice(1), system);
    const outcomes = written.ok ? written.value : [];
    equal(outcomes.map(idIn), [2, 3, 4, 5, 6, 7], "outcomes");
    const { pets, orders } = store;
    const listed = await pets.list(production, {}, { limit: 100, order: "asc" });
    equal(
      listed.map(({ id, name, categoryId, createdAt }) => [id, name, categoryId, createdAt]),
      [0, 1, 2, 3, 4, 5, 6].map((index) => [
        index + 1,
        `Pet ${index}`,
        1 + (index % 2),
        START + index,
      ]),
      "animals",
    );
    const placed = await orders.list(production, {}, { limit: 100, order: "asc" });
    equal(
      placed.map(({ id, petId }) => [id, petId]),
      [
        [1, 1],
        [2, 4],
        [3, 7],
      ],
      "orders",
    );
    const events = await store.events.after(0, 100);
    equal(
      events
        .filter(({ type }) => type === "pet.created" || type === "order.placed")
        .map(({ type, data }) => [type, idIn(data["pet"] ?? data["order"])]),
      [
        ["pet.created", 1],
        ["order.placed", 1],
        ["pet.created", 2],
        ["pet.created", 3],
        ["pet.created", 4],
        ["order.placed", 2],
        ["pet.created", 5],
        ["pet.created", 6],
        ["pet.created", 7],
        ["order.placed", 3],
      ],
      "events",
    );
  },

  "animals created at the same time equal animals created one after another": async (one) => {
    const { store } = one;
    const other = await addShelter(store, "acc_other");
    const create = async (shelter: Shelter, index: number): Promise<string> => {
      const environment = index % 10 === 0 ? "staging" : "production";
      const pet = newPet({
        name: `Pet ${index}`,
        categoryId: UNUSUAL_CATEGORIES[index % 30] ?? 1,
        status: index % 7 === 0 ? "sold" : "available",
      });
      const [kind, catalogueId, at] = ["pet.create", shelter[environment], START + index] as const;
      const written = await store.commit([{ kind, catalogueId, pet, at }], system);
      return written.ok ? text(written.value.map(petOf).map(withoutIds)) : text(written.failure);
    };
    const indexes = Array.from({ length: CREATED_TOGETHER }, (_, index) => index);
    const together = await Promise.all(indexes.map((index) => create(one, index)));
    const inTurn: string[] = [];
    for (const index of indexes) inTurn.push(await create(other, index));
    equal(together, inTurn, "outcomes");
    equal(await effectsOf(one), await effectsOf(other), "effects");
    const next = [await one.addPet(), await other.addPet()];
    equal(next[0]?.id, next[1]?.id, "the next id");
  },

  "the first animal with an unknown category refuses the whole commit": async ({
    store,
    production,
  }) => {
    const refused = await store.commit(
      [createPet(production), createPet(production, 99), createPet(production, 98)],
      system,
    );
    equal(refused, { ok: false, failure: { index: 1, refusal: "unknown_category" } }, "refusal");
    equal(await store.pets.count(production, {}), 0, "animals");
  },

  "one of two writers of the same version wins": async ({ store, production, addPet }) => {
    const from = await addPet();
    const rename = (name: string): Promise<{ readonly ok: boolean }> =>
      store.commit(
        [
          {
            kind: "pet.update",
            catalogueId: production,
            from,
            to: newPet({ name }),
            at: START,
          },
        ],
        system,
      );
    const outcomes = await Promise.all([rename("Bello"), rename("Hasso")]);
    equal(outcomes.filter(({ ok }) => ok).length, 1, "winners");
    equal((await store.pets.byId(production, from.id))?.version, 2, "version");
  },

  "500 simultaneous creates get 500 different ids without a gap": async ({
    production,
    addPet,
  }) => {
    const pets = await Promise.all(Array.from({ length: 500 }, () => addPet()));
    const ids = pets.map(({ id }) => id).toSorted((a, b) => a - b);
    equal(
      ids,
      Array.from({ length: 500 }, (_, index) => index + 1),
      `ids in ${production}`,
    );
  },

  "simultaneous creates of several catalogues and categories are complete": async (shelter) => {
    const { store, production, staging } = shelter;
    const made = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const catalogueId = index % 4 === 0 ? staging : production;
        const status = index % 3 === 0 ? "sold" : "available";
        const pet = newPet({ name: `Pet ${index}`, categoryId: (index % 2) + 1, status });
        const outcome = await store.commit(
          [{ kind: "pet.create", catalogueId, pet, at: START }],
          system,
        );
        if (!outcome.ok) throw new Error(outcome.failure.refusal);
        return { catalogueId, pet, stored: petOf(outcome.value[0]) };
      }),
    );
    for (const { catalogueId, pet, stored } of made) {
      equal(
        stored,
        { ...stored, ...pet, version: 1, createdAt: START, updatedAt: START },
        "outcome",
      );
      equal(await store.pets.byId(catalogueId, stored.id), stored, "stored");
      const orders = await store.orders.list(
        catalogueId,
        { petId: stored.id },
        { limit: 9, order: "asc" },
      );
      equal(orders.length, pet.status === "sold" ? 1 : 0, "orders");
    }
    for (const [catalogueId, count] of [
      [production, 45],
      [staging, 15],
    ] as const) {
      const events = await store.events.after(0, 1_000);
      const types = events
        .filter((event) => event.catalogueId === catalogueId)
        .map(({ type }) => type);
      equal(types.filter((type) => type === "pet.created").length, count, "events of pets");
      equal(
        types.filter((type) => type === "order.placed").length,
        made.filter((one) => one.catalogueId === catalogueId && one.pet.status === "sold").length,
        "events of orders",
      );
    }
  },

  "a refused commit leaves no trace": async (shelter) => {
    const before = await traces(shelter);
    const conflict = await shelter.refusal(
      createPet(shelter.production),
      { kind: "category.create", catalogueId: shelter.production, name: "Birds", at: START },
      { kind: "key.revoke", keyId: "nobody", at: START },
    );
    equal(conflict, { index: 2, refusal: "missing" }, "conflict");
    equal(await traces(shelter), before, "traces");
    equal((await shelter.addPet()).id, 1, "the first id");
  },

  "a refused commit does not affect concurrent ones": async (shelter) => {
    const { store, production } = shelter;
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        store.commit([createPet(production, index % 3 === 0 ? 99 : 1)], system),
      ),
    );
    equal(
      outcomes.map(({ ok }) => ok),
      outcomes.map((_, index) => index % 3 !== 0),
      "applied commits",
    );
    equal(await store.pets.count(production, {}), 20, "pets");
    equal((await shelter.addPet()).id, 21, "next id");
  },

  "a failed commit leaves no trace and does not affect concurrent ones": async (shelter) => {
    const { store, production } = shelter;
    const broken = store.commit(
      [
        createPet(production),
        {
          kind: "answer.record",
          id: { catalogueId: production, request: "POST /pets", key: "k" },
          fingerprint: "f",
          answer: () => {
            throw new Error("broken on purpose");
          },
          at: START,
          expiresAt: START + 1,
        },
      ],
      system,
    );
    const sound = store.commit([createPet(production)], system);
    await rejects(broken, "the broken commit rejects");
    equal((await sound).ok, true, "the sound one is applied");
    equal(await store.pets.count(production, {}), 1, "pets");
  },

  "changes of a commit see the previous ones": async ({ production, commit }) => {
    const [, pet] = await commit(
      { kind: "category.create", catalogueId: production, name: "Birds", at: START },
      createPet(production, 4),
    );
    equal(pet, createdPet(1, newPet({ categoryId: 4, status: "sold" }), START), "pet");
  },

  "an empty commit is applied": async ({ commit }) => {
    equal(await commit(), [], "outcomes");
  },

  "reads see resolved commits, and events are in commit order": async ({
    store,
    production,
    createdSeq,
    addPet,
  }) => {
    await Promise.all([addPet({ name: "A" }), addPet({ name: "B" }), addPet({ name: "C" })]);
    const pets = await store.pets.list(production, {}, { limit: 10, order: "asc" });
    const events = await store.events.after(createdSeq, 10);
    equal(
      events.map(({ data }) => data),
      pets.map((pet) => ({ pet: petShown(pet) })),
      "events",
    );
    const seqs = events.map(({ seq }) => seq);
    equal(
      seqs,
      seqs.toSorted((a, b) => a - b),
      "seqs",
    );
    equal(new Set(seqs).size, 3, "different seqs");
    equal(await store.events.last(), seqs.at(-1), "last");
    equal(await store.events.after(seqs[0] ?? 0, 1), events.slice(1, 2), "a page of events");
    const end = seqs.at(-1) ?? 0;
    const newest = events.toReversed();
    equal(await store.events.before(end + 1, 2), newest.slice(0, 2), "the newest events");
    equal(await store.events.before(end, 1), newest.slice(1, 2), "an older page of events");
    equal(await store.events.before(end + 1, 9, "acc_none"), [], "events of an unknown account");
  },

  "two catalogues are isolated": async (one) => {
    const two = await addShelter(one.store, "acc_two");
    const { store } = one;
    const mine = await one.addPet({ status: "sold" });
    const before = await traces(two);
    equal(await store.pets.byId(two.production, mine.id), undefined, "by id");
    equal(await store.pets.byId(one.staging, mine.id), undefined, "in staging");
    equal(
      await two.refusal({
        kind: "pet.delete",
        catalogueId: two.production,
        from: mine,
        at: START,
      }),
      { index: 0, refusal: "stale" },
      "delete",
    );
    equal(await traces(two), before, "traces");
    equal((await two.addPet()).id, 1, "ids count from 1 in each");
    const events = await store.events.after(two.createdSeq, 10, two.account.id);
    equal(events.length, 1, "events of the other");
  },

  "an account can be created only once": async ({ refusal, account }) => {
    equal(
      await refusal({ kind: "account.create", account: anAccount(account.id) }),
      { index: 0, refusal: "exists" },
      "conflict",
    );
  },

  "a writability check leaves no trace": async (shelter) => {
    const before = await traces(shelter);
    await shelter.store.checkWritable();
    equal(await traces(shelter), before, "traces");
  },

  "a closed store accepts no commit": async ({ store, production }) => {
    await store.close();
    await rejects(store.commit([createPet(production)], system), "commit");
  },
});
