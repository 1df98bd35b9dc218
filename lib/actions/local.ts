import { done, refused } from "../base/result.ts";
import type { Environment } from "../model/account.ts";
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
import { createKey, listKeys, renameKey, revokeKey, rotateKey, unbanKey } from "./keys.ts";
import { readLimits } from "./limits.ts";
import { localCategories, localPets, type FindCatalogue } from "./local-catalogue.ts";
import type { LocalClient } from "./local-client.ts";

/** The actions under the names of `LocalClient`. */
export function createLocalClient(context: ActionContext, served: Environment): LocalClient {
  const { store } = context;
  const accountOf = async (accountId: string | undefined): Promise<string> =>
    accountId ?? (await defaultAccount(context)).id;
  const find: FindCatalogue = async ({ accountId, environment = served }) => {
    const catalogue = await store.catalogues.of(await accountOf(accountId), environment);
    return catalogue === undefined ? refused(noSuchAccount) : done(catalogue.id);
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
      ...localPets(context, find),
      import: async (input) =>
        importPets(context, {
          ...input,
          environment: input.environment ?? served,
          accountId: await accountOf(input.accountId),
        }),
    },
    categories: localCategories(context, find),
  };
}
