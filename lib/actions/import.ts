import { nearest } from "../base/nearest.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { check } from "../base/schema.ts";
import type { Environment } from "../model/account.ts";
import { foldCategoryName } from "../model/category.ts";
import { NewPetSchema } from "../model/pet-schema.ts";
import type { NewPet } from "../model/pet.ts";
import type { Store } from "../storage/store.ts";
import { noSuchAccount } from "./accounts.ts";
import type { ActionContext } from "./context.ts";
import type { ImportOutcome, ImportRow } from "./local-client.ts";
import { normalPet, unknownCategory } from "./pets.ts";

/** The most rows that one call takes: they are one commit. */
export const MAX_IMPORT_ROWS = 1_000;

interface ImportInput {
  readonly accountId: string;
  readonly environment: Environment;
  readonly rows: readonly ImportRow[];
  readonly dryRun?: boolean | undefined;
}

/** Adds the rows that are right, in their order, in one commit; says what is wrong with the others. */
export async function importPets(
  { store, clock }: ActionContext,
  { accountId, environment, rows, dryRun = false }: ImportInput,
): Promise<Result<ImportOutcome, Problem>> {
  if (!Array.isArray(rows) || rows.length > MAX_IMPORT_ROWS) {
    return refused(problem("invalid_value", `At most ${MAX_IMPORT_ROWS} rows at a time.`));
  }
  const catalogue = await store.catalogues.of(accountId, environment);
  if (catalogue === undefined) return refused(noSuchAccount);
  for (;;) {
    // Read anew each time round: a category may go between the look and the commit.
    const categories = await allCategories(store, catalogue.id);
    const failures: { index: number; problem: Problem }[] = [];
    const pets: NewPet[] = [];
    for (const [index, row] of rows.entries()) {
      const pet = petOf(row, categories);
      if (pet.ok) pets.push(pet.value);
      else failures.push({ index, problem: pet.failure });
    }
    if (dryRun || pets.length === 0) return done({ added: pets.length, failures });
    const at = clock.now();
    const committed = await store.commit(
      pets.map((pet) => ({ kind: "pet.create", catalogueId: catalogue.id, pet, at })),
    );
    if (committed.ok) return done({ added: pets.length, failures });
    if (committed.failure.refusal !== "unknown_category") return refused(noSuchAccount);
  }
}

/** Ids by id and by folded name. */
async function allCategories(
  store: Store,
  catalogueId: number,
): Promise<ReadonlyMap<string | number, number>> {
  const found = new Map<string | number, number>();
  const limit = 1_000;
  for (let after = 0; ;) {
    const page = await store.categories.list(catalogueId, { limit, order: "asc", after });
    for (const { id, name } of page) {
      found.set(id, id).set(foldCategoryName(name), id);
      after = id;
    }
    if (page.length < limit) return found;
  }
}

function petOf(
  row: ImportRow,
  categories: ReadonlyMap<string | number, number>,
): Result<NewPet, Problem> {
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    return refused(problem("invalid_body", "A row must be an object."));
  }
  const { category, ...fields } = row;
  let candidate: unknown = fields;
  if (category !== undefined && fields.categoryId === undefined) {
    const id =
      typeof category === "string" ? categories.get(foldCategoryName(category.trim())) : undefined;
    if (id === undefined) return refused(unknownCategoryName(category, categories));
    candidate = { ...fields, categoryId: id };
  }
  const checked = check(NewPetSchema, candidate);
  if (!checked.ok) {
    const [first] = checked.failure;
    return refused(problem(first.code, first.message, { errors: checked.failure }));
  }
  const pet = normalPet(checked.value);
  return categories.has(pet.categoryId) ? done(pet) : refused(unknownCategory(pet.categoryId));
}

function unknownCategoryName(
  name: unknown,
  categories: ReadonlyMap<string | number, number>,
): Problem {
  if (typeof name !== "string") {
    return problem("invalid_value", '"category" must be the name of a category.');
  }
  const names = [...categories.keys()].filter((key) => typeof key === "string");
  const meant = nearest(name, names);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return problem(
    "unknown_category",
    `There is no category ${JSON.stringify(name.slice(0, 80))}.${hint}`,
  );
}
