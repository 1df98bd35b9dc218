import type { ComponentChildren, JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";

import type { Account, Environment } from "../../../../lib/model/account.ts";
import type { Category } from "../../../../lib/catalogue/model.ts";
import { type Pet, type PetStatus, petStatuses } from "../../../../lib/catalogue/model.ts";
import { allowedAfter } from "../../../../lib/catalogue/model-changes.ts";
import { done, type Result } from "../../../../lib/base/result.ts";
import { call, type Output, type Problem } from "../../api.ts";
import { Environments, StagingNotice } from "../../components/choice.tsx";
import type { Tone } from "../../components/feedback.tsx";
import { Badge } from "../../components/indicators.tsx";
import { Page } from "../../components/page.tsx";
import { mayChange } from "../../state/me.ts";
import { inEnvironment, useEnvironment } from "../../state/query.ts";
import { type PageOf, type Resource, useResource } from "../../state/resource.ts";
import { animalsWords } from "../../words/late.tsx";
import { words } from "../../words/words.ts";
import { comparing, MOST_BY_NAME, type PetOrder, type PetQuery } from "./pet-list.ts";

/** One of the two catalogues of an account. */
export interface Where {
  readonly account: Account;
  readonly environment: Environment;
}

/** Returns the path parameters of a catalogue. */
export function inCatalogue({ account, environment }: Where): {
  readonly account: string;
  readonly environment: Environment;
} {
  return { account: account.id, environment };
}

/** Returns the address of an animal's page. */
export function pageOf({ account, environment }: Where, petId: number): string {
  return `/accounts/${account.id}/animals/${petId}${inEnvironment(environment)}`;
}

/** Loads animals of a list in its order, at most `limit` that follow the one with the number `after`. */
export async function loadPets(
  where: Where,
  filters: PetQuery,
  order: PetOrder,
  page: PageOf,
): Promise<Result<readonly Pet[], Problem>> {
  const load = (query: { readonly order: "newest" | "oldest" } & PageOf) =>
    call("GET /accounts/:account/:environment/pets", {
      ...inCatalogue(where),
      query: { ...filters, ...query },
    });
  if (order !== "name") return load({ ...page, order });
  const all = await load({ order: "newest", limit: MOST_BY_NAME });
  if (!all.ok) return all;
  const sorted = all.value.toSorted(comparing(order));
  const last = sorted.findIndex(({ id }) => id === page.after);
  if (page.after !== undefined && last < 0) return done([]);
  return done(sorted.slice(last + 1, last + 1 + page.limit));
}

type Storefronts = Output<"GET /accounts/:account/storefronts">;

/** Loads the sites that show animals of a catalogue: those of Staging are on none. */
export function useStorefronts({ account, environment }: Where): Resource<Storefronts> {
  return useResource(`${account.id} ${environment}`, async () =>
    environment === "production"
      ? call("GET /accounts/:account/storefronts", { account: account.id })
      : done([]),
  );
}

/** Returns the pages on which visitors see an animal, with the name of the site. */
export function publicPages(
  storefronts: Storefronts,
  { id, categoryId, status }: Pet,
): readonly { readonly name: string; readonly href: string }[] {
  return storefronts
    .filter(
      ({ categoryIds, statuses }) =>
        statuses.includes(status) && (categoryIds.length === 0 || categoryIds.includes(categoryId)),
    )
    .map(({ name, url }) => ({ name, href: `${url.replace(/\/$/, "")}/animals/${id}` }));
}

/** Loads all categories of a catalogue. */
export function useCategories(where: Where): Resource<readonly Category[]> {
  const key = `${where.account.id} ${where.environment}`;
  return useResource(key, () =>
    call("GET /accounts/:account/:environment/categories", inCatalogue(where)),
  );
}

/** Returns the name of a category, or its number while the categories load. */
export function categoryName(categories: readonly Category[] = [], id: number): string {
  return categories.find((one) => one.id === id)?.name ?? `#${id}`;
}

/** The frame of the catalogue's views: tabs and the choice of the environment. */
export function AnimalSection({
  account,
  title,
  about,
  actions,
  children,
}: {
  readonly account: Account;
  readonly title: string;
  readonly about: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { path } = useLocation();
  const environment = useEnvironment();
  const animals = animalsWords.words();
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the tabs scroll.
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  const base = `/accounts/${account.id}`;
  const views = [
    { href: `${base}/animals`, label: animals.title },
    { href: `${base}/categories`, label: animals.categories },
    ...(mayChange.value ? [{ href: `${base}/import`, label: animals.importing }] : []),
    { href: `${base}/deleted`, label: animals.deleted },
  ];
  return (
    <Page title={title} about={about} actions={actions}>
      <div class="section-bar">
        <nav ref={tabs} class="tabs" aria-label={animals.sections}>
          {views.map(({ href, label }) => (
            <a
              key={href}
              href={href + inEnvironment(environment)}
              {...(href === path ? { "aria-current": "page" as const } : {})}
            >
              {label}
            </a>
          ))}
        </nav>
        <Environments />
      </div>
      <StagingNotice />
      {children}
    </Page>
  );
}

/** The colour of each status. */
export const toneOf: Readonly<Record<PetStatus, Tone>> = {
  available: "good",
  pending: "warn",
  sold: "plain",
};

/** A button for each status that may follow; a badge for members who may not change animals. */
export function StatusControl({
  pet: { name, status },
  onMove,
}: {
  readonly pet: Pet;
  readonly onMove: (to: PetStatus) => void;
}): JSX.Element {
  const animals = animalsWords.words();
  const { common } = words();
  if (!mayChange.value) return <Badge tone={toneOf[status]}>{common.statuses[status]}</Badge>;
  return (
    <div class="segments small" role="group" aria-label={animals.statusOf(name)}>
      {petStatuses.map((one) => (
        <button
          key={one}
          type="button"
          class={one === status ? toneOf[one] : ""}
          aria-pressed={one === status}
          disabled={one !== status && !allowedAfter[status].includes(one)}
          onClick={() => {
            if (one !== status) onMove(one);
          }}
        >
          {common.statuses[one]}
        </button>
      ))}
    </div>
  );
}
