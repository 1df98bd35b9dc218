import { number } from "../../sql/rows.ts";
import { foldCategoryName, type StoredCategory, RESTORE_MS } from "../../catalogue/model.ts";
import { categoryEvent } from "../../model/event.ts";
import type { ChangeOf } from "../change.ts";
import { NAME } from "../changed-fields.ts";
import type { BatchRows } from "../../sql/sql.ts";
import { addCatalogueEvent, REVISE, type Outcomes, type StoreScript } from "./store-script.ts";
import { nothing, rowOf } from "../../sql/script.ts";

const TAKE_CATEGORY_ID = `UPDATE catalogues
  SET next_category_id = next_category_id + 1, revision = revision + 1
  WHERE id = ? RETURNING next_category_id - 1 AS category_id, revision, account_id`;

const INSERT_CATEGORY = `INSERT INTO categories
  (catalogue_id, id, name, folded_name, version, updated_at) VALUES (?, ?, ?, ?, 1, ?)
  ON CONFLICT (catalogue_id, folded_name) DO NOTHING RETURNING id`;

export function createCategory(
  script: StoreScript,
  { catalogueId, name, at }: ChangeOf<"category.create">,
): Outcomes {
  const taken = script.revise(catalogueId, TAKE_CATEGORY_ID, "missing");
  const created = (rows: BatchRows): StoredCategory => ({
    id: number(rowOf(rows, taken), "category_id"),
    name,
    version: 1,
    updatedAt: at,
  });
  script.demand(
    INSERT_CATEGORY,
    (rows) => [catalogueId, created(rows).id, name, foldCategoryName(name), at],
    "exists",
  );
  addCatalogueEvent(script, taken, {
    type: "category.created",
    catalogueId,
    at,
    data: (rows) => categoryEvent(created(rows)),
  });
  return created;
}

const CATEGORY_AT_VERSION =
  "SELECT id FROM categories WHERE catalogue_id = ? AND id = ? AND version = ?";

const RENAME_CATEGORY = `UPDATE categories SET name = ?, folded_name = ?, version = ?, updated_at = ?
  WHERE catalogue_id = ? AND id = ? AND NOT EXISTS (
    SELECT 1 FROM categories AS other
    WHERE other.catalogue_id = ? AND other.folded_name = ? AND other.id <> ?
  ) RETURNING id`;

export function updateCategory(
  script: StoreScript,
  { catalogueId, from, name, at }: ChangeOf<"category.update">,
): Outcomes {
  const category: StoredCategory = {
    id: from.id,
    name,
    version: from.version + 1,
    updatedAt: at,
  };
  const folded = foldCategoryName(name);
  const revised = script.revise(catalogueId, REVISE, "stale");
  script.demand(CATEGORY_AT_VERSION, [catalogueId, from.id, from.version], "stale");
  script.demand(
    RENAME_CATEGORY,
    [name, folded, category.version, at, catalogueId, from.id, catalogueId, folded, from.id],
    "exists",
  );
  addCatalogueEvent(script, revised, {
    type: "category.updated",
    catalogueId,
    at,
    changed: NAME,
    data: () => categoryEvent(category),
  });
  return () => category;
}

const DELETE_CATEGORY = `DELETE FROM categories WHERE catalogue_id = ? AND id = ?
  AND NOT EXISTS (SELECT 1 FROM pets WHERE catalogue_id = ? AND category_id = ?)
  AND NOT EXISTS (
    SELECT 1 FROM deleted_pets WHERE catalogue_id = ? AND category_id = ? AND deleted_at > ?
  ) RETURNING id`;

export function deleteCategory(
  script: StoreScript,
  { catalogueId, from, at }: ChangeOf<"category.delete">,
): Outcomes {
  const revised = script.revise(catalogueId, REVISE, "stale");
  script.demand(CATEGORY_AT_VERSION, [catalogueId, from.id, from.version], "stale");
  script.demand(
    DELETE_CATEGORY,
    [catalogueId, from.id, catalogueId, from.id, catalogueId, from.id, at - RESTORE_MS],
    "in_use",
  );
  addCatalogueEvent(script, revised, {
    type: "category.deleted",
    catalogueId,
    at,
    data: () => categoryEvent(from),
  });
  return nothing;
}
