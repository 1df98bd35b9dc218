import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { type OrderStatus, orderStatuses } from "../../../../lib/catalogue/model.ts";
import { call } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Environments, StagingNotice } from "../../components/choice.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Badge } from "../../components/indicators.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, type Query, useEnvironment, useQuery } from "../../state/query.ts";
import { useList } from "../../state/resource.ts";
import { date } from "../../words/format.ts";
import { ordersWords } from "./words.ts";
import { words } from "../../words/words.ts";
import { inCatalogue, pageOf, type Where } from "../animals/catalogue.tsx";
import { moveOrder, recordReturn, removeOrder, type Order } from "./order-changes.ts";
import { OrderDialog } from "./order-dialog.tsx";

/** The adoptions of an account, which the API calls orders. */
export const Orders = inAccount(
  ordersWords.within(({ account }) => {
    const environment = useEnvironment();
    const orders = ordersWords.words();
    return (
      <Page title={orders.title} about={orders.about} actions={<Environments />}>
        <StagingNotice />
        <Card bare>
          <OrderList key={environment} where={{ account, environment }} />
        </Card>
      </Page>
    );
  }),
);

function OrderList({ where }: { readonly where: Where }): JSX.Element {
  const [query, change] = useQuery();
  const filters = orderQuery(query);
  const { account, environment } = where;
  const list = useList(JSON.stringify(filters), (page) =>
    call("GET /accounts/:account/:environment/orders", {
      ...inCatalogue(where),
      query: { ...filters, ...page },
    }),
  );
  const filtered = filters.petId === undefined ? [] : [filters.petId];
  const names = usePetNames(where, [...filtered, ...(list.items ?? []).map(({ petId }) => petId)]);
  useLive({
    path: `/accounts/${account.id}/events?types=${orderEvents.join(",")}`,
    events: orderEvents,
    // A user who has loaded more keeps their place.
    onEvents: () => {
      if ((list.items?.length ?? 0) <= FIRST_PAGE) void list.reload();
    },
    poll: list.reload,
  });
  const onChanged = (order: Order): void => {
    list.change((items) => items.map((one) => (one.id === order.id ? order : one)));
  };
  const onRemoved = ({ id }: Order): void => {
    list.change((items) => items.filter((one) => one.id !== id));
  };
  const orders = ordersWords.words();
  const animals = `/accounts/${account.id}/animals`;
  const noOrders =
    filters.petId !== undefined || filters.status !== undefined ? (
      <Empty title={orders.noneFoundTitle}>{orders.noneFoundText}</Empty>
    ) : (
      <Empty
        title={orders.emptyTitle}
        actions={
          <ButtonLink href={animals + inEnvironment(environment)}>{orders.toAnimals}</ButtonLink>
        }
      >
        {orders.emptyText}
      </Empty>
    );
  return (
    <>
      <OrderFilters petName={filters.petId === undefined ? undefined : names.get(filters.petId)} />
      <Listed list={list} lines={6} empty={noOrders} count={orders.shown}>
        {(items) => (
          <OrderTable
            items={items}
            names={names}
            hrefOf={(petId) => pageOf(where, petId)}
            onMove={(order, status) => void moveOrder(where, order, status, onChanged)}
            onOpen={({ id }) => change({ order: String(id) })}
            onReturn={(order) => void recordReturn(where, order, nameOf(names, order), onChanged)}
            onRemove={(order) => void removeOrder(where, order, nameOf(names, order), onRemoved)}
          />
        )}
      </Listed>
      {query["order"] !== undefined && (
        <OrderDialog
          key={query["order"]}
          where={where}
          id={query["order"]}
          nameOf={(petId) => names.get(petId) ?? `#${petId}`}
          onSaved={onChanged}
          onClose={() => change({ order: undefined })}
        />
      )}
    </>
  );
}

const FIRST_PAGE = 50;

const orderEvents = ["order.placed", "order.updated", "order.removed"];

interface OrderQuery {
  readonly status: OrderStatus | undefined;
  readonly petId: number | undefined;
}

/** Reads the filters from the address and ignores invalid values. */
function orderQuery({ status, animal }: Query): OrderQuery {
  return {
    status: orderStatuses.find((one) => one === status),
    petId: /^[1-9]\d{0,14}$/.test(animal ?? "") ? Number(animal) : undefined,
  };
}

