import { done, refused, type Result } from "../../base/result.ts";
import { foldCategoryName, type StoredCategory } from "../../model/category.ts";
import { categoryEvent, orderEvent, petEvent } from "../../model/event-data.ts";
import type { EventType } from "../../model/event.ts";
import type { StoredOrder } from "../../model/order.ts";
import { changedPet, createdPet, isSale, RESTORE_MS } from "../../model/pet.ts";
import type { Change, Outcome, Refusal } from "../change.ts";
import type { Shelf, World } from "./world.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;
type Applied = Result<Outcome, Refusal>;

/** The changes of animals and categories. */
export type CatalogueChange = Extract<Change, { kind: `pet.${string}` | `category.${string}` }>;

export function applyToCatalogue(world: World, change: CatalogueChange): Applied {
  const shelf = world.numbers.has(change.catalogueId)
    ? world.shelves.get(change.catalogueId)
    : undefined;
  switch (change.kind) {
    case "pet.create":
      return shelf === undefined ? refused("unknown_category") : createPet(world, shelf, change);
    case "pet.update":
      return shelf === undefined ? refused("stale") : updatePet(world, shelf, change);
    case "pet.delete":
      return shelf === undefined ? refused("stale") : deletePet(world, shelf, change);
    case "pet.restore":
      return shelf === undefined ? refused("missing") : restorePet(world, shelf, change);
    case "category.create":
      return shelf === undefined ? refused("missing") : createCategory(world, shelf, change);
    case "category.update":
      return shelf === undefined ? refused("stale") : updateCategory(world, shelf, change);
    case "category.delete":
      return shelf === undefined ? refused("stale") : deleteCategory(world, shelf, change);
  }
}

function createPet(world: World, shelf: Shelf, { pet, at }: Of<"pet.create">): Applied {
  if (shelf.categories.get(pet.categoryId) === undefined) return refused("unknown_category");
  const id = world.take(shelf.catalogue.id, "pet")?.pet ?? 0;
  const created = createdPet(id, pet, at);
  world.put(shelf.pets, id, created);
  tell(world, shelf, "pet.created", at, petEvent(created));
  if (isSale(undefined, pet.status)) placeOrder(world, shelf, id, at);
  return done({ ...created });
}

function updatePet(world: World, shelf: Shelf, change: Of<"pet.update">): Applied {
  const { from, to, at } = change;
  const before = shelf.pets.get(from.id);
  if (before?.version !== from.version) return refused("stale");
  if (shelf.categories.get(to.categoryId) === undefined) return refused("unknown_category");
  const pet = changedPet(before, to, at);
  world.take(shelf.catalogue.id);
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

function deletePet(world: World, shelf: Shelf, { from, at }: Of<"pet.delete">): Applied {
  const pet = shelf.pets.get(from.id);
  if (pet?.version !== from.version) return refused("stale");
  world.take(shelf.catalogue.id);
  world.put(shelf.pets, pet.id, undefined);
  world.put(shelf.deletedPets, pet.id, { ...pet, deletedAt: at });
  tell(world, shelf, "pet.deleted", at, petEvent(pet));
  return done(undefined);
}

function restorePet(world: World, shelf: Shelf, change: Of<"pet.restore">): Applied {
  const { petId, deletedAfter, at } = change;
  const buried = shelf.deletedPets.get(petId);
  if (buried === undefined || buried.deletedAt <= deletedAfter) return refused("missing");
  if (shelf.categories.get(buried.categoryId) === undefined) return refused("missing");
  const pet = changedPet(buried, buried, at);
  world.take(shelf.catalogue.id);
  world.put(shelf.deletedPets, petId, undefined);
  world.put(shelf.pets, petId, pet);
  tell(world, shelf, "pet.restored", at, petEvent(pet));
  return done({ ...pet });
}

function createCategory(world: World, shelf: Shelf, change: Of<"category.create">): Applied {
  const { name, at } = change;
  if (hasName(shelf, name)) return refused("exists");
  const id = world.take(shelf.catalogue.id, "category")?.category ?? 0;
  const category: StoredCategory = { id, name, version: 1, updatedAt: at };
  world.put(shelf.categories, id, category);
  tell(world, shelf, "category.created", at, categoryEvent(category));
  return done({ ...category });
}

function updateCategory(world: World, shelf: Shelf, change: Of<"category.update">): Applied {
  const { from, name, at } = change;
  if (shelf.categories.get(from.id)?.version !== from.version) return refused("stale");
  if (hasName(shelf, name, from.id)) return refused("exists");
  const category: StoredCategory = { id: from.id, name, version: from.version + 1, updatedAt: at };
  world.take(shelf.catalogue.id);
  world.put(shelf.categories, from.id, category);
  tell(world, shelf, "category.updated", at, categoryEvent(category));
  return done({ ...category });
}

function deleteCategory(world: World, shelf: Shelf, change: Of<"category.delete">): Applied {
  const { from, at } = change;
  const category = shelf.categories.get(from.id);
  if (category?.version !== from.version) return refused("stale");
  const inUse =
    shelf.pets.count(({ categoryId }) => categoryId === from.id) > 0 ||
    [...shelf.deletedPets.values()].some(
      ({ categoryId, deletedAt }) => categoryId === from.id && deletedAt > at - RESTORE_MS,
    );
  if (inUse) return refused("in_use");
  world.take(shelf.catalogue.id);
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
  world.tell({ type, accountId, catalogueId, at, data });
}
