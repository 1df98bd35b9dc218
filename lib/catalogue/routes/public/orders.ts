import { orderShown, orderStatuses, type OrderFilter, MAX_ID } from "../../model.ts";
import type { Endpoint } from "../../../http/endpoint.ts";
import { paginate } from "../../../http/paginate.ts";
import { parameters } from "../../../http/parameters.ts";
import type { JsonSchema } from "../../../base/schema.ts";

const id = { type: "integer", format: "int64", minimum: 1, maximum: MAX_ID };

// Never an input: described only.
const OrderSchema: { readonly name: string; readonly json: JsonSchema } = {
  name: "Order",
  json: {
    type: "object",
    required: ["id", "petId", "status", "createdAt"],
    properties: {
      id,
      petId: id,
      status: { type: "string", enum: orderStatuses },
      createdAt: { type: "string", format: "date-time" },
    },
    additionalProperties: false,
  },
};

export const orderEndpoints: readonly Endpoint[] = [
  {
    operationId: "listOrders",
    method: "GET",
    path: "/store/orders",
    summary: "List orders",
    description:
      "Returns a paginated list of orders, newest first. An order is written whenever an animal becomes `sold`.",
    scope: "orders:read",
    stability: "experimental",
    hideTryItPanel: true,
    parameters: [
      parameters.limit,
      parameters.id("petId", "Only orders of this animal."),
      parameters.choice("status", "Only orders in this status.", orderStatuses),
      parameters.sort,
      parameters.cursor,
      parameters.count,
    ],
    pure: true,
    success: {
      status: 200,
      description: "One page of orders.",
      schema: { name: "Orders", json: { type: "array", items: OrderSchema.json } },
      example: [{ id: 1, petId: 1, status: "placed", createdAt: "2026-11-20T09:30:00.000Z" }],
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: ["invalid_parameter", "unknown_parameter", "invalid_cursor"],
    handle: (call, { actions, cursors }) => {
      const { caller, query } = call;
      const status = orderStatuses.find((one) => one === query.status);
      const filter: OrderFilter = {
        ...(query.petId === undefined ? {} : { petId: query.petId }),
        ...(status === undefined ? {} : { status }),
      };
      const { orders } = actions.store;
      return paginate(call, cursors, {
        name: "store/orders",
        filters: [
          ["petId", filter.petId],
          ["status", filter.status],
        ],
        rows: (page) => orders.list(caller.key.catalogueId, filter, page),
        count: () => orders.count(caller.key.catalogueId, filter),
        render: (order) => JSON.stringify(orderShown(order)),
      });
    },
  },
];
