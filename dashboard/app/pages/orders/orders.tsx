import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { orderStatuses, type StoredOrder } from "../../../../lib/model/order.ts";
import type { Pet } from "../../../../lib/model/pet.ts";
import { get } from "../../api.ts";
import { Badge } from "../../components/indicators.tsx";
import { Bones, Empty, Refusal } from "../../components/feedback.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Environments, StagingNotice } from "../../components/choice.tsx";
import { Instant } from "../../components/time.tsx";
import { Table } from "../../components/table.tsx";
import { inEnvironment, useEnvironment, type Query, useQuery } from "../../state/query.ts";
import { inAccount } from "../../state/in-account.tsx";
import { useList } from "../../state/resource.ts";
import { useLive } from "../../state/live.ts";
import { words } from "../../words/words.ts";
import { pathIn, type Where } from "../animals/catalogue.tsx";

/** Which animals found a home, and when. */
export const Orders = inAccount(({ account }) => {
  const environment = useEnvironment();
  const { orders } = words();
  return (
    <Page title={orders.title} about={orders.about} actions={<Environments />}>
      <StagingNotice />
      <Card bare>
        <OrderList key={environment} where={{ account, environment }} />
      </Card>
    </Page>
  );
});

function OrderList({ where }: { readonly where: Where }): JSX.Element {
  const [query] = useQuery();
  const wanted = orderQuery(query);
  const { account, environment } = where;
  const list = useList(JSON.stringify(wanted), (page) =>
    get<readonly StoredOrder[]>(`${pathIn(where)}/orders`, { ...wanted, ...page }),
  );
  const { items, problem, more, loading } = list;
  const names = usePetNames(where, items);
  useLive({
    path: `/accounts/${account.id}/events?types=order.placed`,
    events: ["order.placed"],
    // Those that were scrolled to stay where they are.
    onEvent: () => {
      if ((list.items?.length ?? 0) <= FEW) void list.reload();
    },
    poll: list.reload,
  });
  const { orders, common } = words();
  const narrowed = wanted.petId !== undefined || wanted.status !== undefined;
  const animals = `/accounts/${account.id}/animals`;
  return (
    <>
      <OrderFilters name={names.get(Number(wanted.petId))} />
      <Refusal problem={problem} onRetry={() => void list.reload()} />
      {items === undefined && problem === undefined && (
        <div class="inside">
          <Bones lines={6} />
        </div>
      )}
      {items !== undefined && items.length > 0 && (
        <>
          <OrderTable
            orders={items}
            names={names}
            hrefOf={(petId) => animals + inEnvironment(environment, { animal: String(petId) })}
          />
          <footer class="row apart">
            <span class="soft small" role="status">
              {orders.shown(items.length, more)}
            </span>
            {more && (
              <Button small busy={loading} onClick={() => void list.loadMore()}>
                {common.loadMore}
              </Button>
            )}
          </footer>
        </>
      )}
      {items?.length === 0 &&
        (narrowed ? (
          <Empty title={orders.noneFoundTitle}>{orders.noneFoundText}</Empty>
        ) : (
          <Empty
            title={orders.emptyTitle}
            actions={
              <ButtonLink href={animals + inEnvironment(environment)}>
                {orders.toAnimals}
              </ButtonLink>
            }
          >
            {orders.emptyText}
          </Empty>
        ))}
    </>
  );
}

/** The first page. */
const FEW = 50;

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
      columns={[said.animal, said.status, said.when, { name: said.number, cell: "number" }]}
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
