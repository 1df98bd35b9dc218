import type { Page } from "../../base/page.ts";
import type { PetFilter, StoredPet } from "../../model/pet.ts";
import type { Store } from "../../storage/store.ts";
import { filtersOf, type Shown } from "./shown.ts";

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
