import type { ValueOf } from "../../base/schema.ts";
import { membersOf, type Records } from "../../model/audit-types.ts";
import type { Adoption } from "../model.ts";
import { orderHasChanged, readOrder, removeOrder, returnOrder, updateOrder } from "../orders.ts";
import { adoptionShape, OrderPatchSchema } from "../adoption-schema.ts";
import { operation, rowOf } from "./operation.ts";
import { ordersExample, shownOrder } from "./orders.ts";

const path = "/orders/:order";

const adoption = rowOf({
  schema: adoptionShape,
  example: {
    ...ordersExample[0],
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

/** The operations on orders that only the management API offers. */
export const staffOrderOperations = [getOrder, changeOrder, deleteOrder, recordReturn] as const;
