import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";

import type { StoredOrder } from "../../../../lib/model/order.ts";
import type { Pet } from "../../../../lib/model/pet.ts";
import { get } from "../../api.ts";
import { pathIn, type Where } from "../animals/catalogue.ts";

/** As many as the service tells at a time. */
const AT_A_TIME = 100;

/** What the animals of orders are called. Those that were deleted have no name any more. */
export function usePetNames(
  where: Where,
  orders: readonly StoredOrder[] | undefined = [],
): ReadonlyMap<number, string | undefined> {
  const known = useSignal<ReadonlyMap<number, string | undefined>>(new Map());
  const unknown = [...new Set(orders.map(({ petId }) => petId))].filter(
    (id) => !known.value.has(id),
  );
  const key = unknown.join(",");
  useEffect(() => {
    if (unknown.length > 0) void ask(unknown.slice(0, AT_A_TIME));
  }, [key]);
  const ask = async (ids: readonly number[]): Promise<void> => {
    const query = { id: ids.join(","), limit: AT_A_TIME };
    const found = await get<readonly Pet[]>(`${pathIn(where)}/pets`, query);
    if (!found.ok) return;
    const names = new Map(found.value.map(({ id, name }) => [id, name]));
    known.value = new Map([...known.peek(), ...ids.map((id) => [id, names.get(id)] as const)]);
  };
  return known.value;
}
