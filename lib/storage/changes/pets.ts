import { number, text } from "../../sql/rows.ts";
import {
  petFields,
  type PetStatus,
  type StoredOrder,
  type StoredPet,
} from "../../catalogue/model.ts";
import { changedPet, createdPet, isSale, placedOrder } from "../../catalogue/model-changes.ts";
import { searchForm } from "../../model/text.ts";
import { orderEvent, petEvent, profileEvent } from "../../model/event.ts";
import type { ChangeOf } from "../change.ts";
import { petChanges } from "../changed-fields.ts";
import type { JoinedCreation } from "../join-creations.ts";
import { columnOf, petColumns, petOf, petValues, storedPetFields } from "../rows.ts";
import type { BatchRows, SqlRow } from "../../sql/sql.ts";
import { INSERT_PROFILE, takeKey, writtenValues } from "./profiles.ts";
import {
  addCatalogueEvent,
  addEvents,
  REVISE,
  type NewEvent,
  type Outcomes,
  type StoreScript,
} from "./store-script.ts";
import { nothing, rowOf } from "../../sql/script.ts";

// Followed by `TAKEN`: two statements cost half of one with RETURNING, and this is the most frequent change.
const TAKE_IDS = `UPDATE catalogues
  SET next_pet_id = next_pet_id + ?, next_order_id = next_order_id + ?, revision = revision + 1
  WHERE id = ?`;

const TAKEN = `SELECT next_pet_id - 1 AS pet_id, next_order_id - 1 AS order_id, revision, account_id
  FROM catalogues WHERE id = ?`;

const TAKE_ORDER_ID = `UPDATE catalogues SET next_order_id = next_order_id + 1, revision = revision + 1
  WHERE id = ? RETURNING next_order_id - 1 AS order_id, revision, account_id`;

// A separate statement: as part of another one it costs SQLite ten times as much.
const HAS_CATEGORY = "SELECT 1 AS found FROM categories WHERE catalogue_id = ? AND id = ?";

const COLUMNS = storedPetFields.map(columnOf).join(", ");

const INSERT_PET = `INSERT INTO pets (catalogue_id, folded_name, ${COLUMNS})
  VALUES (?, ?, ${storedPetFields.map(() => "?").join(", ")})`;

/** Creates pets in one catalogue and ends their changes. They take their ids together; each category is checked once. */
export function createPets(script: StoreScript, changes: readonly JoinedCreation[]): void {
  const [first] = changes;
  if (first === undefined) return;
  const { catalogueId } = first;
  const sales = changes.filter(ordersIn).length;
  script.add(TAKE_IDS, [changes.length, sales, catalogueId]);
  const taken = script.revise(catalogueId, TAKEN, "unknown_category");
  const created = creationOf(changes, taken, sales);
  const found = new Set<number>();
  for (const [index, { pet, profile, at }] of changes.entries()) {
    if (!found.has(pet.categoryId)) {
      found.add(pet.categoryId);
      script.demand(HAS_CATEGORY, [catalogueId, pet.categoryId], "unknown_category");
    }
    if (profile !== undefined) takeKey(script, profile, { catalogueId, petId: 0, at });
    script.end((rows) => created(rows).pets[index]);
  }
  script.addMany(INSERT_PET, changes.length, (rows, index) => {
    const pet = created(rows).pets[index];
    if (pet === undefined) return undefined;
    return [catalogueId, searchForm(pet.name), ...petValues(pet, storedPetFields)];
  });
  const described = changes.flatMap(({ profile, at }, index) =>
    profile === undefined ? [] : [{ profile, at, index }],
  );
  script.addMany(INSERT_PROFILE, described.length, (rows, row) => {
    const one = described[row];
    const pet = one && created(rows).pets[one.index];
    return pet && [catalogueId, pet.id, one.at, ...writtenValues(one.profile)];
  });
  script.addMany(INSERT_ORDER, sales, (rows, index) => {
    const order = created(rows).orders[index];
    return order && [catalogueId, order.id, order.petId, order.createdAt, null];
  });
  addEvents(script, changes.length + sales + described.length, (rows) => created(rows).events);
}

/** Returns true if the creation writes an order. */
function ordersIn({ pet, soldAt }: JoinedCreation): boolean {
  return isSale(undefined, pet.status) && soldAt !== null;
}

interface Creation {
  readonly pets: StoredPet[];
  readonly orders: StoredOrder[];
  /** The events in the order of the changes. */
  readonly events: NewEvent[];
}

/** Returns a function that makes the rows of the changes from the ids in the row of the step `taken`. */
function creationOf(
  changes: readonly JoinedCreation[],
  taken: number,
  sales: number,
): (rows: BatchRows) => Creation {
  let from: SqlRow | undefined;
  let made: Creation = { pets: [], orders: [], events: [] };
  return (rows) => {
    const row = rowOf(rows, taken);
    if (row === from) return made;
    from = row;
    made = { pets: [], orders: [], events: [] };
    const accountId = text(row, "account_id");
    let petId = number(row, "pet_id") - changes.length;
    let orderId = number(row, "order_id") - sales;
    for (const change of changes) {
      const { catalogueId, pet: fields, profile, at, actor } = change;
      const pet = createdPet(++petId, fields, at);
      const about = { accountId, catalogueId, at, actor };
      made.pets.push(pet);
      made.events.push({ ...about, type: "pet.created", data: petEvent(pet) });
      if (ordersIn(change)) {
        const order = placedOrder({ id: ++orderId, petId, createdAt: change.soldAt ?? at });
        made.orders.push(order);
        made.events.push({ ...about, type: "order.placed", data: orderEvent(order) });
      }
      if (profile === undefined) continue;
      const data = profileEvent(petId, profile);
      made.events.push({ ...about, type: "pet.profile_updated", data });
    }
    return made;
  };
}

