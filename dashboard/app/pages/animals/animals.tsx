import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";

import type { Category } from "../../../../lib/catalogue/model.ts";
import { type Pet, type PetStatus, petStatuses } from "../../../../lib/catalogue/model.ts";
import { call } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { useLive } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, useEnvironment, useQuery } from "../../state/query.ts";
import { useList } from "../../state/resource.ts";
import { animalsWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { AddressedAnimal, AnimalDialog } from "./animal-dialog.tsx";
import {
  AnimalSection,
  categoryName,
  inCatalogue,
  StatusControl,
  useCategories,
  type Where,
} from "./catalogue.tsx";
import { Export } from "./export.tsx";
import { movePet, type PetListeners, removePet } from "./pet-changes.ts";
import { afterEvent, fits, petEvents, petQuery } from "./pet-list.ts";

/** The animals of an account. */
export const Animals = inAccount(
  animalsWords.within(({ account }) => {
    const environment = useEnvironment();
    // The key resets the view when the environment changes.
    return <Catalogue key={environment} where={{ account, environment }} />;
  }),
);

function Catalogue({ where }: { readonly where: Where }): JSX.Element {
  const { account, environment } = where;
  const { route } = useLocation();
  const [query, change] = useQuery();
  const filters = petQuery(query);
  const categories = useCategories(where);
  const animals = animalsWords.words();
  // A role that is revoked later must not close the dialog: the dialog shows the refusal.
  const couldChange = useRef(mayChange.peek()).current;
  const adding = query["add"] !== undefined && (couldChange || mayChange.value);
  const add = (): void => change({ add: "1" });

  const list = useList(JSON.stringify(filters), (page) =>
    call("GET /accounts/:account/:environment/pets", {
      ...inCatalogue(where),
      query: { ...filters, ...page, order: "newest" },
    }),
  );
  const shown = { environment, more: list.more, fits: (pet: Pet) => fits(filters, pet) };
  useLive({
    path: `/accounts/${account.id}/events?types=${petEvents.join(",")}`,
    events: petEvents,
    onEvent: (_, event) => {
      list.change((items) => afterEvent(items, event, shown));
    },
    poll: list.reload,
  });
  const report = (type: string, pet: Pet): void => {
    list.change((items) => afterEvent(items, { type, environment, data: { pet } }, shown));
  };
  const listeners: PetListeners = {
    onChanged: (pet) => report("pet.updated", pet),
    onRemoved: (pet) => report("pet.deleted", pet),
    onRestored: (pet) => report("pet.restored", pet),
  };
  const dialog = categories.value !== undefined && {
    where,
    categories: categories.value,
    onCategory: () => void categories.reload(),
  };
  return (
    <AnimalSection
      account={account}
      title={animals.title}
      about={animals.about}
      actions={
        mayChange.value && (
          <Button look="primary" onClick={add}>
            <Icon name="plus" />
            {animals.add}
          </Button>
        )
      }
    >
      <Card bare>
        <Filters categories={categories.value} />
        <Listed
          list={list}
          lines={8}
          empty={
            <NoAnimals
              where={where}
              filtered={Object.values(filters).some((one) => one !== undefined)}
              onAdd={add}
            />
          }
          count={animals.shown}
          actions={<Export where={where} />}
        >
          {(pets) => (
            <AnimalTable
              pets={pets}
              categories={categories.value}
              onMove={(pet, to) => void movePet(where, pet, to, listeners)}
              onEdit={({ id }) => change({ animal: String(id) })}
              onRemove={(pet) => void removePet(where, pet, listeners)}
              onOrders={({ id }) => {
                const orders = inEnvironment(environment, { animal: String(id) });
                route(`/accounts/${account.id}/orders${orders}`);
              }}
            />
          )}
        </Listed>
      </Card>
      {adding && dialog && (
        <AnimalDialog
          {...dialog}
          onSaved={(pet) => report("pet.created", pet)}
          onClose={() => change({ add: undefined })}
        />
      )}
      {query["animal"] !== undefined && dialog && (
        <AddressedAnimal
          {...dialog}
          key={query["animal"]}
          id={query["animal"]}
          loaded={list.items ?? []}
          onSaved={listeners.onChanged}
          onClose={() => change({ animal: undefined })}
        />
      )}
    </AnimalSection>
  );
}

function NoAnimals({
  where: { account, environment },
  filtered,
  onAdd,
}: {
  readonly where: Where;
  readonly filtered: boolean;
  readonly onAdd: () => void;
}): JSX.Element {
  const animals = animalsWords.words();
  if (filtered) return <Empty title={animals.noneFoundTitle}>{animals.noneFoundText}</Empty>;
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

function AnimalTable({
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
  const animals = animalsWords.words();
  const { common } = words();
  const may = mayChange.value;
  return (
    <Table
      label={animals.title}
      columns={[
        { name: animals.name, cell: "lead" },
        { name: animals.category, cell: "name" },
        { name: animals.status, cell: "control" },
        { name: animals.number, cell: "number" },
        { name: animals.actions, cell: "end corner" },
      ]}
      rows={pets.map((pet) => ({
        key: pet.id,
        cells: [
          may ? (
            <button type="button" class="link" onClick={() => onEdit(pet)}>
              {pet.name}
            </button>
          ) : (
            pet.name
          ),
          categoryName(categories, pet.categoryId),
          <StatusControl pet={pet} onMove={(to) => onMove(pet, to)} />,
          <span class="soft">{pet.id}</span>,
          <Menu
            label={common.more(pet.name)}
            items={[
              ...(may ? [{ label: animals.edit, onClick: () => onEdit(pet) }] : []),
              { label: animals.ordersOf, onClick: () => onOrders(pet) },
              ...(may
                ? [{ label: animals.delete, danger: true, onClick: () => onRemove(pet) }]
                : []),
            ]}
          />,
        ],
      }))}
    />
  );
}

function Filters({
  categories = [],
}: {
  readonly categories: readonly Category[] | undefined;
}): JSX.Element {
  const [query, change] = useQuery();
  const { name, status, categoryId } = petQuery(query);
  const animals = animalsWords.words();
  const { common } = words();
  return (
    <search class="filters">
      <NameFilter value={name ?? ""} onFind={(text) => change({ name: text })} />
      <FilterSelect
        label={animals.status}
        all={animals.anyStatus}
        value={status}
        options={petStatuses.map((value) => ({ value, label: common.statuses[value] }))}
        onChoose={(value) => change({ status: value })}
      />
      <FilterSelect
        label={animals.category}
        all={animals.anyCategory}
        value={categoryId === undefined ? undefined : String(categoryId)}
        options={categories.map((one) => ({ value: String(one.id), label: one.name }))}
        onChoose={(value) => change({ category: value })}
      />
      {(name ?? status ?? categoryId) !== undefined && (
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

/** Pause after which typing counts as finished. */
const TYPING_MS = 250;

function NameFilter({
  value,
  onFind,
}: {
  readonly value: string;
  readonly onFind: (text: string) => void;
}): JSX.Element {
  const typed = useSignal(value);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    // The address changed; text typed in the meantime stays.
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
      <span class="out-of-sight">{animalsWords.words().find}</span>
      <input
        class="input"
        type="search"
        maxLength={120}
        placeholder={animalsWords.words().find}
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
