import type { Eventual } from "../base/eventual.ts";
import type { Page } from "../base/page.ts";
import { problem, type Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import type { StoredCategory } from "../model/category.ts";
import { normalText } from "../model/text.ts";
import { categoryOf, type Conflict, type Outcome } from "../storage/change.ts";
import { commitWith, type Also } from "./commit.ts";
import type { ActionContext } from "./context.ts";
import { answeredMeanwhile } from "./pets.ts";

/** Adds a category. Refused with `category_exists` when only case tells it from another. */
export async function createCategory(
  { store, clock }: ActionContext,
  catalogueId: number,
  name: string,
  also: Also<StoredCategory>,
): Promise<Result<StoredCategory, Problem>> {
  const committed = await commitWith(
    store,
    [{ kind: "category.create", catalogueId, name: normalText(name), at: clock.now() }],
    firstCategory,
    also,
  );
  return committed.ok ? committed : refused(problemOf(committed.failure));
}

export async function readCategory(
  { store }: ActionContext,
  catalogueId: number,
  categoryId: number,
): Promise<Result<StoredCategory, Problem>> {
  const category = await store.categories.byId(catalogueId, categoryId);
  return category === undefined ? refused(noSuchCategory) : { ok: true, value: category };
}

export function listCategories(
  { store }: ActionContext,
  catalogueId: number,
  page: Page,
): Eventual<readonly StoredCategory[]> {
  return store.categories.list(catalogueId, page);
}

export interface CategoryUpdate {
  readonly categoryId: number;
  readonly name?: string | undefined;
  readonly precondition?: ((category: StoredCategory) => boolean) | undefined;
}

const ATTEMPTS = 200;

/** Renames a category; without a name, or with the one it has, nothing changes. */
export async function updateCategory(
  { store, clock }: ActionContext,
  catalogueId: number,
  { categoryId, name, precondition }: CategoryUpdate,
  also: Also<StoredCategory>,
): Promise<Result<StoredCategory, Problem>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const from = await store.categories.byId(catalogueId, categoryId);
    if (from === undefined) return refused(noSuchCategory);
    if (precondition !== undefined && !precondition(from)) return refused(categoryHasChanged);
    const wanted = name === undefined ? from.name : normalText(name);
    const same = wanted === from.name;
    const committed = await commitWith(
      store,
      same ? [] : [{ kind: "category.update", catalogueId, from, name: wanted, at: clock.now() }],
      same ? () => from : firstCategory,
      also,
    );
    if (committed.ok) return committed;
    if (committed.failure.refusal !== "stale") {
      // Index 0 is the category itself; what comes after it is the recorded answer.
      const own = !same && committed.failure.index === 0;
      return refused(own ? problemOf(committed.failure) : answeredMeanwhile);
    }
  }
  return refused(tooBusy);
}

/** Removes a category that no animal uses, restorable ones included. */
export async function deleteCategory(
  { store, clock }: ActionContext,
  catalogueId: number,
  categoryId: number,
  precondition: ((category: StoredCategory) => boolean) | undefined,
): Promise<Result<undefined, Problem>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const from = await store.categories.byId(catalogueId, categoryId);
    if (from === undefined) return refused(noSuchCategory);
    if (precondition !== undefined && !precondition(from)) return refused(categoryHasChanged);
    const committed = await store.commit([
      { kind: "category.delete", catalogueId, from, at: clock.now() },
    ]);
    if (committed.ok) return { ok: true, value: undefined };
    if (committed.failure.refusal !== "stale") return refused(problemOf(committed.failure));
  }
  return refused(tooBusy);
}

// The first change of these commits is the category's.
const firstCategory = ([category]: readonly Outcome[]): StoredCategory => categoryOf(category);

const noSuchCategory: Problem = problem("not_found", "There is no such category.");

/** The refusal of a change that was decided on another version. */
export const categoryHasChanged: Problem = problem(
  "precondition_failed",
  "The category has changed since the ETag in If-Match was given. Read it again and decide anew.",
);

const tooBusy: Problem = problem("unavailable", "Others keep changing this category. Try again.", {
  retryAfterSeconds: 1,
});

function problemOf({ index, refusal }: Conflict): Problem {
  switch (refusal) {
    case "exists":
      return index === 0
        ? problem("category_exists", "There is a category of that name already.")
        : answeredMeanwhile;
    case "in_use":
      return problem(
        "category_in_use",
        "Animals use this category, or could be restored into it within 48 hours.",
      );
    case "missing":
    case "stale":
    case "limit":
    case "unknown_category":
      return noSuchCategory;
  }
}
