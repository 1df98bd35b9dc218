import {
  type PetFilter,
  type PetStatus,
  type StoredPet,
  petStatuses,
} from "../../catalogue/model.ts";
import type { ProfileFilter } from "../../catalogue/model-profile.ts";
import type { Page } from "../../base/page.ts";
import type { Store } from "../../storage/store.ts";
import { bornFor } from "../../catalogue/model-profile.ts";
import { ageGroups, companionsIn, type ListQuery } from "./route.ts";
import type { StorefrontSettings } from "../model/site-file.ts";
import type { Site } from "../site.ts";

/** The visible part of a catalogue. */
export interface Shown {
  readonly catalogueId: number;
  /** Empty: all categories. */
  readonly categoryIds: readonly number[];
  /** The statuses in the order of `petStatuses`. Empty: no animals. */
  readonly statuses: readonly PetStatus[];
  /** What a visitor asks of profiles. */
  readonly profile?: ProfileFilter | undefined;
}

/** Combines the project's filter with that of its site file. */
export function shownBy({
  project,
  catalogueId,
  manifest,
}: Pick<Site, "project" | "catalogueId" | "manifest">): Shown {
  const { storefront } = manifest.site;
  const narrowed = (storefront === false ? undefined : storefront)?.statuses ?? petStatuses;
  return {
    catalogueId,
    categoryIds: [...new Set(project.filter.categoryIds)],
    statuses: petStatuses.filter(
      (status) => project.filter.statuses.includes(status) && narrowed.includes(status),
    ),
  };
}

/** Returns whether visitors may see the animal. */
export function isShown(
  { categoryIds, statuses }: Shown,
  pet: Pick<StoredPet, "categoryId" | "status">,
): boolean {
  return (
    statuses.includes(pet.status) &&
    (categoryIds.length === 0 || categoryIds.includes(pet.categoryId))
  );
}

/** Narrows the visible part by a visitor's filter; undefined if it selects nothing visible. */
export function narrow(
  shown: Shown,
  { category, status, ...query }: ListQuery,
  today: string,
): Shown | undefined {
  const { categoryIds, statuses } = shown;
  if (status !== undefined && !statuses.includes(status)) return undefined;
  if (category !== undefined && categoryIds.length > 0 && !categoryIds.includes(category)) {
    return undefined;
  }
  return {
    ...shown,
    ...(category !== undefined && { categoryIds: [category] }),
    ...(status !== undefined && { statuses: [status] }),
    profile: profileFilter(query, today),
  };
}

/** Returns what a visitor's query asks of profiles; undefined if nothing. */
function profileFilter(
  { sex, size, age, with: companions }: ListQuery,
  today: string,
): ProfileFilter | undefined {
  if (sex === undefined && size === undefined && age === undefined && companions === undefined) {
    return undefined;
  }
  const { least, most } =
    age === undefined ? { least: undefined, most: undefined } : ageGroups[age];
  return { sex, size, goodWith: companionsIn(companions), ...bornFor({ least, most }, today) };
}

/** Returns disjoint filters of the store that together select what is visible. */
function filtersOf({ categoryIds, statuses, profile }: Shown): readonly PetFilter[] {
  const byStatus: readonly PetFilter[] =
    statuses.length === petStatuses.length
      ? [{ profile }]
      : statuses.map((status) => ({ status, profile }));
  if (categoryIds.length === 0) return byStatus;
  return categoryIds.flatMap((categoryId) => byStatus.map((filter) => ({ ...filter, categoryId })));
}

/** Returns the site file's storefront settings; empty when it is turned off. */
export function storefrontOf({ manifest }: Site): StorefrontSettings {
  return manifest.site.storefront === false ? {} : (manifest.site.storefront ?? {});
}

/**
 * Lists one page of the visible animals, sorted by id. The store filters by one category and one status, so several of
 * them are read as separate lists and merged. Every page costs the same.
 */
export async function listShown(
  store: Store,
  shown: Shown,
  page: Page,
): Promise<readonly StoredPet[]> {
  const filters = filtersOf(shown);
  const [only] = filters;
  if (only === undefined) return [];
  if (filters.length === 1) return store.pets.list(shown.catalogueId, only, page);

  // Each of many lists contributes few animals: read about twice as many in total as needed.
  const limit = Math.min(page.limit, Math.ceil((2 * page.limit) / filters.length));
  const sources = filters.map((filter) =>
    source(store, shown.catalogueId, filter, { ...page, limit }),
  );
  const found: StoredPet[] = [];
  while (found.length < page.limit) {
    let first: { readonly pet: StoredPet; readonly from: Source } | undefined;
    for (const from of sources) {
      const pet = from.head() ?? (await from.more());
      if (pet === undefined) continue;
      if (
        first === undefined ||
        (page.order === "asc" ? pet.id < first.pet.id : pet.id > first.pet.id)
      ) {
        first = { pet, from };
      }
    }
    if (first === undefined) break;
    found.push(first.pet);
    first.from.take();
  }
  return found;
}

/** One of the merged lists. */
interface Source {
  /** Returns the next animal if it was read already. */
  head(): StoredPet | undefined;
  /** Reads more and returns the next animal; undefined at the end. */
  more(): Promise<StoredPet | undefined>;
  take(): void;
}

function source(store: Store, catalogueId: number, filter: PetFilter, page: Page): Source {
  let rows: readonly StoredPet[] = [];
  let at = 0;
  let next: Page | undefined = page;
  return {
    head: () => rows[at],
    more: async () => {
      if (next === undefined) return undefined;
      rows = await store.pets.list(catalogueId, filter, next);
      at = 0;
      const last = rows.at(-1);
      next =
        last === undefined || rows.length < page.limit ? undefined : { ...page, after: last.id };
      return rows[0];
    },
    take: () => void at++,
  };
}
