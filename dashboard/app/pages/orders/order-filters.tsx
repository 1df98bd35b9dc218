import type { JSX } from "preact";

import { orderStatuses } from "../../../../lib/model/order.ts";
import { Button } from "../../components/button.tsx";
import { useQuery, type Query } from "../../state/query.ts";
import { words } from "../../words/words.ts";

/** What is looked for among the orders. */
export interface OrderQuery {
  readonly status: string | undefined;
  readonly petId: string | undefined;
}

/** Only what means something is taken from an address that anybody may have written. */
export function orderQuery({ status, animal }: Query): OrderQuery {
  return {
    status: orderStatuses.find((one) => one === status),
    petId: /^[1-9]\d{0,14}$/.test(animal ?? "") ? animal : undefined,
  };
}

/** Narrows the orders down. */
export function OrderFilters({
  name,
}: {
  /** Of the one animal whose orders are shown. */
  readonly name: string | undefined;
}): JSX.Element {
  const [query, change] = useQuery();
  const { status, petId } = orderQuery(query);
  const { orders } = words();
  return (
    <search class="filters">
      <label>
        <span class="out-of-sight">{orders.status}</span>
        <select
          class="input"
          value={status ?? ""}
          onInput={(event) => change({ status: event.currentTarget.value })}
        >
          <option value="">{orders.anyStatus}</option>
          {orderStatuses.map((one) => (
            <option key={one} value={one}>
              {orders.statuses[one]}
            </option>
          ))}
        </select>
      </label>
      {petId !== undefined && <span class="row">{orders.ofAnimal(name ?? `#${petId}`)}</span>}
      {(status !== undefined || petId !== undefined) && (
        <Button look="quiet" onClick={() => change({ status: undefined, animal: undefined })}>
          {orders.showAll}
        </Button>
      )}
    </search>
  );
}
