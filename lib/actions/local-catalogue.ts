import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { check, type Schema } from "../base/schema.ts";
import { CategoryPatchSchema, NewCategorySchema } from "../model/category-schema.ts";
import { categoryShown, type Category } from "../model/category.ts";
import { petFieldsIn, petShown } from "../model/pet.ts";
import { NewPetSchema, PetPatchSchema } from "../model/pet-schema.ts";
import { createCategory, deleteCategory, readCategory, updateCategory } from "./categories.ts";
import type { ActionContext } from "./context.ts";
import type { InCatalogue, LocalClient } from "./local-client.ts";
import { createPet, deletePet, readPet, restorePet, updatePet } from "./pets.ts";

/** Finds the catalogue that a call is about; refused when there is no such account. */
export type FindCatalogue = (where: InCatalogue) => Promise<Result<number, Problem>>;

/** The most rows of one page. */
const MAX_PAGE = 1_000;

/** What can be done with animals of one catalogue. */
export function localPets(
  context: ActionContext,
  find: FindCatalogue,
): Omit<LocalClient["pets"], "import"> {
  const { store } = context;
  return {
    byId: ({ petId, ...where }) => on(find(where), (id) => readPet(context, id, petId)),
    create: (input) => {
      const pet = checked(NewPetSchema, petFieldsIn(input));
      if (!pet.ok) return Promise.resolve(pet);
      return on(find(input), (id) => createPet(context, id, pet.value, nothingMore));
    },
    update: ({ petId, ifVersion, ...input }) => {
      const fields = checked(PetPatchSchema, petFieldsIn(input));
      if (!fields.ok) return Promise.resolve(fields);
      const change = { petId, fields: fields.value, precondition: is(ifVersion), admin: true };
      return on(find(input), (id) => updatePet(context, id, change, nothingMore));
    },
    delete: ({ petId, ifVersion, ...where }) =>
      on(find(where), (id) => deletePet(context, id, petId, is(ifVersion))),
    restore: ({ petId, ...where }) =>
      on(find(where), (id) => restorePet(context, id, petId, nothingMore)),
    page: ({ filter = {}, after = 0, limit = MAX_PAGE, ...where }) =>
      on(find(where), async (id) => {
        const page = { limit: Math.min(limit, MAX_PAGE), order: "asc", after } as const;
        const pets = await store.pets.list(id, filter, page);
        return done(pets.map(petShown));
      }),
  };
}

/** What can be done with the categories of one catalogue. */
export function localCategories(
  context: ActionContext,
  find: FindCatalogue,
): LocalClient["categories"] {
  const { store } = context;
  return {
    list: (where) =>
      on(find(where), async (catalogueId) => {
        const found: Category[] = [];
        for (;;) {
          const after = found.at(-1)?.id ?? 0;
          const page = { limit: MAX_PAGE, order: "asc", after } as const;
          const categories = await store.categories.list(catalogueId, page);
          found.push(...categories.map(categoryShown));
          if (categories.length < MAX_PAGE) return done(found);
        }
      }),
    byId: ({ categoryId, ...where }) =>
      on(find(where), (id) => readCategory(context, id, categoryId)),
    create: ({ name, ...where }) => {
      const category = checked(NewCategorySchema, { name });
      if (!category.ok) return Promise.resolve(category);
      return on(find(where), (id) => createCategory(context, id, category.value.name, nothingMore));
    },
    rename: ({ categoryId, ifVersion, name, ...where }) => {
      const fields = checked(CategoryPatchSchema, { name });
      if (!fields.ok) return Promise.resolve(fields);
      const change = { categoryId, name: fields.value.name, precondition: is(ifVersion) };
      return on(find(where), (id) => updateCategory(context, id, change, nothingMore));
    },
    delete: ({ categoryId, ifVersion, ...where }) =>
      on(find(where), (id) => deleteCategory(context, id, categoryId, is(ifVersion))),
  };
}

/** Goes on in the catalogue, if there is one. */
async function on<Value>(
  found: Promise<Result<number, Problem>>,
  go: (catalogueId: number) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  const catalogue = await found;
  return catalogue.ok ? go(catalogue.value) : catalogue;
}

/** Nothing is recorded besides the change itself. */
const nothingMore = (): readonly [] => [];

function is(
  wanted: number | undefined,
): ((row: { readonly version: number }) => boolean) | undefined {
  return wanted === undefined ? undefined : ({ version }) => version === wanted;
}

/** The fields, if the schema lets them through: code that calls may send anything. */
function checked<Value>(schema: Schema<Value>, fields: unknown): Result<Value, Problem> {
  const outcome = check(schema, fields);
  if (outcome.ok) return outcome;
  const [{ code, message }] = outcome.failure;
  return refused(problem(code, message, { errors: outcome.failure }));
}
