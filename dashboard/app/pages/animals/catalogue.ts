import type { Category } from "../../../../lib/model/category.ts";
import type { Account, Environment } from "../../../../lib/model/account.ts";
import { at, get } from "../../api.ts";
import { useResource, type Resource } from "../../state/resource.ts";

/** Whose animals, and which of them. */
export interface Where {
  readonly account: Account;
  readonly environment: Environment;
}

/** Where the API has what belongs to a catalogue: `pathIn(where) + "/pets"`. */
export function pathIn({ account, environment }: Where): string {
  return at`/accounts/${account.id}/${environment}`;
}

/** All categories of a catalogue. */
export function useCategories(where: Where): Resource<readonly Category[]> {
  const path = pathIn(where);
  return useResource(path, () => get<readonly Category[]>(`${path}/categories`));
}

/** The name of a category; its number as long as that is not known. */
export function categoryName(categories: readonly Category[] = [], id: number): string {
  return categories.find((one) => one.id === id)?.name ?? `#${id}`;
}
