import { petStatuses, type PetFilter, type PetStatus } from "../../model/pet.ts";
import type { StoredCategory } from "../../model/category.ts";
import type { Store } from "../../storage/store.ts";
import type { Shown } from "./shown.ts";

/** How many animals are shown, by category and status. */
export interface Overview {
  /** False in a catalogue too large to count on every change: then 1 says that there are some. */
  readonly counted: boolean;
  readonly byStatus: Counts;
  /** Those that can be filtered by, with none that is empty, by name. */
  readonly categories: readonly CountedCategory[];
}

export interface CountedCategory {
  readonly id: number;
  readonly name: string;
  readonly byStatus: Counts;
}

export type Counts = Readonly<Record<PetStatus, number>>;

/** Counting walks over an index: up to so many animals that costs a millisecond or two. */
const MAX_COUNTED = 20_000;

/** A filter of more categories helps nobody. */
const MAX_CATEGORIES = 100;

/** Looks at what is shown as a whole; `language` decides on the order of names. */
export async function overviewOf(store: Store, shown: Shown, language: string): Promise<Overview> {
  const { catalogueId, statuses } = shown;
  // Ids count up: the newest tells how many there can be at most.
  const [newest] = await store.pets.list(catalogueId, {}, { limit: 1, order: "desc" });
  const counted = (newest?.id ?? 0) <= MAX_COUNTED;

  const count = async (filter: PetFilter): Promise<number> =>
    counted
      ? store.pets.count(catalogueId, filter)
      : (await store.pets.list(catalogueId, filter, { limit: 1, order: "desc" })).length;
  const counts = async (filter: PetFilter): Promise<Counts> => {
    const byStatus: Record<PetStatus, number> = { available: 0, pending: 0, sold: 0 };
    for (const status of statuses) byStatus[status] = await count({ ...filter, status });
    return byStatus;
  };

  const categories: CountedCategory[] = [];
  for (const { id, name } of await categoriesOf(store, shown)) {
    const byStatus = await counts({ categoryId: id });
    if (sum(byStatus) > 0) categories.push({ id, name, byStatus });
  }
  const { compare } = new Intl.Collator(language, { numeric: true });
  return {
    counted,
    byStatus: shown.categoryIds.length === 0 ? await counts({}) : added(categories),
    categories: categories.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id),
  };
}

async function categoriesOf(
  store: Store,
  { catalogueId, categoryIds }: Shown,
): Promise<readonly StoredCategory[]> {
  if (categoryIds.length === 0) {
    return store.categories.list(catalogueId, { limit: MAX_CATEGORIES, order: "asc" });
  }
  const found: StoredCategory[] = [];
  for (const id of categoryIds) {
    const category = await store.categories.byId(catalogueId, id);
    if (category !== undefined) found.push(category);
  }
  return found;
}

function added(categories: readonly CountedCategory[]): Counts {
  const total: Record<PetStatus, number> = { available: 0, pending: 0, sold: 0 };
  for (const { byStatus } of categories) {
    for (const status of petStatuses) total[status] += byStatus[status];
  }
  return total;
}

/** Those of one status, or of all. */
export function sum(counts: Counts, status?: PetStatus): number {
  return status === undefined
    ? petStatuses.reduce((total, one) => total + counts[one], 0)
    : counts[status];
}
