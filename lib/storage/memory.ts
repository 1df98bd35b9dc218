import { systemClock } from "../base/clock.ts";
import { MAX_ID } from "../base/id.ts";
import { done, refused } from "../base/result.ts";
import {
  type OrderFilter,
  type PetFilter,
  type StoredOrder,
  type StoredPet,
} from "../catalogue/model.ts";
import {
  profileValues,
  type Profile,
  type ProfileFilter,
  type StoredProfile,
} from "../catalogue/model-profile.ts";
import { system } from "../model/actor.ts";
import type { DomainEvent } from "../model/event.ts";
import { searchForm } from "../model/text.ts";
import type { Change, ChangeOf, Outcome } from "./change.ts";
import { accountAppliers, keyAppliers } from "./memory/accounts.ts";
import { catalogueAppliers } from "./memory/pets.ts";
import { photoBytes, photosByHash, profileAppliers } from "./memory/profiles.ts";
import {
  countOf,
  forReaders,
  MemoryState,
  pageOf,
  type Applied,
  type Appliers,
  type CatalogueTables,
} from "./memory/state.ts";
import { answerName, readUsage, upkeepAppliers } from "./memory/upkeep.ts";
import type { Store } from "./store.ts";
import { storeClock } from "../base/store-clock.ts";

/**
 * Creates a store in process memory, for tests and experiments. Runs anywhere. Lists read every row, which suits
 * thousands of animals, not millions.
 *
 * It is also the independent model of the SQL store: `test/properties/store-model.ts` applies the same random commits to
 * both and compares what they return and keep. It shares only the pure functions of the models with that store, and its
 * rows are maps that one change after another is applied to: no statements, indexes or batches. Keep it this plain.
 */
export function memoryStore(): Store {
  const state = new MemoryState();
  let closed = false;

  const open = (): MemoryState => {
    if (closed) throw new Error("The store is closed.");
    return state;
  };
  const tables = (catalogueId: number): CatalogueTables | undefined =>
    open().catalogues.get(catalogueId);
  const eventsOf = (accountId: string | undefined): DomainEvent[] =>
    [...open().events.values()].flatMap((recorded) => {
      const event = forReaders(recorded);
      return event !== undefined && (accountId ?? event.accountId) === event.accountId
        ? [event]
        : [];
    });

  const settings: Store["settings"] = { get: (name) => open().settings.get(name) };

  // Nothing awaits in here, so commits are isolated.
  const commit: Store["commit"] = async (changes, actor) => {
    open();
    state.actor = { ...actor };
    const outcomes: Outcome[] = [];
    try {
      for (const [index, change] of changes.entries()) {
        const applied = apply(state, change, outcomes);
        if (!applied.ok) {
          state.rollback();
          return refused({ index, refusal: applied.failure });
        }
        outcomes.push(applied.value);
      }
    } catch (error) {
      state.rollback();
      throw error;
    }
    state.commit();
    return done(outcomes);
  };

  return {
    clock: storeClock({
      clock: systemClock,
      read: (name) => settings.get(name),
      write: (name, value) => commit([{ kind: "setting.save", name, value }], system),
    }),
    accounts: {
      byId: (id) => structuredClone(open().accounts.get(id)),
      list: () =>
        structuredClone([...open().accounts.values()]).toSorted(
          (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
        ),
    },
    catalogues: {
      of: (accountId, environment) =>
        [...open().catalogues.values()]
          .map(({ catalogue }) => ({ ...catalogue }))
          .find(
            (catalogue) =>
              state.sequences.has(catalogue.id) &&
              catalogue.accountId === accountId &&
              catalogue.environment === environment,
          ),
      byId: (id) => structuredClone(open().tablesOf(id)?.catalogue),
      revision: (id) => open().sequences.get(id)?.revision ?? 0,
    },
    keys: {
      byId: (id) => structuredClone(open().keys.get(id)),
      ofAccount: (accountId) =>
        structuredClone(
          [...open().keys.values()].filter((key) => key.accountId === accountId),
        ).toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)),
    },
    pets: {
      byId: (catalogueId, id) => structuredClone(tables(catalogueId)?.pets.get(id)),
      list: (catalogueId, filter, page) =>
        pageOf(tables(catalogueId)?.pets, page, petsLike(filter, tables(catalogueId))),
      count: (catalogueId, filter) =>
        countOf(tables(catalogueId)?.pets, petsLike(filter, tables(catalogueId))),
      deleted: (catalogueId, deletedAfter, page) =>
        pageOf(tables(catalogueId)?.deletedPets, page, (pet) => pet.deletedAt > deletedAfter),
    },
    profiles: {
      of: (catalogueId, petIds) =>
        profilesIn(tables(catalogueId), ({ petId }) => petIds.includes(petId)),
      byExternalIds: (catalogueId, source, externalIds) => {
        const present = tables(catalogueId);
        return profilesIn(
          present,
          ({ petId, fields }) =>
            fields.externalId !== undefined &&
            externalIds.includes(fields.externalId) &&
            fields.source === source &&
            present?.pets.has(petId) === true,
        );
      },
      values: (catalogueId) =>
        profileValues(
          [...(tables(catalogueId)?.profiles.values() ?? [])].map(({ fields }) => fields),
        ),
    },
    photos: {
      of: (catalogueId, petIds) =>
        structuredClone(
          [...(tables(catalogueId)?.photos ?? [])]
            .filter(([petId]) => petIds.includes(petId))
            .toSorted(([a], [b]) => a - b)
            .flatMap(([, photos]) => photos),
        ),
      byHash: (hash, catalogueId) => photosByHash(open(), hash, catalogueId),
      bytes: (accountId) => photoBytes(open(), accountId),
    },
    categories: {
      byId: (catalogueId, id) => structuredClone(tables(catalogueId)?.categories.get(id)),
      list: (catalogueId, page) => pageOf(tables(catalogueId)?.categories, page, () => true),
      count: (catalogueId) => tables(catalogueId)?.categories.size ?? 0,
    },
    orders: {
      byId: (catalogueId, id) => structuredClone(tables(catalogueId)?.orders.get(id)),
      adopter: (catalogueId, orderId) =>
        structuredClone(tables(catalogueId)?.adoptions.get(orderId)?.adopter),
      list: (catalogueId, filter, page) =>
        pageOf(tables(catalogueId)?.orders, page, ordersLike(filter)),
      count: (catalogueId, filter) => countOf(tables(catalogueId)?.orders, ordersLike(filter)),
    },
    answers: {
      find: (id) => structuredClone(tables(id.catalogueId)?.answers.get(answerName(id))),
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
      recorded: (seq, limit) =>
        structuredClone(
          [...open().events.values()].filter((event) => event.seq > seq).slice(0, limit),
        ),
      last: () => [...open().events.keys()].at(-1) ?? 0,
    },
    feed: {
      after: (after, limit, through = MAX_ID) =>
        [...open().feed.values()]
          .filter(({ seq }) => seq > after && seq <= through)
          .slice(0, limit)
          .map(({ seq, topic, subject }) => ({ seq, topic, subject })),
      last: () => [...open().feed.keys()].at(-1) ?? 0,
    },
    usage: { read: (query, limit) => readUsage(open(), query, limit) },
    settings,

    commit,
    checkWritable: async () => void open(),
    close: async () => {
      closed = true;
    },
  };
}

