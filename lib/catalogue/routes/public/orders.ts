import { orderShown, orderStatuses, type OrderFilter, MAX_ID } from "../../model.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { keyWith } from "../../../http/public-endpoint.ts";
import { paginate } from "../../../http/paginate.ts";
import { choiceParameter, integerParameter, listParameters } from "../../../http/parameters.ts";
import { encode } from "../../../http/answer.ts";
import { sentOrdersShape } from "../../schema.ts";

const { limit, ...paging } = listParameters;

export const orderEndpoints = [
  endpoint({
    operationId: "listOrders",
    method: "GET",
    path: "/store/orders",
    summary: "List orders",
    description:
      "Returns a paginated list of orders, newest first. An order is created when an animal becomes `sold`.",
    access: keyWith("orders:read"),
    stability: "experimental",
    hideTryItPanel: true,
    query: {
      limit,
      petId: integerParameter("Only orders of this animal.", { minimum: 1, maximum: MAX_ID }),
      status: choiceParameter("Only orders in this status.", orderStatuses),
      ...paging,
    },
    pure: true,
    success: {
      status: 200,
      description: "One page of orders.",
      schema: sentOrdersShape,
      example: [{ id: 1, petId: 1, status: "placed", createdAt: "2026-11-20T09:30:00.000Z" }],
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: ["invalid_parameter", "unknown_parameter", "invalid_cursor"],
    run: (call, { actions, cursors }) => {
      const { caller, query } = call;
      const { petId, status } = query;
      const filter: OrderFilter = {
        ...(petId === undefined ? {} : { petId }),
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
        encode: (order) => encode(orderShown(order)),
      });
    },
  }),
];
