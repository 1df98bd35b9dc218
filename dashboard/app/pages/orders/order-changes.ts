import type { OrderStatus } from "../../../../lib/catalogue/model.ts";
import { call, type Output } from "../../api.ts";
import { act, actIfSure } from "../../components/form.tsx";
import { ordersWords } from "./words.ts";
import { inCatalogue, type Where } from "../animals/catalogue.tsx";

/** An adoption in the list. */
export type Order = Output<"GET /accounts/:account/:environment/orders">[number];

/** An adoption with its adopter. */
export type Adoption = Output<"GET /accounts/:account/:environment/orders/:order">;

/** Returns the path parameters of an order. */
export function ofOrder(where: Where, id: number | string) {
  return { ...inCatalogue(where), order: String(id) };
}

/** Changes the status of an adoption. */
export async function moveOrder(
  where: Where,
  { id }: Order,
  status: OrderStatus,
  onChanged: (order: Order) => void,
): Promise<void> {
  const { statuses, moved } = ordersWords.words();
  const changed = await act(moved(statuses[status]), () =>
    call("PATCH /accounts/:account/:environment/orders/:order", {
      ...ofOrder(where, id),
      body: { status },
    }),
  );
  if (changed === undefined) return;
  onChanged(changed.value);
}

/** Records the return of the animal called `name`, after the user has confirmed. */
export async function recordReturn(
  where: Where,
  { id }: Order,
  name: string,
  onChanged: (order: Order) => void,
): Promise<void> {
  const returned = await actIfSure(ordersWords.words().return, name, () =>
    call("POST /accounts/:account/:environment/orders/:order/return", ofOrder(where, id)),
  );
  if (returned !== undefined) onChanged(returned.value);
}

/** Removes an adoption that was a mistake, after the user has confirmed. */
export async function removeOrder(
  where: Where,
  order: Order,
  name: string,
  onRemoved: (order: Order) => void,
): Promise<void> {
  const removed = await actIfSure(
    ordersWords.words().remove,
    name,
    () => call("DELETE /accounts/:account/:environment/orders/:order", ofOrder(where, order.id)),
    { look: "danger" },
  );
  if (removed !== undefined) onRemoved(order);
}