const INSERT_ORDER = `INSERT INTO orders (catalogue_id, id, pet_id, status, created_at, version, status_before)
  VALUES (?, ?, ?, 'placed', ?, 1, ?)`;

/** Adds the order of a sold pet. The row of the step `taken` holds the order's id. */
function placeOrder(
  script: StoreScript,
  taken: number,
  order: {
    readonly catalogueId: number;
    readonly at: number;
    readonly petId: number;
    readonly soldAt: number;
    readonly statusBefore: PetStatus;
  },
): void {
  const { catalogueId, at, petId, soldAt, statusBefore } = order;
  const orderId = (rows: BatchRows): number => number(rowOf(rows, taken), "order_id");
  script.add(INSERT_ORDER, (rows) => [catalogueId, orderId(rows), petId, soldAt, statusBefore]);
  addCatalogueEvent(script, taken, {
    type: "order.placed",
    catalogueId,
    at,
    data: (rows) => orderEvent(placedOrder({ id: orderId(rows), petId, createdAt: soldAt })),
  });
}

const CHANGING: readonly (keyof StoredPet)[] = [...petFields, "version", "updatedAt"];

const UPDATE_PET = `UPDATE pets
  SET folded_name = ?, ${CHANGING.map((field) => `${columnOf(field)} = ?`).join(", ")}
  WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id`;

export function updatePet(
  script: StoreScript,
  { catalogueId, from, to, at, soldAt = at, profileVersion }: ChangeOf<"pet.update">,
): Outcomes {
  const pet = changedPet(from, to, at);
  const { name, categoryId, status } = to;
  const sale = isSale(from.status, status) && soldAt !== null;
  const revised = script.revise(catalogueId, sale ? TAKE_ORDER_ID : REVISE, "stale");
  const values = [searchForm(name), ...petValues(pet, CHANGING)];
  script.demand(UPDATE_PET, [...values, catalogueId, pet.id, from.version], "stale");
  demandProfile(script, catalogueId, pet.id, profileVersion);
  if (categoryId !== from.categoryId) {
    script.demand(HAS_CATEGORY, [catalogueId, categoryId], "unknown_category");
  }
  addCatalogueEvent(script, revised, {
    type: status === from.status ? "pet.updated" : "pet.status_changed",
    catalogueId,
    at,
    changed: petChanges(from, to),
    data: () => (status === from.status ? petEvent(pet) : { ...petEvent(pet), from: from.status }),
  });
  if (sale) {
    const order = { petId: pet.id, soldAt, statusBefore: from.status };
    placeOrder(script, revised, { catalogueId, at, ...order });
  }
  return () => pet;
}

const HAS_PROFILE = `SELECT 1 AS found
  WHERE COALESCE((SELECT version FROM profiles WHERE catalogue_id = ? AND pet_id = ?), 0) = ?`;

function demandProfile(
  script: StoreScript,
  catalogueId: number,
  petId: number,
  version: number | undefined,
): void {
  if (version !== undefined) script.demand(HAS_PROFILE, [catalogueId, petId, version], "stale");
}

const MOVE_TO_DELETED = `INSERT INTO deleted_pets (catalogue_id, ${COLUMNS}, deleted_at)
  SELECT catalogue_id, ${COLUMNS}, ?
  FROM pets WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id`;

const DELETE_PET = "DELETE FROM pets WHERE catalogue_id = ? AND id = ?";

export function deletePet(
  script: StoreScript,
  { catalogueId, from, at, profileVersion }: ChangeOf<"pet.delete">,
): Outcomes {
  const revised = script.revise(catalogueId, REVISE, "stale");
  script.demand(MOVE_TO_DELETED, [at, catalogueId, from.id, from.version], "stale");
  demandProfile(script, catalogueId, from.id, profileVersion);
  script.add(DELETE_PET, [catalogueId, from.id]);
  addCatalogueEvent(script, revised, {
    type: "pet.deleted",
    catalogueId,
    at,
    data: () => petEvent(from),
  });
  return nothing;
}

const RESTORED: Readonly<Record<string, string>> = { version: "version + 1", updatedAt: "?" };

const MOVE_BACK = `INSERT INTO pets (catalogue_id, ${COLUMNS})
  SELECT catalogue_id, ${storedPetFields.map((field) => RESTORED[field] ?? columnOf(field)).join(", ")}
  FROM deleted_pets WHERE catalogue_id = ? AND id = ? AND deleted_at > ?
  RETURNING ${petColumns}`;

const FOLD_NAME = "UPDATE pets SET folded_name = ? WHERE catalogue_id = ? AND id = ?";

const FORGET_DELETED = "DELETE FROM deleted_pets WHERE catalogue_id = ? AND id = ?";

export function restorePet(
  script: StoreScript,
  { catalogueId, petId, deletedAfter, at }: ChangeOf<"pet.restore">,
): Outcomes {
  const revised = script.revise(catalogueId, REVISE, "missing");
  const restored = script.demand(MOVE_BACK, [at, catalogueId, petId, deletedAfter], "missing");
  const pet = (rows: BatchRows): StoredPet => petOf(rowOf(rows, restored));
  // The category may be deleted if `deletedAfter` lies before the time for which a deleted pet keeps its category.
  script.demand(HAS_CATEGORY, (rows) => [catalogueId, pet(rows).categoryId], "missing");
  script.add(FOLD_NAME, (rows) => [searchForm(pet(rows).name), catalogueId, petId]);
  script.add(FORGET_DELETED, [catalogueId, petId]);
  addCatalogueEvent(script, revised, {
    type: "pet.restored",
    catalogueId,
    at,
    data: (rows) => petEvent(pet(rows)),
  });
  return pet;
}
