import { type PetFilter, type PetStatus, type StoredPet, petStatuses } from "../../model/pet.ts";
import type { StorefrontSettings } from "../model/site-file.ts";
import type { Site } from "../site.ts";
import type { Page } from "../../base/page.ts";
import type { Store } from "../../storage/store.ts";

/** Which animals of one catalogue are shown. */
export interface Shown {
  readonly catalogueId: number;
  /** Empty: all of them. */
  readonly categoryIds: readonly number[];
  /** In the order of `petStatuses`. Empty: nothing is shown. */
  readonly statuses: readonly PetStatus[];
}

/** What the project's filter lets through, narrowed by its site file. */
export function shownBy({ project, catalogueId, manifest }: Site): Shown {
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

/** True when the animal may be seen: in no list and at no address otherwise. */
export function isShown({ categoryIds, statuses }: Shown, pet: StoredPet): boolean {
  return (
    statuses.includes(pet.status) &&
    (categoryIds.length === 0 || categoryIds.includes(pet.categoryId))
  );
}

/** The part of it that a visitor asks for; undefined for what is not shown at all. */
export function narrow(
  shown: Shown,
  { category, status }: { readonly category?: number; readonly status?: PetStatus },
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
  };
}

/** Filters of the store that together let through what is shown, and none of it twice. */
function filtersOf({ categoryIds, statuses }: Shown): readonly PetFilter[] {
  const byStatus: readonly PetFilter[] =
    statuses.length === petStatuses.length ? [{}] : statuses.map((status) => ({ status }));
  if (categoryIds.length === 0) return byStatus;
  return categoryIds.flatMap((categoryId) => byStatus.map((filter) => ({ ...filter, categoryId })));
}

/** What the site file says of the storefront; nothing where it is turned off. */
export function settingsOf({ manifest }: Site): StorefrontSettings {
  return manifest.site.storefront === false ? {} : (manifest.site.storefront ?? {});
}

/**
 * One page by id of what is shown. The store filters by one category and one status: several of them are as many lists,
 * merged. Costs the same however deep the page lies.
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

  // Of many lists each gives little: what is read at once is about twice what is wanted.
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

/** One of the lists that are merged. */
interface Source {
  /** The next of its animals, if it is at hand. */
  head(): StoredPet | undefined;
  /** Reads on, and gives the next; undefined at the end. */
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
