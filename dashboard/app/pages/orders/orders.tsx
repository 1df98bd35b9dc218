import type { JSX } from "preact";

import type { StoredOrder } from "../../../../lib/model/order.ts";
import { get } from "../../api.ts";
import { Bones } from "../../components/bones.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/empty.tsx";
import { Environments, StagingNotice } from "../../components/environments.tsx";
import { Refusal } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { inEnvironment, useEnvironment } from "../../state/environment.ts";
import { inAccount } from "../../state/in-account.tsx";
import { useList } from "../../state/list.ts";
import { useLive } from "../../state/live.ts";
import { useQuery } from "../../state/query.ts";
import { words } from "../../words/words.ts";
import { pathIn, type Where } from "../animals/catalogue.ts";
import { OrderFilters, orderQuery } from "./order-filters.tsx";
import { OrderTable } from "./order-table.tsx";
import { usePetNames } from "./pet-names.ts";

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
