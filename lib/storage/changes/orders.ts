import { changedOrder } from "../../catalogue/model-changes.ts";
import { orderEvent } from "../../model/event.ts";
import { nothing } from "../../sql/script.ts";
import type { ChangeOf } from "../change.ts";
import { orderChanges } from "../changed-fields.ts";
import { addCatalogueEvent, REVISE, type Outcomes, type StoreScript } from "./store-script.ts";

const UPDATE_ORDER = `UPDATE orders SET status = ?, returned_at = ?, version = ?, updated_at = ?
  WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id`;

const SAVE_ADOPTER = `INSERT INTO adoptions (catalogue_id, order_id, name, contact, date, saved_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (catalogue_id, order_id) DO UPDATE SET
    name = excluded.name, contact = excluded.contact, date = excluded.date,
    saved_at = excluded.saved_at`;

const REMOVE_ADOPTER = "DELETE FROM adoptions WHERE catalogue_id = ? AND order_id = ?";

export function updateOrder(script: StoreScript, change: ChangeOf<"order.update">): Outcomes {
  const { catalogueId, from, to, adopter, at } = change;
  const order = changedOrder(from, to, at);
  const { id, status, returnedAt, version } = order;
  const revised = script.revise(catalogueId, REVISE, "stale");
  const values = [status, returnedAt ?? null, version, at, catalogueId, id, from.version];
  script.demand(UPDATE_ORDER, values, "stale");
  if (adopter === null) script.add(REMOVE_ADOPTER, [catalogueId, id]);
  else if (adopter !== undefined) {
    const { name = null, contact = null, date = null } = adopter;
    script.add(SAVE_ADOPTER, [catalogueId, id, name, contact, date, at]);
  }
  addCatalogueEvent(script, revised, {
    type: "order.updated",
    catalogueId,
    at,
    changed: orderChanges(change),
    data: () => orderEvent(order),
  });
  return () => order;
}

const REMOVE_ORDER =
  "DELETE FROM orders WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id";

export function removeOrder(
  script: StoreScript,
  { catalogueId, from, at }: ChangeOf<"order.remove">,
): Outcomes {
  const revised = script.revise(catalogueId, REVISE, "stale");
  script.demand(REMOVE_ORDER, [catalogueId, from.id, from.version], "stale");
  script.add(REMOVE_ADOPTER, [catalogueId, from.id]);
  addCatalogueEvent(script, revised, {
    type: "order.removed",
    catalogueId,
    at,
    data: () => orderEvent(from),
  });
  return nothing;
}
