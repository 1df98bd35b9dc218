import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Account, Environment, Limits, Plan } from "../model/account.ts";
import type { Category } from "../model/category.ts";
import type { Pet, PetFilter } from "../model/pet.ts";
import type { Scope } from "../model/scope.ts";
import {
  changePlan,
  createAccount,
  defaultAccount,
  deleteAccount,
  noSuchAccount,
  readAccount,
  resumeAccount,
  suspendAccount,
} from "./accounts.ts";
import type { ActionContext } from "./context.ts";
import { importPets } from "./import.ts";
import { createKey, listKeys, revokeKey, rotateKey, unbanKey } from "./keys.ts";

/** An API key as it may be shown. */
export interface KeyView {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly status: "active" | "expired" | "revoked" | "banned";
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
  readonly replacedBy?: string;
  readonly bannedUntil?: number;
}

/** A key at the only time it is shown. */
export interface IssuedKey {
  readonly view: KeyView;
  /** The whole bearer token. A secret. */
  readonly token: string;
}

/** An animal to be imported, not checked yet; `category` is a name, an alternative to `categoryId`. */
export interface ImportRow {
  readonly name?: unknown;
  readonly categoryId?: unknown;
  readonly category?: unknown;
  readonly status?: unknown;
}

export interface ImportOutcome {
  /** How many of the rows were (or, in a dry run, would be) added. */
  readonly added: number;
  /** What was wrong, by index into the rows given. Rows that are not named here were added. */
  readonly failures: readonly { readonly index: number; readonly problem: Problem }[];
}

/**
 * Everything the service can do, without HTTP, keys or limits: for the program's own commands and for
 * the code that embeds it. Trusted: whoever holds it may do anything. Durations in milliseconds.
 * An environment that is not given is the one that the instance serves.
 * All arguments and outcomes are plain JSON, so that it can be spoken over a socket.
 */
export interface LocalClient {
  readonly accounts: {
    /** Enterprise must be given `limits`, the other plans must not. */
    create(input: {
      readonly name: string;
      readonly plan?: Plan;
      readonly limits?: Limits;
    }): Promise<Result<Account, Problem>>;
    byId(accountId: string): Promise<Result<Account, Problem>>;
    list(): Promise<readonly Account[]>;
    /** The account that all of the below mean when they are given none; made on first use, with the limits of Business. */
    default(): Promise<Account>;
    changePlan(input: {
      readonly accountId: string;
      readonly plan: Plan;
      readonly limits?: Limits;
    }): Promise<Result<Account, Problem>>;
    suspend(accountId: string): Promise<Result<Account, Problem>>;
    resume(accountId: string): Promise<Result<Account, Problem>>;
    delete(accountId: string): Promise<Result<undefined, Problem>>;
  };
  readonly keys: {
    create(input: {
      /** Default: the default account. */
      readonly accountId?: string;
      readonly environment?: Environment;
      readonly name?: string;
      readonly scopes?: readonly Scope[];
      readonly expiresInMs?: number;
    }): Promise<Result<IssuedKey, Problem>>;
    list(accountId: string): Promise<Result<readonly KeyView[], Problem>>;
    /** The old key goes on for `overlapMs` (default 24 h, 0 to 7 days). */
    rotate(input: {
      readonly keyId: string;
      readonly overlapMs?: number;
    }): Promise<Result<IssuedKey, Problem>>;
    revoke(keyId: string): Promise<Result<KeyView, Problem>>;
    unban(keyId: string): Promise<Result<KeyView, Problem>>;
  };
  readonly pets: {
    /** Adds what is right of at most 1,000 rows, in one commit; `dryRun` only looks. */
    import(input: {
      readonly accountId?: string;
      readonly environment?: Environment;
      readonly rows: readonly ImportRow[];
      readonly dryRun?: boolean;
    }): Promise<Result<ImportOutcome, Problem>>;
    /** Oldest first, after id `after`, at most `limit` (up to 1,000). */
    page(input: {
      readonly accountId?: string;
      readonly environment?: Environment;
      readonly filter?: PetFilter;
      readonly after?: number;
      readonly limit?: number;
    }): Promise<Result<readonly Pet[], Problem>>;
  };
  readonly categories: {
    list(input: {
      readonly accountId?: string;
      readonly environment?: Environment;
    }): Promise<Result<readonly Category[], Problem>>;
  };
}

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
      changePlan: (input) => changePlan(context, input),
      suspend: (accountId) => suspendAccount(context, accountId),
      resume: (accountId) => resumeAccount(context, accountId),
      delete: (accountId) => deleteAccount(context, accountId),
    },
    keys: {
      create: async (input) =>
        createKey(context, {
          environment: served,
          ...input,
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
          environment: served,
          ...input,
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
          const page = { limit: MAX_PAGE, order: "asc" } as const;
          const categories = await store.categories.list(catalogueId, page);
          return categories.map(({ id, name }) => ({ id, name }));
        }),
    },
  };
}

/** The most rows of one `page`. */
const MAX_PAGE = 1_000;
