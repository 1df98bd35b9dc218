import { done, refused } from "../base/result.ts";
import type { OrderFilter, StoredOrder, PetFilter, StoredPet } from "../catalogue/model.ts";
import type { DomainEvent } from "../model/event.ts";
import { searchForm } from "../model/text.ts";
import type { Change, ChangeOf, Outcome } from "./change.ts";
import {
  changeAccount,
  changeKey,
  createAccount,
  createKey,
  deleteAccount,
  rotateKey,
} from "./memory/accounts.ts";
import {
  createCategory,
  createPet,
  deleteCategory,
  deletePet,
  restorePet,
  updateCategory,
  updatePet,
} from "./memory/pets.ts";
import {
  purge,
  answerName,
  recordAnswer,
  saveCounters,
  addUsage,
  readUsage,
} from "./memory/upkeep.ts";
import { World, type Applied, type Shelf } from "./memory/world.ts";
import type { Store } from "./store.ts";

/**
 * A store in the memory of the process, for tests and experiments. Runs anywhere. Filtered lists read every row, so it
 * suits thousands of animals, not millions.
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
  const eventsOf = (accountId: string | undefined): DomainEvent[] =>
    [...open().events.values()].filter(
      (event) => (accountId ?? event.accountId) === event.accountId,
    );

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
          eventsOf(accountId)
            .filter((event) => event.seq > seq)
            .slice(0, limit),
        ),
      before: (seq, limit, accountId) =>
        structuredClone(
          eventsOf(accountId)
            .filter((event) => event.seq < seq)
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

    // Commits are isolated because nothing awaits in here.
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

type Applier<Kind extends Change["kind"]> = (
  world: World,
  change: ChangeOf<Kind>,
  outcomes: readonly Outcome[],
) => Applied;

const appliers: { readonly [Kind in Change["kind"]]: Applier<Kind> } = {
  "account.create": createAccount,
  "account.rename": changeAccount,
  "account.plan": changeAccount,
  "account.suspend": changeAccount,
  "account.delete": deleteAccount,
  "key.create": createKey,
  "key.rotate": rotateKey,
  "key.rename": changeKey,
  "key.revoke": changeKey,
  "key.ban": changeKey,
  "key.unban": changeKey,
  "pet.create": createPet,
  "pet.update": updatePet,
  "pet.delete": deletePet,
  "pet.restore": restorePet,
  "category.create": createCategory,
  "category.update": updateCategory,
  "category.delete": deleteCategory,
  "answer.record": recordAnswer,
  "counters.save": saveCounters,
  "usage.add": addUsage,
  "event.write": (world, { kind: _kind, ...event }) => {
    world.writeEvent(event);
    return done(undefined);
  },
  "setting.init": (world, { name, value }) => {
    if (!world.settings.has(name)) world.put(world.settings, name, value);
    return done(undefined);
  },
  purge,
};

function apply<Kind extends Change["kind"]>(
  world: World,
  change: ChangeOf<Kind>,
  outcomes: readonly Outcome[],
): Applied {
  const applier: Applier<Kind> = appliers[change.kind];
  return applier(world, change, outcomes);
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
