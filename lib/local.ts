import { problem, type Problem } from "./base/problem.ts";
import { done, refused, type Result } from "./base/result.ts";
import { check, type Schema } from "./base/schema.ts";
import {
  createCategory,
  deleteCategory,
  readCategory,
  updateCategory,
  categoryHasChanged,
} from "./catalogue/categories.ts";
import { importPets } from "./catalogue/import.ts";
import { categoryShown, petFieldsIn, petShown, type Category } from "./catalogue/model.ts";
import {
  createPet,
  deletePet,
  readPet,
  restorePet,
  updatePet,
  petHasChanged,
} from "./catalogue/pets.ts";
import {
  CategoryPatchSchema,
  NewCategorySchema,
  NewPetSchema,
  PetPatchSchema,
} from "./catalogue/schema.ts";
import type { Environment } from "./model/account.ts";
import {
  changePlan,
  createAccount,
  defaultAccount,
  deleteAccount,
  noSuchAccount,
  readAccount,
  renameAccount,
  resumeAccount,
  suspendAccount,
} from "./accounts/accounts.ts";
import type { ActionContext } from "./accounts/context.ts";
import { createKey, listKeys, renameKey, revokeKey, rotateKey, unbanKey } from "./accounts/keys.ts";
import { readLimits } from "./accounts/limits.ts";
import type { InCatalogue, LocalClient } from "./local-client.ts";

/** The most rows of one page. */
const MAX_PAGE = 1_000;

/** The actions under the names of `LocalClient`. */
export function createLocalClient(context: ActionContext, served: Environment): LocalClient {
  const { store } = context;
  const accountOf = async (accountId: string | undefined): Promise<string> =>
    accountId ?? (await defaultAccount(context)).id;

  /** Runs `action` in the catalogue; refused when its account does not exist. */
  const within = async <Value>(
    { accountId, environment = served }: InCatalogue,
    action: (catalogueId: number) => Promise<Result<Value, Problem>>,
  ): Promise<Result<Value, Problem>> => {
    const catalogue = await store.catalogues.of(await accountOf(accountId), environment);
    return catalogue === undefined ? refused(noSuchAccount) : action(catalogue.id);
  };

  /** The same with the checked `fields`: JavaScript callers may pass anything. */
  const withChecked = async <Fields, Value>(
    schema: Schema<Fields>,
    fields: unknown,
    where: InCatalogue,
    action: (catalogueId: number, fields: Fields) => Promise<Result<Value, Problem>>,
  ): Promise<Result<Value, Problem>> => {
    const checked = check(schema, fields);
    if (checked.ok) return within(where, (id) => action(id, checked.value));
    const [{ code, message }] = checked.failure;
    return refused(problem(code, message, { errors: checked.failure }));
  };

  return {
    accounts: {
      create: (input) => createAccount(context, input),
      byId: (accountId) => readAccount(context, accountId),
      list: async () => store.accounts.list(),
      default: () => defaultAccount(context),
      rename: (input) => renameAccount(context, input),
      changePlan: (input) => changePlan(context, input),
      suspend: (accountId) => suspendAccount(context, accountId),
      resume: (accountId) => resumeAccount(context, accountId),
      delete: (accountId) => deleteAccount(context, accountId),
    },
    keys: {
      create: async (input) =>
        createKey(context, {
          ...input,
          environment: input.environment ?? served,
          accountId: await accountOf(input.accountId),
        }),
      list: (accountId) => listKeys(context, accountId),
      rotate: (input) => rotateKey(context, input),
      rename: (input) => renameKey(context, input),
      revoke: (keyId) => revokeKey(context, keyId),
      unban: (keyId) => unbanKey(context, keyId),
    },
    limits: {
      read: async ({ accountId, environment = served }) =>
        readLimits(context, { accountId: await accountOf(accountId), environment }),
    },
    pets: {
      byId: ({ petId, ...where }) => within(where, (id) => readPet(context, id, petId)),
      create: (input) =>
        withChecked(NewPetSchema, petFieldsIn(input), input, (id, pet) =>
          createPet(context, id, pet, nothingMore),
        ),
      update: ({ petId, ifVersion, ...input }) =>
        withChecked(PetPatchSchema, petFieldsIn(input), input, (id, fields) => {
          const change = {
            petId,
            fields,
            precondition: hasVersion(ifVersion, petHasChanged),
            admin: true,
          };
          return updatePet(context, id, change, nothingMore);
        }),
      delete: ({ petId, ifVersion, ...where }) =>
        within(where, (id) => deletePet(context, id, petId, hasVersion(ifVersion, petHasChanged))),
      restore: ({ petId, ...where }) =>
        within(where, (id) => restorePet(context, id, petId, nothingMore)),
      import: (input) => within(input, (id) => importPets(context, id, input)),
      page: ({ filter = {}, after = 0, limit = MAX_PAGE, ...where }) =>
        within(where, async (id) => {
          const page = { limit: Math.min(limit, MAX_PAGE), order: "asc", after } as const;
          return done((await store.pets.list(id, filter, page)).map(petShown));
        }),
    },
    categories: {
      list: (where) =>
        within(where, async (catalogueId) => {
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
        within(where, (id) => readCategory(context, id, categoryId)),
      create: ({ name, ...where }) =>
        withChecked(NewCategorySchema, { name }, where, (id, category) =>
          createCategory(context, id, category.name, nothingMore),
        ),
      rename: ({ categoryId, ifVersion, name, ...where }) =>
        withChecked(CategoryPatchSchema, { name }, where, (id, fields) => {
          const change = {
            categoryId,
            precondition: hasVersion(ifVersion, categoryHasChanged),
            name: fields.name,
          };
          return updateCategory(context, id, change, nothingMore);
        }),
      delete: ({ categoryId, ifVersion, ...where }) =>
        within(where, (id) =>
          deleteCategory(context, id, categoryId, hasVersion(ifVersion, categoryHasChanged)),
        ),
    },
  };
}

/** Records nothing with the change. */
const nothingMore = (): readonly [] => [];

function hasVersion(
  wanted: number | undefined,
  stale: Problem,
): ((row: { readonly version: number }) => Problem | undefined) | undefined {
  return wanted === undefined
    ? undefined
    : ({ version }) => (version === wanted ? undefined : stale);
}