function OrderFilters({ petName }: { readonly petName: string | undefined }): JSX.Element {
  const [query, change] = useQuery();
  const { status, petId } = orderQuery(query);
  const orders = ordersWords.words();
  return (
    <search class="filters">
      <FilterSelect
        label={orders.status}
        all={orders.anyStatus}
        value={status}
        options={orderStatuses.map((value) => ({ value, label: orders.statuses[value] }))}
        onChoose={(value) => change({ status: value })}
      />
      {petId !== undefined && <span class="row">{orders.ofAnimal(petName ?? `#${petId}`)}</span>}
      {(status ?? petId) !== undefined && (
        <Button look="quiet" onClick={() => change({ status: undefined, animal: undefined })}>
          {orders.showAll}
        </Button>
      )}
    </search>
  );
}

function OrderTable({
  items,
  names,
  hrefOf,
  onMove,
  onOpen,
  onReturn,
  onRemove,
}: {
  readonly items: readonly Order[];
  readonly names: PetNames;
  readonly hrefOf: (petId: number) => string;
  readonly onMove: (order: Order, to: OrderStatus) => void;
  readonly onOpen: (order: Order) => void;
  readonly onReturn: (order: Order) => void;
  readonly onRemove: (order: Order) => void;
}): JSX.Element {
  const orders = ordersWords.words();
  const { common } = words();
  const may = mayChange.value;
  return (
    <Table
      label={orders.title}
      columns={[
        { name: orders.animal, cell: "lead" },
        { name: orders.status, cell: "control" },
        orders.when,
        { name: orders.number, cell: "number" },
        ...(may ? [{ name: orders.actions, cell: "end corner" }] : []),
      ]}
      rows={items.map((order) => {
        const { id, petId, createdAt, returnedAt } = order;
        return {
          key: id,
          cells: [
            names.has(petId) && names.get(petId) === undefined ? (
              <span class="soft">{orders.gone(petId)}</span>
            ) : (
              <a class="link" href={hrefOf(petId)}>
                {names.get(petId) ?? `#${petId}`}
              </a>
            ),
            <OrderState order={order} name={nameOf(names, order)} onMove={onMove} />,
            <Instant at={createdAt} />,
            <span class="soft">{id}</span>,
            <Menu
              label={common.more(nameOf(names, order))}
              items={[
                { label: orders.edit, onClick: () => onOpen(order) },
                ...(returnedAt === undefined
                  ? [{ label: orders.return.action, onClick: () => onReturn(order) }]
                  : []),
                { label: orders.remove.action, danger: true, onClick: () => onRemove(order) },
              ]}
            />,
          ],
        };
      })}
    />
  );
}

/** The status of an adoption, which staff can change until the animal is returned. */
function OrderState({
  order,
  name,
  onMove,
}: {
  readonly order: Order;
  readonly name: string;
  readonly onMove: (order: Order, to: OrderStatus) => void;
}): JSX.Element {
  const orders = ordersWords.words();
  const { status, returnedAt } = order;
  if (returnedAt !== undefined) {
    return <Badge tone="warn">{orders.returned(date(returnedAt))}</Badge>;
  }
  if (!mayChange.value) return <Badge tone={toneOf[status]}>{orders.statuses[status]}</Badge>;
  return (
    <div class="segments small" role="group" aria-label={orders.statusOf(name)}>
      {orderStatuses.map((one) => (
        <button
          key={one}
          type="button"
          class={one === status ? toneOf[one] : ""}
          aria-pressed={one === status}
          onClick={() => {
            if (one !== status) onMove(order, one);
          }}
        >
          {orders.statuses[one]}
        </button>
      ))}
    </div>
  );
}

const toneOf = { placed: "plain", approved: "good", delivered: "good" } as const;

function nameOf(names: PetNames, { petId }: Order): string {
  return names.get(petId) ?? `#${petId}`;
}

/** The names loaded so far, by animal; undefined for a deleted animal. */
type PetNames = ReadonlyMap<number, string | undefined>;

/** The largest number of ids that one request may name. */
const MAX_IDS = 100;

/** Loads the names of the animals in a list of orders. */
function usePetNames(where: Where, petIds: readonly number[]): PetNames {
  const known = useSignal<PetNames>(new Map());
  const ids = [...new Set(petIds)].filter((id) => !known.value.has(id)).slice(0, MAX_IDS);
  const load = async (): Promise<void> => {
    const query = { id: ids, limit: MAX_IDS };
    const found = await call("GET /accounts/:account/:environment/pets", {
      ...inCatalogue(where),
      query,
    });
    if (!found.ok) return;
    const names = new Map(found.value.map(({ id, name }) => [id, name]));
    known.value = new Map([...known.peek(), ...ids.map((id) => [id, names.get(id)] as const)]);
  };
  useEffect(() => {
    if (ids.length > 0) void load();
  }, [ids.join(",")]);
  return known.value;
}
