import { done, refused, type Result } from "../base/result.ts";
import type { OrderFilter, StoredOrder } from "../model/order.ts";
import { searchForm } from "../model/search-form.ts";
import type { PetFilter, StoredPet } from "../model/pet.ts";
import type { Change, Outcome, Refusal } from "./change.ts";
import {
  changeAccount,
  changeKey,
  createAccount,
  createKey,
  deleteAccount,
  rotateKey,
} from "./memory/accounts.ts";
import { applyToCatalogue } from "./memory/pets.ts";
import { purge } from "./memory/purge.ts";
import { answerName, recordAnswer, saveCounters } from "./memory/upkeep.ts";
import { addUsage, readUsage } from "./memory/usage.ts";
import { World, type Shelf } from "./memory/world.ts";
import type { Store } from "./store.ts";

/**
 * A store that forgets everything with the process: for tests and for trying things out. Runs anywhere.
 * Lists that are filtered walk over what does not match, so it suits thousands of animals, not millions.
 */
export function memoryStore(): Store {
  const world = new World();
  let closed = false;

  const open = (): World => {
    if (closed) throw new Error("The store is closed.");
    return world;
  };
  const shelf = (catalogueId: number): Shelf | undefined => open().shelves.get(catalogueId);
  const living = (catalogueId: number): Shelf | undefined =>
    world.numbers.has(catalogueId) ? shelf(catalogueId) : undefined;

  return {
    accounts: {
      byId: (id) => structuredClone(open().accounts.get(id)),
      list: () =>
        structuredClone([...open().accounts.values()]).toSorted(
          (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
        ),
    },
    catalogues: {
      of: (accountId, environment) =>
        [...open().shelves.values()]
          .map(({ catalogue }) => ({ ...catalogue }))
          .find(
            (catalogue) =>
              world.numbers.has(catalogue.id) &&
              catalogue.accountId === accountId &&
              catalogue.environment === environment,
          ),
      byId: (id) => structuredClone(living(id)?.catalogue),
      revision: (id) => open().numbers.get(id)?.revision ?? 0,
    },
    keys: {
      byId: (id) => structuredClone(open().keys.get(id)),
      ofAccount: (accountId) =>
        structuredClone(
          [...open().keys.values()].filter((key) => key.accountId === accountId),
        ).toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
    },
    pets: {
      byId: (catalogueId, id) => structuredClone(shelf(catalogueId)?.pets.get(id)),
      list: (catalogueId, filter, page) =>
        shelf(catalogueId)?.pets.page(page, petsLike(filter)) ?? [],
      count: (catalogueId, filter) => shelf(catalogueId)?.pets.count(petsLike(filter)) ?? 0,
      deleted: (catalogueId, deletedAfter, page) =>
        shelf(catalogueId)?.deletedPets.page(page, ({ deletedAt }) => deletedAt > deletedAfter) ??
        [],
    },
    categories: {
      byId: (catalogueId, id) => structuredClone(shelf(catalogueId)?.categories.get(id)),
      list: (catalogueId, page) => shelf(catalogueId)?.categories.page(page, () => true) ?? [],
      count: (catalogueId) => shelf(catalogueId)?.categories.count(() => true) ?? 0,
    },
    orders: {
      list: (catalogueId, filter, page) =>
        shelf(catalogueId)?.orders.page(page, ordersLike(filter)) ?? [],
      count: (catalogueId, filter) => shelf(catalogueId)?.orders.count(ordersLike(filter)) ?? 0,
    },
    answers: {
      find: (id) => structuredClone(shelf(id.catalogueId)?.answers.get(answerName(id))),
    },
    counters: {
      live: (now) =>
        structuredClone([...open().counters.values()].filter(({ endsAt }) => endsAt > now)),
    },
    events: {
      after: (seq, limit, accountId) =>
        structuredClone(
          [...open().events.values()]
            .filter(
              (event) => event.seq > seq && (accountId ?? event.accountId) === event.accountId,
            )
            .slice(0, limit),
        ),
      before: (seq, limit, accountId) =>
        structuredClone(
          [...open().events.values()]
            .filter(
              (event) => event.seq < seq && (accountId ?? event.accountId) === event.accountId,
            )
            .slice(-limit)
            .toReversed(),
        ),
      last: () => [...open().events.keys()].at(-1) ?? 0,
    },
    feed: {
      after: (after, limit) =>
        [...open().feed.values()]
          .filter(({ seq }) => seq > after)
          .slice(0, limit)
          .map(({ seq, topic, subject }) => ({ seq, topic, subject })),
      last: () => [...open().feed.keys()].at(-1) ?? 0,
    },
    usage: { read: (query, limit) => readUsage(open(), query, limit) },
    settings: { get: (name) => open().settings.get(name) },

    // No await within: commits cannot meet.
    commit: async (changes) => {
      open();
      const outcomes: Outcome[] = [];
      try {
        for (const [index, change] of changes.entries()) {
          const applied = apply(world, change, outcomes);
          if (!applied.ok) {
            world.undo();
            return refused({ index, refusal: applied.failure });
          }
          outcomes.push(applied.value);
        }
      } catch (error) {
        world.undo();
        throw error;
      }
      world.keep();
      return done(outcomes);
    },
    checkWritable: async () => void open(),
    close: async () => {
      closed = true;
    },
  };
}

function apply(
  world: World,
  change: Change,
  outcomes: readonly Outcome[],
): Result<Outcome, Refusal> {
  switch (change.kind) {
    case "account.create":
      return createAccount(world, change);
    case "account.rename":
    case "account.plan":
    case "account.suspend":
      return changeAccount(world, change);
    case "account.delete":
      return deleteAccount(world, change);
    case "key.create":
      return createKey(world, change);
    case "key.rotate":
      return rotateKey(world, change);
    case "key.rename":
    case "key.revoke":
    case "key.ban":
    case "key.unban":
      return changeKey(world, change);
    case "pet.create":
    case "pet.update":
    case "pet.delete":
    case "pet.restore":
    case "category.create":
    case "category.update":
    case "category.delete":
      return applyToCatalogue(world, change);
    case "answer.record":
      return recordAnswer(world, change, outcomes);
    case "counters.save":
      return saveCounters(world, change);
    case "usage.add":
      return addUsage(world, change);
    case "event.write": {
      const { kind: _kind, ...event } = change;
      world.tell(event);
      return done(undefined);
    }
    case "setting.init":
      if (!world.settings.has(change.name)) world.put(world.settings, change.name, change.value);
      return done(undefined);
    case "purge":
      return purge(world, change);
  }
}

function petsLike({ status, categoryId, ids, name }: PetFilter): (pet: StoredPet) => boolean {
  const wanted = ids === undefined ? undefined : new Set(ids);
  const part = name === undefined ? "" : searchForm(name);
  return (pet) =>
    (status ?? pet.status) === pet.status &&
    (categoryId ?? pet.categoryId) === pet.categoryId &&
    (wanted?.has(pet.id) ?? true) &&
    (part === "" || searchForm(pet.name).includes(part));
}

function ordersLike({ petId, status }: OrderFilter): (order: StoredOrder) => boolean {
  return (order) =>
    (petId ?? order.petId) === order.petId && (status ?? order.status) === order.status;
}
