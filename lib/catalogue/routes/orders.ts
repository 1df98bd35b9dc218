import { membersOf, type Records } from "../../model/audit-types.ts";
import { done } from "../../base/result.ts";
import { list, operation, rowOf } from "./operation.ts";
import { choiceParameter, idParameter } from "../../http/parameters.ts";
import type { ValueOf } from "../../base/schema.ts";
import { orderShown, orderStatuses, type Adoption, type StoredOrder } from "../model.ts";
import { orderHasChanged, readOrder, removeOrder, returnOrder, updateOrder } from "../orders.ts";
import { adoptionShape, OrderPatchSchema, ordersShape, sentOrdersShape } from "../schema.ts";

const example = [
  { id: 1, petId: 1, status: "placed", createdAt: "2026-11-20T09:30:00.000Z" },
] as const;

const filters = {
  petId: idParameter("Only orders of this animal."),
  status: choiceParameter("Only orders in this status.", orderStatuses),
};

/** Returns an order as the management API lists it. */
function shownOrder({
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
    items: { schema: sentOrdersShape, example, show: orderShown },
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
    example,
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

const path = "/orders/:order";

const adoption = rowOf({
  schema: adoptionShape,
  example: {
    ...example[0],
    statusBefore: "pending",
    adopter: { name: "Kim Petersen", contact: "kim@example.com", date: "2026-11-20" },
  },
  show: ({ adopter, ...order }: Adoption): ValueOf<typeof adoptionShape> => ({
    ...shownOrder(order),
    ...(adopter === undefined ? {} : { adopter }),
  }),
});

/** Who adopted an animal is personal data: the audit log says who has read it. */
const recordOfAdopter: Records = ({ params }, value) =>
  membersOf(value).includes("adopter")
    ? { type: "adopter.read", data: { order: { id: Number(params["order"]) } } }
    : undefined;

const getOrder = operation({
  method: "GET",
  path,
  management: {
    operationId: "getAnimalOrder",
    role: "staff",
    records: recordOfAdopter,
  },
  summary: "Get an order",
  description: "The order, with its adopter and its `ETag` for `If-Match`.",
  success: "The order.",
  output: adoption,
  run: (context, { catalogueId, ids }) => readOrder(context, catalogueId, ids.order),
});

const changeOrder = operation({
  method: "PATCH",
  path,
  management: { operationId: "updateAnimalOrder", role: "staff" },
  summary: "Update an order",
  description:
    "Omitted members stay unchanged. `adopter` replaces the person who adopted the animal, and null removes it. The status may change from each to each, unless the animal was returned.",
  body: OrderPatchSchema,
  conditional: orderHasChanged,
  success: "The updated order.",
  output: adoption,
  refusals: ["invalid_transition"],
  run: (context, { catalogueId, ids, body, precondition }) =>
    updateOrder(context, catalogueId, { orderId: ids.order, ...body, precondition }),
});

const deleteOrder = operation({
  method: "DELETE",
  path,
  management: { operationId: "removeAnimalOrder", role: "staff" },
  summary: "Remove an order that was a mistake",
  description:
    "Removes the order and its adopter for good. If the animal is still sold by this order, it gets the status it had before: `available` if that is unknown. Other changes of the animal stay.",
  conditional: orderHasChanged,
  success: "The order was removed.",
  run: (context, { catalogueId, ids, precondition }) =>
    removeOrder(context, catalogueId, ids.order, precondition),
});

const recordReturn = operation({
  method: "POST",
  path: `${path}/return`,
  management: { operationId: "returnAnimalOrder", role: "staff" },
  summary: "Record the return of an animal",
  description:
    "The order stays, with the time of the return. If the animal is still sold by this order, it becomes available. Repeating it changes nothing.",
  conditional: orderHasChanged,
  success: "The order.",
  output: adoption,
  run: (context, { catalogueId, ids, precondition }) =>
    returnOrder(context, catalogueId, ids.order, precondition),
});

export const orderOperations = [
  listOrders,
  getOrder,
  changeOrder,
  deleteOrder,
  recordReturn,
] as const;
