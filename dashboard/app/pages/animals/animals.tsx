import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";

import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { Category } from "../../../../lib/catalogue/model.ts";
import { type Pet, type PetStatus, petStatuses } from "../../../../lib/catalogue/model.ts";
import { SEARCHABLE, trimText } from "../../../../lib/model/text.ts";
import { call, type Output } from "../../api.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Empty } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { FilterSelect, Listed } from "../../components/list.tsx";
import { Menu } from "../../components/menu.tsx";
import { Card } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { inAccount } from "../../state/in-account.tsx";
import { useLive, useSoon } from "../../state/live.ts";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, search, useEnvironment, useQuery } from "../../state/query.ts";
import { useList, useResource } from "../../state/resource.ts";
import { number } from "../../words/format.ts";
import { animalsWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { AddPhotos } from "./add-photos.tsx";
import { AnimalDialog } from "./animal-dialog.tsx";
import { BulkBar, type Selection } from "./bulk-bar.tsx";
import {
  AnimalSection,
  categoryName,
  inCatalogue,
  loadPets,
  pageOf,
  publicPages,
  StatusControl,
  useCategories,
  useStorefronts,
  type Where,
} from "./catalogue.tsx";
import { Export } from "./export.tsx";
import { movePet, type PetListeners, removePet } from "./pet-changes.ts";
import {
  afterEvent,
  fits,
  MOST_BY_NAME,
  petEvents,
  petOrder,
  petQuery,
  type Shown,
} from "./pet-list.ts";

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
  const chosen = petOrder(query);
  const categories = useCategories(where);
  const storefronts = useStorefronts(where);
  const animals = animalsWords.words();
  // A role that is revoked later must not close the dialog: the dialog shows the refusal.
  const couldChange = useRef(mayChange.peek()).current;
  const adding = query["add"] !== undefined && (couldChange || mayChange.value);
  const add = (): void => change({ add: "1" });
  const photographing = useSignal(false);

  const counts = useResource(JSON.stringify([filters.name, filters.categoryId]), () =>
    call("GET /accounts/:account/:environment/pets/counts", {
      ...inCatalogue(where),
      query: { name: filters.name, categoryId: filters.categoryId },
    }),
  );
  const matching = matchingOf(counts.value, filters.status);
  const order = chosen === "name" && (matching ?? 0) > MOST_BY_NAME ? "newest" : chosen;
  const list = useList(JSON.stringify([filters, order]), (page) =>
    loadPets(where, filters, order, page),
  );
  const recount = useSoon(() => void counts.reload(), RECOUNT_MS);
  const selection: Selection = useSignal<ReadonlyMap<number, Pet>>(new Map());
  useEffect(() => {
    // What is not in the list must not be changed with it.
    selection.value = new Map();
  }, [JSON.stringify(filters)]);
  const shown = { environment, order, more: list.more, fits: (pet: Pet) => fits(filters, pet) };
  const apply = (events: readonly unknown[]): void => {
    const after = (items: readonly Pet[], part: Shown): readonly Pet[] =>
      events.reduce<readonly Pet[]>((now, event) => afterEvent(now, event, part), items);
    list.change((items) => after(items, shown));
    const left = after([...selection.peek().values()], { ...shown, fits: () => false });
    selection.value = new Map(left.map((pet) => [pet.id, pet]));
    recount();
  };
  useLive({
    path: `/accounts/${account.id}/events?types=${petEvents.join(",")}`,
    events: petEvents,
    onEvents: (events) => apply(events.map(({ data }) => data)),
    poll: async () => {
      await Promise.all([list.reload(), counts.reload()]);
    },
  });
  const report = (type: string, pet: Pet): void => apply([{ type, environment, data: { pet } }]);
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
          <>
            <Button onClick={() => (photographing.value = true)}>{animals.addPhotos}</Button>
            <Button look="primary" onClick={add}>
              <Icon name="plus" />
              {animals.add}
            </Button>
          </>
        )
      }
    >
      <Card bare>
        <Totals counts={counts.value} status={filters.status} />
        <Filters categories={categories.value} byName={order === chosen} />
        {mayChange.value && (
          <BulkBar
            where={where}
            selection={selection}
            loaded={list.items ?? []}
            matching={matching}
            filters={filters}
            order={order}
            categories={categories.value ?? []}
            listeners={listeners}
          />
        )}
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
          count={(some, more) => animals.shown(some, more ? matching : undefined)}
          actions={<Export where={where} />}
        >
          {(pets) => (
            <AnimalTable
              pets={pets}
              selection={selection}
              categories={categories.value}
              onMove={(pet, to) => void movePet(where, pet, to, listeners)}
              hrefOf={({ id }) => pageOf(where, id)}
              pagesOf={(pet) => publicPages(storefronts.value ?? [], pet)}
              onRemove={(pet) => void removePet(where, pet, listeners)}
              onOrders={({ id }) => {
                const orders = inEnvironment(environment, { animal: String(id) });
                route(`/accounts/${account.id}/orders${orders}`);
              }}
            />
          )}
        </Listed>
      </Card>
      {photographing.value && (
        <AddPhotos where={where} onClose={() => (photographing.value = false)} />
      )}
      {adding && dialog && (
        <AnimalDialog
          {...dialog}
          onSaved={(pet) => report("pet.created", pet)}
          onClose={() => change({ add: undefined })}
        />
      )}
    </AnimalSection>
  );
}

/** Counting reads the whole catalogue: less often than events arrive. */
const RECOUNT_MS = 2 * SECOND_MS;

