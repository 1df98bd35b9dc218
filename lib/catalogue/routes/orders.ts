import { done } from "../../base/result.ts";
import { list } from "./operation.ts";
import { choiceParameter, idParameter } from "../../http/parameters.ts";
import type { ValueOf } from "../../base/schema.ts";
import { orderShown, orderStatuses, type StoredOrder } from "../model.ts";
import { ordersShape, sentOrdersShape } from "../schema.ts";

export const ordersExample = [
  { id: 1, petId: 1, status: "placed", createdAt: "2026-11-20T09:30:00.000Z" },
] as const;

const filters = {
  petId: idParameter("Only orders of this animal."),
  status: choiceParameter("Only orders in this status.", orderStatuses),
};

/** Returns an order as the management API lists it. */
export function shownOrder({
  version: _version,
  updatedAt: _updatedAt,
  ...order
}: StoredOrder): ValueOf<typeof ordersShape>[number] {
  return order;
}

export const listOrders = list({
  path: "/orders",
  public: {
    operationId: "listOrders",
    path: "/store/orders",
    scope: "orders:read",
    stability: "experimental",
    hideTryItPanel: true,
    description:
      "Returns a paginated list of orders, newest first. An order is created when an animal becomes `sold`.",
    success: "One page of orders.",
    filters,
    items: { schema: sentOrdersShape, example: ordersExample, show: orderShown },
  },
  management: {
    operationId: "listAnimalOrders",
    role: "viewer",
    filters,
    pages: { order: "desc", after: idParameter("Only orders older than the one with this ID.") },
  },
  summary: "List orders",
  description: "Newest first. An order is created when an animal becomes `sold`.",
  success: "One page. `Link` leads to the next one, if any.",
  items: {
    schema: ordersShape,
    example: ordersExample,
    show: shownOrder,
  },
  select: ({ store: { orders } }, { catalogueId, query: { petId, status } }) => {
    const filter = { petId, status };
    return done({
      rows: (page) => orders.list(catalogueId, filter, page),
      count: () => orders.count(catalogueId, filter),
    });
  },
});

export const orderOperations = [listOrders] as const;
