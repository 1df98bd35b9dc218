import { choice, instant, listOf, shape, whole } from "../../base/shape.ts";
import { orderStatuses } from "../../model/order.ts";
import { MAX_ID } from "../../model/pet.ts";

const id = whole({ format: "int64", minimum: 1, maximum: MAX_ID });

export const ordersShape = listOf(
  "Orders",
  shape("Order", {
    id,
    petId: id,
    status: choice(orderStatuses),
    createdAt: instant("When the animal was sold."),
  }),
);
