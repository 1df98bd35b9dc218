import type { JSX } from "preact";

import type { StoredOrder } from "../../../../lib/model/order.ts";
import { Badge } from "../../components/badge.tsx";
import { Instant } from "../../components/instant.tsx";
import { Table } from "../../components/table.tsx";
import { words } from "../../words/words.ts";

/** Orders in rows. */
export function OrderTable({
  orders,
  names,
  hrefOf,
}: {
  readonly orders: readonly StoredOrder[];
  /** By id, as far as they are known; undefined for an animal that is not there any more. */
  readonly names: ReadonlyMap<number, string | undefined>;
  readonly hrefOf: (petId: number) => string;
}): JSX.Element {
  const { orders: said } = words();
  return (
    <Table
      label={said.title}
      columns={[said.animal, said.status, said.when, { number: said.number }]}
    >
      {orders.map(({ id, petId, status, createdAt }) => (
        <tr key={id}>
          <td class="lead">
            {names.has(petId) && names.get(petId) === undefined ? (
              <span class="soft">{said.gone(petId)}</span>
            ) : (
              <a class="link" href={hrefOf(petId)}>
                {names.get(petId) ?? `#${petId}`}
              </a>
            )}
          </td>
          <td data-label={said.status}>
            <Badge tone={status === "placed" ? "plain" : "good"}>{said.statuses[status]}</Badge>
          </td>
          <td data-label={said.when}>
            <Instant at={createdAt} />
          </td>
          <td class="number soft" data-label={said.number}>
            {id}
          </td>
        </tr>
      ))}
    </Table>
  );
}
