import { answeredMeanwhile, problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { StoredCategory } from "./model.ts";
import { normalText } from "../model/text.ts";
import { categoryOf, type Also, type Conflict, type Outcome } from "../storage/change.ts";
import { changeRow, commitWith, unlessStale, type CatalogueContext } from "./commit.ts";
import { categoryRefusals as refusals } from "./refusals.ts";

/** Adds a category. Refused with `category_exists` when another one has the same name, whatever its case. */
export async function createCategory(
  { commit, clock }: CatalogueContext,
  catalogueId: number,
  name: string,
  also: Also<StoredCategory>,
): Promise<Result<StoredCategory, Problem>> {
  const committed = await commitWith(
    commit,
    [{ kind: "category.create", catalogueId, name: normalText(name), at: clock.now() }],
    firstCategory,
    also,
  );
  return committed.ok ? committed : refused(problemOf(committed.failure));
}

export async function readCategory(
  { store }: CatalogueContext,
  catalogueId: number,
  categoryId: number,
): Promise<Result<StoredCategory, Problem>> {
  const category = await store.categories.byId(catalogueId, categoryId);
  return category === undefined ? refused(refusals.missing) : done(category);
}

export interface CategoryUpdate {
  readonly categoryId: number;
  readonly name?: string | undefined;
  readonly precondition?: ((category: StoredCategory) => Problem | undefined) | undefined;
}

/** Renames a category. Without a name, or with the current one, nothing changes. */
export function updateCategory(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  { categoryId, name, precondition }: CategoryUpdate,
  also: Also<StoredCategory>,
): Promise<Result<StoredCategory, Problem>> {
  return changeRow({
    read: () => store.categories.byId(catalogueId, categoryId),
    precondition,
    refusals,
    write: async (from) => {
      const wanted = name === undefined ? from.name : normalText(name);
      const same = wanted === from.name;
      const committed = await commitWith(
        commit,
        same ? [] : [{ kind: "category.update", catalogueId, from, name: wanted, at: clock.now() }],
        same ? () => from : firstCategory,
        also,
      );
      return unlessStale(committed, (conflict) => (same ? answeredMeanwhile : problemOf(conflict)));
    },
  });
}

/** Removes a category that no animal uses, animals that can be restored included. */
export function deleteCategory(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  categoryId: number,
  precondition: CategoryUpdate["precondition"],
): Promise<Result<undefined, Problem>> {
  return changeRow({
    read: () => store.categories.byId(catalogueId, categoryId),
    precondition,
    refusals,
    write: async (from) => {
      const committed = await commitWith(
        commit,
        [{ kind: "category.delete", catalogueId, from, at: clock.now() }],
        () => undefined,
      );
      return unlessStale(committed, problemOf);
    },
  });
}

/** Returns the category, which the first change of the commit wrote. */
const firstCategory = ([category]: readonly Outcome[]): StoredCategory => categoryOf(category);

function problemOf({ index, refusal }: Conflict): Problem {
  // Index 0 is the category; a recorded answer follows it.
  if (index > 0) return answeredMeanwhile;
  switch (refusal) {
    case "exists":
      return problem("category_exists", "A category with this name already exists.");
    case "in_use":
      return problem(
        "category_in_use",
        "Animals use this category, or could be restored into it within 48 hours.",
      );
    case "missing":
    case "stale":
    case "limit":
    case "quota":
    case "unknown_category":
      return refusals.missing;
  }
}
