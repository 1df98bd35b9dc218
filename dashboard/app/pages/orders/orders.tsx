import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import {
  type OrderStatus,
  orderStatuses,
  type StoredOrder,
} from "../../../../lib/catalogue/model.ts";
import { call } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Environments, StagingNotice } from "../../components/choice.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Badge } from "../../components/indicators.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { inEnvironment, type Query, useEnvironment, useQuery } from "../../state/query.ts";
import { useList } from "../../state/resource.ts";
import { ordersWords } from "../../words/late.tsx";
import { inCatalogue, type Where } from "../animals/catalogue.tsx";

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
  const [query] = useQuery();
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
    path: `/accounts/${account.id}/events?types=order.placed`,
    events: ["order.placed"],
    // A user who has loaded more keeps their place.
    onEvent: () => {
      if ((list.items?.length ?? 0) <= FIRST_PAGE) void list.reload();
    },
    poll: list.reload,
  });
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
            hrefOf={(petId) => animals + inEnvironment(environment, { animal: String(petId) })}
          />
        )}
      </Listed>
    </>
  );
}

const FIRST_PAGE = 50;

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
}: {
  readonly items: readonly Pick<StoredOrder, "id" | "petId" | "status" | "createdAt">[];
  readonly names: PetNames;
  readonly hrefOf: (petId: number) => string;
}): JSX.Element {
  const orders = ordersWords.words();
  return (
    <Table
      label={orders.title}
      columns={[
        { name: orders.animal, cell: "lead" },
        orders.status,
        orders.when,
        { name: orders.number, cell: "number" },
      ]}
      rows={items.map(({ id, petId, status, createdAt }) => ({
        key: id,
        cells: [
          names.has(petId) && names.get(petId) === undefined ? (
            <span class="soft">{orders.gone(petId)}</span>
          ) : (
            <a class="link" href={hrefOf(petId)}>
              {names.get(petId) ?? `#${petId}`}
            </a>
          ),
          <Badge tone={status === "placed" ? "plain" : "good"}>{orders.statuses[status]}</Badge>,
          <Instant at={createdAt} />,
          <span class="soft">{id}</span>,
        ],
      }))}
    />
  );
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