type Counts = Output<"GET /accounts/:account/:environment/pets/counts">;

/** Returns the number of animals that match; undefined until counted. */
function matchingOf(counts: Counts | undefined, status: PetStatus | undefined): number | undefined {
  return counts
    ?.filter((one) => status === undefined || one.status === status)
    .reduce((sum, { count }) => sum + count, 0);
}

/** The number of animals in each status, which leads to them. */
function Totals({
  counts,
  status,
}: {
  readonly counts: Counts | undefined;
  readonly status: PetStatus | undefined;
}): JSX.Element {
  const { path, query } = useLocation();
  const animals = animalsWords.words();
  const { common } = words();
  // While the animals of another filter are counted, the numbers stay: nothing flickers as the user types.
  const last = useRef(counts);
  last.current = counts ?? last.current;
  return (
    <nav class="tabs totals" aria-label={animals.status} aria-busy={counts === undefined}>
      {[undefined, ...petStatuses].map((one) => {
        const count = matchingOf(last.current, one);
        return (
          <a
            key={one ?? ""}
            href={path + search({ ...query, status: one })}
            {...(one === status ? { "aria-current": "page" as const } : {})}
          >
            {one === undefined ? animals.anyStatus : common.statuses[one]}
            <span class="badge">{count === undefined ? "–" : number(count)}</span>
          </a>
        );
      })}
    </nav>
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
  selection,
  onOrders,
  onMove,
  hrefOf,
  pagesOf,
  onRemove,
}: {
  readonly pets: readonly Pet[];
  readonly selection: Selection;
  readonly categories: readonly Category[] | undefined;
  readonly onOrders: (pet: Pet) => void;
  readonly onMove: (pet: Pet, to: PetStatus) => void;
  readonly hrefOf: (pet: Pet) => string;
  readonly pagesOf: (pet: Pet) => ReturnType<typeof publicPages>;
  readonly onRemove: (pet: Pet) => void;
}): JSX.Element {
  const animals = animalsWords.words();
  const { common } = words();
  const { route } = useLocation();
  const may = mayChange.value;
  const last = useRef<number | undefined>(undefined);
  const pick = ({ shiftKey }: MouseEvent, index: number): void => {
    const picked = !selection.peek().has(pets[index]?.id ?? 0);
    const from = shiftKey ? (last.current ?? index) : index;
    last.current = index;
    const chosen = new Map(selection.peek());
    for (const pet of pets.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (picked) chosen.set(pet.id, pet);
      else chosen.delete(pet.id);
    }
    selection.value = chosen;
  };
  return (
    <Table
      label={animals.title}
      columns={[
        ...(may ? [{ name: animals.bulk.pick, cell: "pick" }] : []),
        { name: animals.name, cell: "lead" },
        { name: animals.category, cell: "name" },
        { name: animals.status, cell: "control" },
        { name: animals.number, cell: "number" },
        { name: animals.actions, cell: "end corner" },
      ]}
      rows={pets.map((pet, index) => ({
        key: pet.id,
        cells: [
          ...(may
            ? [
                <label class="pick-area">
                  <input
                    type="checkbox"
                    aria-label={animals.bulk.pickOne(pet.name)}
                    checked={selection.value.has(pet.id)}
                    onClick={(event) => pick(event, index)}
                  />
                </label>,
              ]
            : []),
          <a class="link" href={hrefOf(pet)}>
            {pet.name}
          </a>,
          categoryName(categories, pet.categoryId),
          <StatusControl pet={pet} onMove={(to) => onMove(pet, to)} />,
          <span class="soft">{pet.id}</span>,
          <Menu
            label={common.more(pet.name)}
            items={[
              ...(may ? [{ label: animals.edit, onClick: () => route(hrefOf(pet)) }] : []),
              ...pagesOf(pet).map(({ name, href }) => ({
                label: animals.showOn(name),
                onClick: () => void window.open(href, "_blank", "noopener"),
              })),
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
  byName,
}: {
  readonly categories: readonly Category[] | undefined;
  /** True if few enough animals match to be sorted by name. */
  readonly byName: boolean;
}): JSX.Element {
  const [query, change] = useQuery();
  const { name, status, categoryId } = petQuery(query);
  const order = petOrder(query);
  const animals = animalsWords.words();
  return (
    <search class="filters">
      <NameFilter value={name ?? ""} onFind={(text) => change({ name: text })} />
      <FilterSelect
        label={animals.category}
        all={animals.anyCategory}
        value={categoryId === undefined ? undefined : String(categoryId)}
        options={categories.map((one) => ({ value: String(one.id), label: one.name }))}
        onChoose={(value) => change({ category: value })}
      />
      <FilterSelect
        label={animals.order.label}
        all={animals.order.newest}
        value={order === "newest" ? undefined : order}
        options={(["oldest", "name"] as const).map((value) => ({
          value,
          label: animals.order[value],
        }))}
        onChoose={(value) => change({ order: value })}
      />
      {(name ?? status ?? categoryId) !== undefined && (
        <Button
          look="quiet"
          onClick={() => change({ name: undefined, status: undefined, category: undefined })}
        >
          {animals.clear}
        </Button>
      )}
      {!byName && (
        <p class="soft small" role="status">
          {animals.order.tooMany(MOST_BY_NAME)}
        </p>
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
            const sought = typed.peek();
            onFind(SEARCHABLE.test(sought) ? trimText(sought) : "");
          }, TYPING_MS);
        }}
      />
    </label>
  );
}
