import { done, refused } from "../../base/result.ts";
import {
  foldCategoryName,
  type StoredCategory,
  type StoredOrder,
  RESTORE_MS,
} from "../../catalogue/model.ts";
import {
  changedOrder,
  changedPet,
  createdPet,
  isSale,
  placedOrder,
} from "../../catalogue/model-changes.ts";
import { categoryEvent, orderEvent, petEvent, profileEvent } from "../../model/event.ts";
import { NAME, orderChanges, petChanges } from "../changed-fields.ts";
import { putProfile, takeKey } from "./profiles.ts";
import {
  countOf,
  type Appliers,
  type CatalogueTables,
  type MemoryState,
  writeEvent,
} from "./state.ts";

/** Changes of animals and categories. */
export const catalogueAppliers: Appliers<
  `pet.${string}` | `category.${string}` | `order.${string}`
> = {
  "pet.create": (state, { catalogueId, pet, profile, at, soldAt = at }) => {
    const tables = state.tablesOf(catalogueId);
    if (tables?.categories.get(pet.categoryId) === undefined) return refused("unknown_category");
    if (profile !== undefined && !takeKey(state, tables, profile, at)) return refused("exists");
    const id = state.advance(catalogueId, "pet")?.pet ?? 0;
    const created = createdPet(id, pet, at);
    state.put(tables.pets, id, created);
    writeEvent(state, tables, "pet.created", at, petEvent(created));
    if (isSale(undefined, pet.status) && soldAt !== null) {
      placeOrder(state, tables, { petId: id, createdAt: soldAt }, at);
    }
    if (profile !== undefined) {
      putProfile(state, tables, { petId: id, version: 1, updatedAt: at, fields: profile });
      writeEvent(state, tables, "pet.profile_updated", at, profileEvent(id, profile));
    }
    return done({ ...created });
  },
  "pet.update": (state, { catalogueId, from, to, at, soldAt = at, profileVersion }) => {
    const tables = state.tablesOf(catalogueId);
    const before = tables?.pets.get(from.id);
    if (tables === undefined || before?.version !== from.version) return refused("stale");
    if (!hasProfile(tables, from.id, profileVersion)) return refused("stale");
    if (tables.categories.get(to.categoryId) === undefined) return refused("unknown_category");
    const pet = changedPet(before, to, at);
    state.advance(catalogueId);
    state.put(tables.pets, pet.id, pet);
    const changed = petChanges(from, to);
    if (pet.status === before.status) {
      writeEvent(state, tables, "pet.updated", at, petEvent(pet), changed);
    } else {
      const data = { ...petEvent(pet), from: before.status };
      writeEvent(state, tables, "pet.status_changed", at, data, changed);
    }
    if (isSale(before.status, pet.status) && soldAt !== null) {
      const statusBefore = before.status;
      placeOrder(state, tables, { petId: pet.id, createdAt: soldAt, statusBefore }, at);
    }
    return done({ ...pet });
  },
  "pet.delete": (state, { catalogueId, from, at, profileVersion }) => {
    const tables = state.tablesOf(catalogueId);
    const pet = tables?.pets.get(from.id);
    if (tables === undefined || pet?.version !== from.version) return refused("stale");
    if (!hasProfile(tables, from.id, profileVersion)) return refused("stale");
    state.advance(catalogueId);
    state.put(tables.pets, pet.id, undefined);
    state.put(tables.deletedPets, pet.id, { ...pet, deletedAt: at });
    writeEvent(state, tables, "pet.deleted", at, petEvent(pet));
    return done(undefined);
  },
  "pet.restore": (state, { catalogueId, petId, deletedAfter, at }) => {
    const tables = state.tablesOf(catalogueId);
    const deleted = tables?.deletedPets.get(petId);
    if (tables === undefined || deleted === undefined || deleted.deletedAt <= deletedAfter) {
      return refused("missing");
    }
    if (tables.categories.get(deleted.categoryId) === undefined) return refused("missing");
    const pet = changedPet(deleted, deleted, at);
    state.advance(catalogueId);
    state.put(tables.deletedPets, petId, undefined);
    state.put(tables.pets, petId, pet);
    writeEvent(state, tables, "pet.restored", at, petEvent(pet));
    return done({ ...pet });
  },
  "order.update": (state, change) => {
    const { catalogueId, from, to, adopter, at } = change;
    const tables = state.tablesOf(catalogueId);
    const before = tables?.orders.get(from.id);
    if (tables === undefined || before?.version !== from.version) return refused("stale");
    const order = changedOrder(before, to, at);
    state.advance(catalogueId);
    state.put(tables.orders, order.id, order);
    if (adopter !== undefined) {
      const saved = adopter === null ? undefined : { adopter: { ...adopter }, savedAt: at };
      state.put(tables.adoptions, order.id, saved);
    }
    writeEvent(state, tables, "order.updated", at, orderEvent(order), orderChanges(change));
    return done({ ...order });
  },
  "order.remove": (state, { catalogueId, from, at }) => {
    const tables = state.tablesOf(catalogueId);
    const order = tables?.orders.get(from.id);
    if (tables === undefined || order?.version !== from.version) return refused("stale");
    state.advance(catalogueId);
    state.put(tables.orders, order.id, undefined);
    state.put(tables.adoptions, order.id, undefined);
    writeEvent(state, tables, "order.removed", at, orderEvent(order));
    return done(undefined);
  },
  "category.create": (state, { catalogueId, name, at }) => {
    const tables = state.tablesOf(catalogueId);
    if (tables === undefined) return refused("missing");
    if (hasName(tables, name)) return refused("exists");
    const id = state.advance(catalogueId, "category")?.category ?? 0;
    const category: StoredCategory = { id, name, version: 1, updatedAt: at };
    state.put(tables.categories, id, category);
    writeEvent(state, tables, "category.created", at, categoryEvent(category));
    return done({ ...category });
  },
  "category.update": (state, { catalogueId, from, name, at }) => {
    const tables = state.tablesOf(catalogueId);
    if (tables?.categories.get(from.id)?.version !== from.version) return refused("stale");
    if (hasName(tables, name, from.id)) return refused("exists");
    const category: StoredCategory = {
      id: from.id,
      name,
      version: from.version + 1,
      updatedAt: at,
    };
    state.advance(catalogueId);
    state.put(tables.categories, from.id, category);
    writeEvent(state, tables, "category.updated", at, categoryEvent(category), NAME);
    return done({ ...category });
  },
  "category.delete": (state, { catalogueId, from, at }) => {
    const tables = state.tablesOf(catalogueId);
    const category = tables?.categories.get(from.id);
    if (tables === undefined || category?.version !== from.version) return refused("stale");
    const users =
      countOf(tables.pets, ({ categoryId }) => categoryId === from.id) +
      countOf(
        tables.deletedPets,
        ({ categoryId, deletedAt }) => categoryId === from.id && deletedAt > at - RESTORE_MS,
      );
    if (users > 0) return refused("in_use");
    state.advance(catalogueId);
    state.put(tables.categories, from.id, undefined);
    writeEvent(state, tables, "category.deleted", at, categoryEvent(category));
    return done(undefined);
  },
};

function placeOrder(
  state: MemoryState,
  tables: CatalogueTables,
  sale: Pick<StoredOrder, "petId" | "createdAt" | "statusBefore">,
  at: number,
): void {
  const id = state.advance(tables.catalogue.id, "order")?.order ?? 0;
  const order = placedOrder({ id, ...sale });
  state.put(tables.orders, id, order);
  writeEvent(state, tables, "order.placed", at, orderEvent(order));
}

function hasName(tables: CatalogueTables, name: string, exceptId?: number): boolean {
  const folded = foldCategoryName(name);
  return [...tables.categories.values()].some(
    (other) => other.id !== exceptId && foldCategoryName(other.name) === folded,
  );
}

function hasProfile(
  { profiles }: CatalogueTables,
  petId: number,
  version: number | undefined,
): boolean {
  return version === undefined || (profiles.get(petId)?.version ?? 0) === version;
}
