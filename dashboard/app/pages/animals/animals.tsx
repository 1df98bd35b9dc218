import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";

import type { Account } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/model/category.ts";
import { type Pet, type PetStatus, petStatuses } from "../../../../lib/model/pet.ts";
import { get } from "../../api.ts";
import { Bones, Empty, Refusal } from "../../components/feedback.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import { Table } from "../../components/table.tsx";
import { inEnvironment, useEnvironment, useQuery } from "../../state/query.ts";
import { inAccount } from "../../state/in-account.tsx";
import { useList } from "../../state/resource.ts";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { words } from "../../words/words.ts";
import { AnimalDialog, Wanted } from "./animal-dialog.tsx";
import {
  AnimalSection,
  categoryName,
  pathIn,
  StatusControl,
  useCategories,
  type Where,
} from "./catalogue.tsx";
import { Export } from "./export.tsx";
import { movePet, removePet, type Told } from "./pet-changes.ts";
import { afterEvent, fits, petEvents, petQuery } from "./pet-list.ts";

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

/** Animals in rows, and what can be done with each. */
export function AnimalTable({
  pets,
  categories,
  onOrders,
  onMove,
  onEdit,
  onRemove,
}: {
  readonly pets: readonly Pet[];
  readonly categories: readonly Category[] | undefined;
  readonly onOrders: (pet: Pet) => void;
  readonly onMove: (pet: Pet, to: PetStatus) => void;
  readonly onEdit: (pet: Pet) => void;
  readonly onRemove: (pet: Pet) => void;
}): JSX.Element {
  const { animals, common } = words();
  const may = mayChange.value;
  return (
    <Table
      label={animals.title}
      columns={[
        animals.name,
        animals.category,
        animals.status,
        { name: animals.number, cell: "number" },
        { name: animals.actions, cell: "end corner" },
      ]}
    >
      {pets.map((pet) => (
        <tr key={pet.id}>
          <td class="lead">
            {may ? (
              <button type="button" class="link" onClick={() => onEdit(pet)}>
                {pet.name}
              </button>
            ) : (
              pet.name
            )}
          </td>
          <td class="name" data-label={animals.category}>
            {categoryName(categories, pet.categoryId)}
          </td>
          <td class="control">
            <StatusControl pet={pet} onMove={(to) => onMove(pet, to)} />
          </td>
          <td class="number soft" data-label={animals.number}>
            {pet.id}
          </td>
          <td class="corner end">
            <Menu
              label={common.more(pet.name)}
              items={[
                ...(may ? [{ label: animals.edit, onClick: () => onEdit(pet) }] : []),
                { label: animals.ordersOf, onClick: () => onOrders(pet) },
                ...(may
                  ? [{ label: common.delete, danger: true, onClick: () => onRemove(pet) }]
                  : []),
              ]}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Long enough for the next letter. */
const TYPING_MS = 250;

/** Narrows the list down. */
export function Filters({
  categories = [],
}: {
  readonly categories: readonly Category[] | undefined;
}): JSX.Element {
  const [query, change] = useQuery();
  const { name, status, categoryId } = petQuery(query);
  const { animals, common } = words();
  const narrowed = name !== undefined || status !== undefined || categoryId !== undefined;
  return (
    <search class="filters">
      <Find value={name ?? ""} onFind={(text) => change({ name: text })} />
      <label>
        <span class="out-of-sight">{animals.status}</span>
        <select
          class="input"
          value={status ?? ""}
          onInput={(event) => change({ status: event.currentTarget.value })}
        >
          <option value="">{animals.anyStatus}</option>
          {petStatuses.map((one) => (
            <option key={one} value={one}>
              {common.statuses[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="out-of-sight">{animals.category}</span>
        <select
          class="input"
          value={categoryId ?? ""}
          onInput={(event) => change({ category: event.currentTarget.value })}
        >
          <option value="">{animals.anyCategory}</option>
          {categories.map((one) => (
            <option key={one.id} value={one.id} selected={String(one.id) === categoryId}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {narrowed && (
        <Button
          look="quiet"
          onClick={() => change({ name: undefined, status: undefined, category: undefined })}
        >
          {animals.clear}
        </Button>
      )}
    </search>
  );
}

/** Looks for what is typed once nothing more is typed. */
function Find({
  value,
  onFind,
}: {
  readonly value: string;
  readonly onFind: (text: string) => void;
}): JSX.Element {
  const typed = useSignal(value);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    // Going back, or `Show all`: what is typed meanwhile is not lost.
    if (timer.current === undefined) typed.value = value;
  }, [value]);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [],
  );
  return (
    <label class="grow">
      <span class="out-of-sight">{words().animals.find}</span>
      <input
        class="input"
        type="search"
        maxLength={120}
        placeholder={words().animals.find}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          window.clearTimeout(timer.current);
          timer.current = window.setTimeout(() => {
            timer.current = undefined;
            onFind(typed.peek().trim());
          }, TYPING_MS);
        }}
      />
    </label>
  );
}
