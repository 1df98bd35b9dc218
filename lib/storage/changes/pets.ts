import { number } from "../../sql/rows.ts";
import {
  changedPet,
  createdPet,
  isSale,
  petFields,
  type StoredPet,
} from "../../catalogue/model.ts";
import { searchForm } from "../../model/text.ts";
import { orderEvent, petEvent } from "../../model/event.ts";
import type { ChangeOf } from "../change.ts";
import { columnOf, petColumns, petOf, storedPetFields } from "../rows.ts";
import type { BatchRows } from "../../sql/sql.ts";
import { addCatalogueEvent, REVISE, type Outcomes, type StoreScript } from "./store-script.ts";
import { nothing, rowOf } from "../../sql/script.ts";

// Followed by `TAKEN`: two statements cost half of one with RETURNING, and this is the most frequent change.
const TAKE_PET_ID =
  "UPDATE catalogues SET next_pet_id = next_pet_id + 1, revision = revision + 1 WHERE id = ?";

const TAKE_PET_AND_ORDER_ID = `UPDATE catalogues
  SET next_pet_id = next_pet_id + 1, next_order_id = next_order_id + 1, revision = revision + 1
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

// Pets of one catalogue take their ids together, and each category is looked up once.
const TAKE_IDS = `UPDATE catalogues
  SET next_pet_id = next_pet_id + ?, next_order_id = next_order_id + ?, revision = revision + 1
  WHERE id = ?`;

/** Creates pets in one catalogue and ends their changes. */
export function createPets(script: StoreScript, changes: readonly ChangeOf<"pet.create">[]): void {
  const [first] = changes;
  if (first === undefined) return;
  const { catalogueId } = first;
  const sales = changes.filter(({ pet }) => isSale(undefined, pet.status)).length;
  if (changes.length > 1) script.add(TAKE_IDS, [changes.length, sales, catalogueId]);
  else script.add(sales > 0 ? TAKE_PET_AND_ORDER_ID : TAKE_PET_ID, [catalogueId]);
  const taken = script.revise(catalogueId, TAKEN, "unknown_category");
  const found = new Set<number>();
  let sold = 0;
  for (const [index, { pet, at }] of changes.entries()) {
    if (!found.has(pet.categoryId)) {
      found.add(pet.categoryId);
      script.demand(HAS_CATEGORY, [catalogueId, pet.categoryId], "unknown_category");
    }
    const id = (rows: BatchRows): number =>
      number(rowOf(rows, taken), "pet_id") - (changes.length - 1) + index;
    const created = (rows: BatchRows): StoredPet => createdPet(id(rows), pet, at);
    script.add(INSERT_PET, (rows) => {
      const row = created(rows);
      return [catalogueId, searchForm(pet.name), ...storedPetFields.map((field) => row[field])];
    });
    addCatalogueEvent(script, taken, {
      type: "pet.created",
      catalogueId,
      at,
      data: (rows) => petEvent(created(rows)),
    });
    if (isSale(undefined, pet.status)) {
      const place = sold++;
      const orderId = (rows: BatchRows): number =>
        number(rowOf(rows, taken), "order_id") - (sales - 1) + place;
      placeOrder(script, taken, { catalogueId, at, petId: id, orderId });
    }
    script.end(created);
  }
}

const INSERT_ORDER =
  "INSERT INTO orders (catalogue_id, id, pet_id, status, created_at) VALUES (?, ?, ?, 'placed', ?)";

function placeOrder(
  script: StoreScript,
  taken: number,
  {
    catalogueId,
    at,
    petId,
    orderId = (rows) => number(rowOf(rows, taken), "order_id"),
  }: {
    readonly catalogueId: number;
    readonly at: number;
    readonly petId: (rows: BatchRows) => number;
    /** Default: the id in the row of the step `taken`. */
    readonly orderId?: (rows: BatchRows) => number;
  },
): void {
  script.add(INSERT_ORDER, (rows) => [catalogueId, orderId(rows), petId(rows), at]);
  addCatalogueEvent(script, taken, {
    type: "order.placed",
    catalogueId,
    at,
    data: (rows) =>
      orderEvent({ id: orderId(rows), petId: petId(rows), status: "placed", createdAt: at }),
  });
}

const CHANGING = [...petFields, "version", "updatedAt"] as const;

const UPDATE_PET = `UPDATE pets
  SET folded_name = ?, ${CHANGING.map((field) => `${columnOf(field)} = ?`).join(", ")}
  WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id`;

export function updatePet(
  script: StoreScript,
  { catalogueId, from, to, at }: ChangeOf<"pet.update">,
): Outcomes {
  const pet = changedPet(from, to, at);
  const { name, categoryId, status } = to;
  const sale = isSale(from.status, status);
  const revised = script.revise(catalogueId, sale ? TAKE_ORDER_ID : REVISE, "stale");
  const values = [searchForm(name), ...CHANGING.map((field) => pet[field])];
  script.demand(UPDATE_PET, [...values, catalogueId, pet.id, from.version], "stale");
  if (categoryId !== from.categoryId) {
    script.demand(HAS_CATEGORY, [catalogueId, categoryId], "unknown_category");
  }
  addCatalogueEvent(script, revised, {
    type: status === from.status ? "pet.updated" : "pet.status_changed",
    catalogueId,
    at,
    data: () => (status === from.status ? petEvent(pet) : { ...petEvent(pet), from: from.status }),
  });
  if (sale) placeOrder(script, revised, { catalogueId, at, petId: () => pet.id });
  return () => pet;
}

const MOVE_TO_DELETED = `INSERT INTO deleted_pets (catalogue_id, ${COLUMNS}, deleted_at)
  SELECT catalogue_id, ${COLUMNS}, ?
  FROM pets WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id`;

const DELETE_PET = "DELETE FROM pets WHERE catalogue_id = ? AND id = ?";

export function deletePet(
  script: StoreScript,
  { catalogueId, from, at }: ChangeOf<"pet.delete">,
): Outcomes {
  const revised = script.revise(catalogueId, REVISE, "stale");
  script.demand(MOVE_TO_DELETED, [at, catalogueId, from.id, from.version], "stale");
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
