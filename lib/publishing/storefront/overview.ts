import {
  petStatuses,
  type PetFilter,
  type PetStatus,
  type StoredCategory,
} from "../../catalogue/model.ts";
import type { ProfileValues } from "../../catalogue/model-profile.ts";
import type { Store } from "../../storage/store.ts";
import type { Shown } from "./shown.ts";

/** The numbers of visible animals by category and status. */
export interface Overview {
  /** False for a catalogue too large to count on every change; a count of 1 then means at least one. */
  readonly counted: boolean;
  readonly byStatus: Counts;
  /** The nonempty categories, sorted by name. */
  readonly categories: readonly CountedCategory[];
  /** What profiles say. */
  readonly profiles: ProfileValues;
}

export interface CountedCategory {
  readonly id: number;
  readonly name: string;
  readonly byStatus: Counts;
}

export type Counts = Readonly<Record<PetStatus, number>>;

/** Counting scans an index, which takes a millisecond or two for this many animals. */
const MAX_COUNTED = 20_000;

/** The most categories in the filter. */
const MAX_CATEGORIES = 100;

/** Counts the visible animals. `language` determines the order of names. */
export async function overviewOf(store: Store, shown: Shown, language: string): Promise<Overview> {
  const { catalogueId, statuses } = shown;
  // Ids count up, so the newest bounds the number of animals.
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
    profiles: await store.profiles.values(catalogueId),
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

/** Sums the counts of one status, or of all. */
export function sum(counts: Counts, status?: PetStatus): number {
  return status === undefined
    ? petStatuses.reduce((total, one) => total + counts[one], 0)
    : counts[status];
}
