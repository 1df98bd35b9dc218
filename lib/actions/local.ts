import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Environment } from "../model/account.ts";
import type { Category } from "../model/category.ts";
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
} from "./accounts.ts";
import type { ActionContext } from "./context.ts";
import { importPets } from "./import.ts";
import { createKey, listKeys, revokeKey, rotateKey, unbanKey } from "./keys.ts";
import type { LocalClient } from "./local-client.ts";

/** The actions under the names of `LocalClient`. */
export function createLocalClient(context: ActionContext, served: Environment): LocalClient {
  const { store } = context;
  const accountOf = async (accountId: string | undefined): Promise<string> =>
    accountId ?? (await defaultAccount(context)).id;
  const inCatalogue = async <Value>(
    where: { readonly accountId?: string; readonly environment?: Environment },
    read: (catalogueId: number) => Promise<Value>,
  ): Promise<Result<Value, Problem>> => {
    const { environment = served } = where;
    const catalogue = await store.catalogues.of(await accountOf(where.accountId), environment);
    return catalogue === undefined ? refused(noSuchAccount) : done(await read(catalogue.id));
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
      revoke: (keyId) => revokeKey(context, keyId),
      unban: (keyId) => unbanKey(context, keyId),
    },
    pets: {
      import: async (input) =>
        importPets(context, {
          ...input,
          environment: input.environment ?? served,
          accountId: await accountOf(input.accountId),
        }),
      page: ({ filter = {}, after = 0, limit = MAX_PAGE, ...where }) =>
        inCatalogue(where, async (catalogueId) => {
          const page = { limit: Math.min(limit, MAX_PAGE), order: "asc", after } as const;
          const pets = await store.pets.list(catalogueId, filter, page);
          return pets.map(({ id, name, categoryId, status }) => ({ id, name, categoryId, status }));
        }),
    },
    categories: {
      list: (where) =>
        inCatalogue(where, async (catalogueId) => {
          const found: Category[] = [];
          for (;;) {
            const after = found.at(-1)?.id ?? 0;
            const page = { limit: MAX_PAGE, order: "asc", after } as const;
            const categories = await store.categories.list(catalogueId, page);
            found.push(...categories.map(({ id, name }) => ({ id, name })));
            if (categories.length < MAX_PAGE) return found;
          }
        }),
    },
  };
}

/** The most rows of one `page`. */
const MAX_PAGE = 1_000;
