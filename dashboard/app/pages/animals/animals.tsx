import { useLocation } from "preact-iso";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import type { Account } from "../../../../lib/model/account.ts";
import type { Pet } from "../../../../lib/model/pet.ts";
import { get } from "../../api.ts";
import { Bones } from "../../components/bones.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/empty.tsx";
import { Icon } from "../../components/icon.tsx";
import { Refusal } from "../../components/notice.tsx";
import { inEnvironment, useEnvironment } from "../../state/environment.ts";
import { inAccount } from "../../state/in-account.tsx";
import { useList } from "../../state/list.ts";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { useQuery } from "../../state/query.ts";
import { words } from "../../words/words.ts";
import { AnimalDialog } from "./animal-dialog.tsx";
import { AnimalTable } from "./animal-table.tsx";
import { pathIn, useCategories, type Where } from "./catalogue.ts";
import { movePet, removePet, type Told } from "./deeds.ts";
import { Export } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { afterEvent, petEvents } from "./live-pets.ts";
import { fits, petQuery } from "./pet-query.ts";
import { AnimalSection } from "./section.tsx";
import { Wanted } from "./wanted.tsx";

/** The animals of an account: to be looked through, added, changed and removed. */
export const Animals = inAccount(({ account }) => {
  const environment = useEnvironment();
  // One catalogue at a time: nothing of the other stays when it is changed.
  return <Catalogue key={environment} where={{ account, environment }} account={account} />;
});

function Catalogue({
  where,
  account,
}: {
  readonly where: Where;
  readonly account: Account;
}): JSX.Element {
  const { environment } = where;
  const { route } = useLocation();
  const [query, change] = useQuery();
  const wanted = petQuery(query);
  const categories = useCategories(where);
  const { animals, common } = words();
  // Whoever could when they came is told in the dialog that they may not any more.
  const could = useRef(mayChange.peek()).current;
  const adding = query["add"] !== undefined && (could || mayChange.value);
  const add = (): void => change({ add: "1" });

  const list = useList(JSON.stringify(wanted), (page) =>
    get<readonly Pet[]>(`${pathIn(where)}/pets`, { ...wanted, ...page, order: "newest" }),
  );
  const shown = { environment, more: list.more, fits: (pet: Pet) => fits(wanted, pet) };
  useLive({
    path: `/accounts/${account.id}/events?types=${petEvents.join(",")}`,
    events: petEvents,
    onEvent: (_, event) => {
      list.change((items) => afterEvent(items, event, shown));
    },
    poll: list.reload,
  });
  const told = (type: string, pet: Pet): void => {
    list.change((items) => afterEvent(items, { type, environment, data: { pet } }, shown));
  };
  const listeners: Told = {
    onChanged: (pet) => told("pet.updated", pet),
    onGone: (pet) => told("pet.deleted", pet),
    onBack: (pet) => told("pet.restored", pet),
  };

  const narrowed = Object.values(wanted).some((one) => one !== undefined);
  const { items, problem, more, loading } = list;
  const addButton = mayChange.value && (
    <Button look="primary" onClick={add}>
      <Icon name="plus" />
      {animals.add}
    </Button>
  );
  return (
    <AnimalSection
      account={account}
      title={animals.title}
      about={animals.about}
      actions={addButton}
    >
      <Card bare>
        <Filters categories={categories.value} />
        <Refusal problem={problem} onRetry={() => void list.reload()} />
        {items === undefined && problem === undefined && (
          <div class="inside">
            <Bones lines={8} />
          </div>
        )}
        {items !== undefined && items.length > 0 && (
          <>
            <AnimalTable
              pets={items}
              categories={categories.value}
              onMove={(pet, to) => void movePet(where, pet, to, listeners)}
              onEdit={(pet) => change({ animal: String(pet.id) })}
              onRemove={(pet) => void removePet(where, pet, listeners)}
              onOrders={(pet) =>
                route(
                  `/accounts/${account.id}/orders${inEnvironment(environment, { animal: String(pet.id) })}`,
                )
              }
            />
            <footer class="row apart">
              <span class="soft small" role="status">
                {animals.shown(items.length, more)}
              </span>
              <span class="row">
                <Export where={where} />
                {more && (
                  <Button small busy={loading} onClick={() => void list.loadMore()}>
                    {common.loadMore}
                  </Button>
                )}
              </span>
            </footer>
          </>
        )}
        {items?.length === 0 && <Nothing where={where} narrowed={narrowed} onAdd={add} />}
      </Card>
      {adding && categories.value !== undefined && (
        <AnimalDialog
          where={where}
          categories={categories.value}
          onSaved={(pet) => told("pet.created", pet)}
          onCategory={() => void categories.reload()}
          onClose={() => change({ add: undefined })}
        />
      )}
      {query["animal"] !== undefined && categories.value !== undefined && (
        <Wanted
          key={query["animal"]}
          id={query["animal"]}
          where={where}
          categories={categories.value}
          known={items ?? []}
          onSaved={listeners.onChanged}
          onCategory={() => void categories.reload()}
          onClose={() => change({ animal: undefined })}
        />
      )}
    </AnimalSection>
  );
}

/** No animal at all, or none that is looked for. */
function Nothing({
  where: { account, environment },
  narrowed,
  onAdd,
}: {
  readonly where: Where;
  readonly narrowed: boolean;
  readonly onAdd: () => void;
}): JSX.Element {
  const { animals } = words();
  if (narrowed) return <Empty title={animals.noneFoundTitle}>{animals.noneFoundText}</Empty>;
  if (!mayChange.value) return <Empty title={animals.emptyTitle}>{animals.emptyViewerText}</Empty>;
  return (
    <Empty
      title={animals.emptyTitle}
      actions={
        <>
          <Button onClick={onAdd}>{animals.add}</Button>
          <ButtonLink href={`/accounts/${account.id}/import${inEnvironment(environment)}`}>
            {animals.importInstead}
          </ButtonLink>
        </>
      }
    >
      {animals.emptyText}
    </Empty>
  );
}
