import type { Problem } from "./base/problem.ts";
import type { Result } from "./base/result.ts";
import type { ImportOutcome, ImportRow } from "./catalogue/import.ts";
import type { IssuedKey, KeyView } from "./accounts/keys.ts";
import type { LimitsView } from "./accounts/limits.ts";
import type { Account, Environment, Limits, Plan } from "./model/account.ts";
import type {
  Category,
  StoredCategory,
  Pet,
  PetFields,
  PetFilter,
  PetInput,
  StoredPet,
} from "./catalogue/model.ts";
import type { Scope } from "./model/scope.ts";

/** Which catalogue: without an account the default one's, without an environment that which the instance serves. */
export interface InCatalogue {
  readonly accountId?: string;
  readonly environment?: Environment;
}

/** On which version a change was decided: another one is refused with `precondition_failed`. Absent: on any. */
export interface OnVersion {
  readonly ifVersion?: number | undefined;
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
    /** 1 to 120 code points, as for a new one. */
    rename(input: {
      readonly accountId: string;
      readonly name: string;
    }): Promise<Result<Account, Problem>>;
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
    /** `limit_reached` beyond 100 of the account in that environment that work. */
    create(input: {
      /** Default: the default account. */
      readonly accountId?: string;
      readonly environment?: Environment;
      readonly name?: string;
      readonly scopes?: readonly Scope[];
      readonly expiresInMs?: number;
      /** Networks in CIDR notation, or single addresses: 1 to 50. Default: from anywhere. */
      readonly allowedAddresses?: readonly string[];
    }): Promise<Result<IssuedKey, Problem>>;
    list(accountId: string): Promise<Result<readonly KeyView[], Problem>>;
    /**
     * The old key goes on for `overlapMs` (default 24 h, 0 to 7 days). `limit_reached` when 100 others are in their
     * overlap, unless it is 0; and for an expired key when there are 100 that work.
     */
    rotate(input: {
      readonly keyId: string;
      readonly overlapMs?: number;
    }): Promise<Result<IssuedKey, Problem>>;
    /** For people: at most 120 code points; may be empty. `invalid_value`. */
    rename(input: {
      readonly keyId: string;
      readonly name: string;
    }): Promise<Result<KeyView, Problem>>;
    revoke(keyId: string): Promise<Result<KeyView, Problem>>;
    unban(keyId: string): Promise<Result<KeyView, Problem>>;
  };
  /** Spends nothing. Ask the instance that serves the environment: it is the one that counts. */
  readonly limits: {
    read(input: InCatalogue): Promise<Result<LimitsView, Problem>>;
  };
  readonly pets: {
    byId(input: InCatalogue & { readonly petId: number }): Promise<Result<StoredPet, Problem>>;
    /** Without a status it is available. `invalid_value`, `unknown_category`. */
    create(input: InCatalogue & PetInput): Promise<Result<StoredPet, Problem>>;
    /** Changes what is given; a sold animal may come back. `invalid_value`, `unknown_category`, `invalid_transition`. */
    update(
      input: InCatalogue & OnVersion & PetFields & { readonly petId: number },
    ): Promise<Result<StoredPet, Problem>>;
    /** Hides it; it can be restored for 48 hours. */
    delete(
      input: InCatalogue & OnVersion & { readonly petId: number },
    ): Promise<Result<undefined, Problem>>;
    /** One that is there already stays as it is. */
    restore(input: InCatalogue & { readonly petId: number }): Promise<Result<StoredPet, Problem>>;
    /**
     * Adds the valid ones of at most 1,000 rows, in one commit; `dryRun` only checks them. `createCategories` creates
     * up to 50 categories that rows name and that do not exist.
     */
    import(
      input: InCatalogue & {
        readonly rows: readonly ImportRow[];
        readonly dryRun?: boolean;
        readonly createCategories?: boolean;
      },
    ): Promise<Result<ImportOutcome, Problem>>;
    /** Oldest first, after id `after`, at most `limit` (up to 1,000). */
    page(
      input: InCatalogue & {
        readonly filter?: PetFilter;
        readonly after?: number;
        readonly limit?: number;
      },
    ): Promise<Result<readonly Pet[], Problem>>;
  };
  readonly categories: {
    /** All of them, oldest first. */
    list(input: InCatalogue): Promise<Result<readonly Category[], Problem>>;
    byId(
      input: InCatalogue & { readonly categoryId: number },
    ): Promise<Result<StoredCategory, Problem>>;
    /** `invalid_value`, `category_exists`. */
    create(
      input: InCatalogue & { readonly name: string },
    ): Promise<Result<StoredCategory, Problem>>;
    /** `invalid_value`, `category_exists`. */
    rename(
      input: InCatalogue & OnVersion & { readonly categoryId: number; readonly name: string },
    ): Promise<Result<StoredCategory, Problem>>;
    /** `category_in_use`, also by animals that can be restored. */
    delete(
      input: InCatalogue & OnVersion & { readonly categoryId: number },
    ): Promise<Result<undefined, Problem>>;
  };
}