function profilesIn(
  tables: CatalogueTables | undefined,
  wanted: (profile: StoredProfile) => boolean,
): readonly StoredProfile[] {
  return structuredClone(
    [...(tables?.profiles.values() ?? [])]
      .filter(wanted)
      .toSorted((a, b) => a.petId - b.petId)
      .map(({ nextPhotoId: _next, ...profile }) => profile),
  );
}

const appliers: Appliers = {
  ...accountAppliers,
  ...keyAppliers,
  ...catalogueAppliers,
  ...profileAppliers,
  ...upkeepAppliers,
};

function apply<Kind extends Change["kind"]>(
  state: MemoryState,
  change: ChangeOf<Kind>,
  outcomes: readonly Outcome[],
): Applied {
  const applier: Appliers[Kind] = appliers[change.kind];
  return applier(state, change, outcomes);
}

function petsLike(
  { status, categoryId, ids, name, profile = {} }: PetFilter,
  tables: CatalogueTables | undefined,
): (pet: StoredPet) => boolean {
  const wanted = ids === undefined ? undefined : new Set(ids);
  const part = name === undefined ? "" : searchForm(name);
  return (pet) =>
    (status ?? pet.status) === pet.status &&
    (categoryId ?? pet.categoryId) === pet.categoryId &&
    (wanted?.has(pet.id) ?? true) &&
    (part === "" || searchForm(pet.name).includes(part)) &&
    isLike(profile, pet, tables?.profiles.get(pet.id)?.fields ?? {});
}

function isLike(
  { sex, size, goodWith = [], bornFrom, bornUntil, words }: ProfileFilter,
  { name }: StoredPet,
  profile: Profile,
): boolean {
  const born = profile.birth?.date;
  const part = words === undefined ? "" : searchForm(words);
  return (
    (sex ?? profile.sex) === profile.sex &&
    (size ?? profile.size) === profile.size &&
    goodWith.every((companion) => profile.goodWith?.[companion] === "yes") &&
    (bornFrom === undefined || (born !== undefined && born >= bornFrom)) &&
    (bornUntil === undefined || (born !== undefined && born <= bornUntil)) &&
    [name, profile.breed?.text ?? ""].some((text) => searchForm(text).includes(part))
  );
}

function ordersLike({ petId, status }: OrderFilter): (order: StoredOrder) => boolean {
  return (order) =>
    (petId ?? order.petId) === order.petId && (status ?? order.status) === order.status;
}
