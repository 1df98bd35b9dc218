import { choice, instant, listOf, shape, whole } from "../../base/shape.ts";
import { orderStatuses, MAX_ID } from "../../catalogue/model.ts";

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
