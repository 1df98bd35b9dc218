import { orderStatuses } from "../../model/order.ts";
import { MAX_ID } from "../../model/pet.ts";
import { instant, listOf, shape, type Shape } from "./shape.ts";

const id = { type: "integer", format: "int64", minimum: 1, maximum: MAX_ID };

export const ordersShape: Shape = listOf(
  "Orders",
  shape("Order", {
    id,
    petId: id,
    status: { type: "string", enum: orderStatuses },
    createdAt: instant("When the animal was sold."),
  }),
);
