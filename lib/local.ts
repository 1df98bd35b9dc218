import { anId, namedArguments, takingArguments } from "./base/arguments.ts";
import { problem, type Problem } from "./base/problem.ts";
import { done, refused, type Result } from "./base/result.ts";
import { check } from "./base/check.ts";
import type { Schema } from "./base/schema.ts";
import { categoryShown, petShown } from "./catalogue/model.ts";
import {
  addCategory,
  getCategory,
  removeCategory,
  renameCategory,
} from "./catalogue/routes/categories.ts";
import { allRows, idsIn, MAX_ROWS, type Operation } from "./catalogue/routes/operation.ts";
import { addPet, bringBackPet, changePet, getPet, removePet } from "./catalogue/routes/pets.ts";
import { addRows } from "./catalogue/routes/staff-pets.ts";
import type { Environment } from "./model/account.ts";
import {
  changePlan,
  createAccount,
  deleteAccount,
  readAccount,
  renameAccount,
  resumeAccount,
  suspendAccount,
} from "./accounts/accounts.ts";
import type { ActionContext } from "./accounts/context.ts";
import { defaultAccount, noSuchAccount } from "./accounts/default-account.ts";
import { createKey, listKeys, renameKey, revokeKey, rotateKey, unbanKey } from "./accounts/keys.ts";
import { readLimits } from "./accounts/limits.ts";
import type { InCatalogue, LocalClient, OnVersion } from "./local-client.ts";

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

  /** Returns the function that runs an operation in the catalogue of its input. JavaScript callers may pass anything. */
  const local =
    <Row>({ path, body, conditional, run }: Operation<Row>) =>
    async (input: InCatalogue & OnVersion): Promise<Result<Row, Problem>> => {
      const given: Readonly<Record<string, unknown>> = { ...input };
      const checked = body === undefined ? done(undefined) : check(body, membersOf(body, given));
      if (!checked.ok) {
        const [{ code, message }] = checked.failure;
        return refused(problem(code, message, { errors: checked.failure }));
      }
      const call = {
        ids: idsIn(path, (name) => Number(given[`${name}Id`])),
        query: undefined,
        body: checked.value,
        now: context.clock.now(),
        precondition: conditional && hasVersion(input.ifVersion, conditional),
        may: () => true,
      };
      return within(input, async (catalogueId) =>
        run(context, { ...call, catalogueId }, nothingMore),
      );
    };

  const actions: LocalClient = {
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
      byId: local(getPet),
      create: local(addPet),
      update: local(changePet),
      delete: local(removePet),
      restore: local(bringBackPet),
      import: (input) => within(input, (id) => addRows(context, id, input)),
      page: ({ filter = {}, after = 0, limit = MAX_ROWS, ...where }) =>
        within(where, async (id) => {
          const page = { limit: Math.min(limit, MAX_ROWS), order: "asc", after } as const;
          return done((await store.pets.list(id, filter, page)).map(petShown));
        }),
    },
    categories: {
      list: (where) =>
        within(where, async (id) => {
          const found = await allRows((page) => store.categories.list(id, page));
          return done(found.map(categoryShown));
        }),
      byId: local(getCategory),
      create: local(addCategory),
      rename: local(renameCategory),
      delete: local(removeCategory),
    },
  };
  return checkedActions(actions);
}

/** Returns the actions with a check of what TypeScript checks. */
function checkedActions(actions: LocalClient): LocalClient {
  const [byId, byNames] = [[anId], [namedArguments]];
  return {
    accounts: takingArguments("client.accounts", actions.accounts, {
      create: byNames,
      byId,
      rename: byNames,
      changePlan: byNames,
      suspend: byId,
      resume: byId,
      delete: byId,
    }),
    keys: takingArguments("client.keys", actions.keys, {
      create: byNames,
      list: byId,
      rotate: byNames,
      rename: byNames,
      revoke: byId,
      unban: byId,
    }),
    limits: takingArguments("client.limits", actions.limits, { read: byNames }),
    pets: takingArguments("client.pets", actions.pets, {
      byId: byNames,
      create: byNames,
      update: byNames,
      delete: byNames,
      restore: byNames,
      import: byNames,
      page: byNames,
    }),
    categories: takingArguments("client.categories", actions.categories, {
      list: byNames,
      byId: byNames,
      create: byNames,
      rename: byNames,
      delete: byNames,
    }),
  };
}

/** Returns the members of an input that belong to a body. Undefined ones are absent. */
function membersOf(
  { json }: Schema<unknown>,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = Object.keys(json["properties"] ?? {}).filter((name) => input[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, input[name]]));
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
