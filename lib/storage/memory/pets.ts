import { done, refused } from "../../base/result.ts";
import {
  foldCategoryName,
  type StoredCategory,
  type StoredOrder,
  changedPet,
  createdPet,
  isSale,
  RESTORE_MS,
} from "../../catalogue/model.ts";
import { categoryEvent, orderEvent, petEvent, type EventType } from "../../model/event.ts";
import type { ChangeOf } from "../change.ts";
import type { Applied, Shelf, World } from "./world.ts";

/** The shelf of a catalogue whose account exists. */
function shelfOf(world: World, catalogueId: number): Shelf | undefined {
  return world.numbers.has(catalogueId) ? world.shelves.get(catalogueId) : undefined;
}

export function createPet(world: World, { catalogueId, pet, at }: ChangeOf<"pet.create">): Applied {
  const shelf = shelfOf(world, catalogueId);
  if (shelf?.categories.get(pet.categoryId) === undefined) return refused("unknown_category");
  const id = world.take(catalogueId, "pet")?.pet ?? 0;
  const created = createdPet(id, pet, at);
  world.put(shelf.pets, id, created);
  tell(world, shelf, "pet.created", at, petEvent(created));
  if (isSale(undefined, pet.status)) placeOrder(world, shelf, id, at);
  return done({ ...created });
}

export function updatePet(
  world: World,
  { catalogueId, from, to, at }: ChangeOf<"pet.update">,
): Applied {
  const shelf = shelfOf(world, catalogueId);
  const before = shelf?.pets.get(from.id);
  if (shelf === undefined || before?.version !== from.version) return refused("stale");
  if (shelf.categories.get(to.categoryId) === undefined) return refused("unknown_category");
  const pet = changedPet(before, to, at);
  world.take(catalogueId);
  world.put(shelf.pets, pet.id, pet);
  if (pet.status === before.status) tell(world, shelf, "pet.updated", at, petEvent(pet));
  else tell(world, shelf, "pet.status_changed", at, { ...petEvent(pet), from: before.status });
  if (isSale(before.status, pet.status)) placeOrder(world, shelf, pet.id, at);
  return done({ ...pet });
}

function placeOrder(world: World, shelf: Shelf, petId: number, at: number): void {
  const id = world.take(shelf.catalogue.id, "order")?.order ?? 0;
  const order: StoredOrder = { id, petId, status: "placed", createdAt: at };
  world.put(shelf.orders, id, order);
  tell(world, shelf, "order.placed", at, orderEvent(order));
}

export function deletePet(
  world: World,
  { catalogueId, from, at }: ChangeOf<"pet.delete">,
): Applied {
  const shelf = shelfOf(world, catalogueId);
  const pet = shelf?.pets.get(from.id);
  if (shelf === undefined || pet?.version !== from.version) return refused("stale");
  world.take(catalogueId);
  world.put(shelf.pets, pet.id, undefined);
  world.put(shelf.deletedPets, pet.id, { ...pet, deletedAt: at });
  tell(world, shelf, "pet.deleted", at, petEvent(pet));
  return done(undefined);
}

export function restorePet(
  world: World,
  { catalogueId, petId, deletedAfter, at }: ChangeOf<"pet.restore">,
): Applied {
  const shelf = shelfOf(world, catalogueId);
  const deleted = shelf?.deletedPets.get(petId);
  if (shelf === undefined || deleted === undefined || deleted.deletedAt <= deletedAfter) {
    return refused("missing");
  }
  if (shelf.categories.get(deleted.categoryId) === undefined) return refused("missing");
  const pet = changedPet(deleted, deleted, at);
  world.take(catalogueId);
  world.put(shelf.deletedPets, petId, undefined);
  world.put(shelf.pets, petId, pet);
  tell(world, shelf, "pet.restored", at, petEvent(pet));
  return done({ ...pet });
}

export function createCategory(
  world: World,
  { catalogueId, name, at }: ChangeOf<"category.create">,
): Applied {
  const shelf = shelfOf(world, catalogueId);
  if (shelf === undefined) return refused("missing");
  if (hasName(shelf, name)) return refused("exists");
  const id = world.take(catalogueId, "category")?.category ?? 0;
  const category: StoredCategory = { id, name, version: 1, updatedAt: at };
  world.put(shelf.categories, id, category);
  tell(world, shelf, "category.created", at, categoryEvent(category));
  return done({ ...category });
}

export function updateCategory(
  world: World,
  { catalogueId, from, name, at }: ChangeOf<"category.update">,
): Applied {
  const shelf = shelfOf(world, catalogueId);
  if (shelf?.categories.get(from.id)?.version !== from.version) return refused("stale");
  if (hasName(shelf, name, from.id)) return refused("exists");
  const category: StoredCategory = { id: from.id, name, version: from.version + 1, updatedAt: at };
  world.take(catalogueId);
  world.put(shelf.categories, from.id, category);
  tell(world, shelf, "category.updated", at, categoryEvent(category));
  return done({ ...category });
}

export function deleteCategory(
  world: World,
  { catalogueId, from, at }: ChangeOf<"category.delete">,
): Applied {
  const shelf = shelfOf(world, catalogueId);
  const category = shelf?.categories.get(from.id);
  if (shelf === undefined || category?.version !== from.version) return refused("stale");
  const inUse =
    shelf.pets.count(({ categoryId }) => categoryId === from.id) > 0 ||
    shelf.deletedPets.count(
      ({ categoryId, deletedAt }) => categoryId === from.id && deletedAt > at - RESTORE_MS,
    ) > 0;
  if (inUse) return refused("in_use");
  world.take(catalogueId);
  world.put(shelf.categories, from.id, undefined);
  tell(world, shelf, "category.deleted", at, categoryEvent(category));
  return done(undefined);
}

function hasName(shelf: Shelf, name: string, exceptId?: number): boolean {
  const folded = foldCategoryName(name);
  return [...shelf.categories.values()].some(
    (other) => other.id !== exceptId && foldCategoryName(other.name) === folded,
  );
}

function tell(
  world: World,
  { catalogue: { id: catalogueId, accountId } }: Shelf,
  type: EventType,
  at: number,
  data: Readonly<Record<string, unknown>>,
): void {
  world.writeEvent({ type, accountId, catalogueId, at, data });
}
