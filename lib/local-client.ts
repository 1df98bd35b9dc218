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

/** Names a catalogue. Default: the default account, and the environment that the instance serves. */
export interface InCatalogue {
  readonly accountId?: string;
  readonly environment?: Environment;
}

/** The version that a change is based on: any other is refused with `precondition_failed`. Absent: any. */
export interface OnVersion {
  readonly ifVersion?: number | undefined;
}

/**
 * All actions of the service without HTTP, keys or limits: for the program's commands and for embedders. Its holder is
 * trusted with everything. Durations are in milliseconds. The default environment is the one that the instance serves.
 * All arguments and outcomes are plain JSON, so that it can be called over a socket. An object instead of an ID, or a text
 * instead of an object, throws a TypeError.
 */
export interface LocalClient {
  readonly accounts: {
    /** Enterprise needs `limits`; other plans must not have them. */
    create(input: {
      readonly name: string;
      readonly plan?: Plan;
      readonly limits?: Limits;
    }): Promise<Result<Account, Problem>>;
    byId(accountId: string): Promise<Result<Account, Problem>>;
    list(): Promise<readonly Account[]>;
    /** The default account of all methods below; created on first use with the limits of Business. */
    default(): Promise<Account>;
    /** 1 to 120 code points. */
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
    /** `limit_reached` beyond 100 active keys of the account in the environment. */
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
     * The old key keeps working for `overlapMs` (default 24 h, 0 to 7 days). `limit_reached` when 100 other keys are in
     * their overlap, unless it is 0; and for an expired key when 100 are active.
     */
    rotate(input: {
      readonly keyId: string;
      readonly overlapMs?: number;
    }): Promise<Result<IssuedKey, Problem>>;
    /** Renames a key. The name has at most 120 code points, and may be empty. `invalid_value`. */
    rename(input: {
      readonly keyId: string;
      readonly name: string;
    }): Promise<Result<KeyView, Problem>>;
    revoke(keyId: string): Promise<Result<KeyView, Problem>>;
    unban(keyId: string): Promise<Result<KeyView, Problem>>;
  };
  /** Spends nothing. Only the instance that serves the environment has its counts. */
  readonly limits: {
    read(input: InCatalogue): Promise<Result<LimitsView, Problem>>;
  };
  readonly pets: {
    byId(input: InCatalogue & { readonly petId: number }): Promise<Result<StoredPet, Problem>>;
    /** Default status: available. `invalid_value`, `unknown_category`. */
    create(input: InCatalogue & PetInput): Promise<Result<StoredPet, Problem>>;
    /** Absent fields stay unchanged; a sold animal may be returned. `invalid_value`, `unknown_category`, `invalid_transition`. */
    update(
      input: InCatalogue & OnVersion & PetFields & { readonly petId: number },
    ): Promise<Result<StoredPet, Problem>>;
    /** Deletes an animal, which can be restored for 48 hours. */
    delete(
      input: InCatalogue & OnVersion & { readonly petId: number },
    ): Promise<Result<undefined, Problem>>;
    /** An animal that is not deleted stays unchanged. */
    restore(input: InCatalogue & { readonly petId: number }): Promise<Result<StoredPet, Problem>>;
    /**
     * Adds the valid ones of at most 1,000 rows, in order; `dryRun` only checks them. `createCategories` creates up to
     * 50 categories that rows name and that do not exist. If the store becomes unavailable on the way, the remaining rows
     * fail with `unavailable`; if that happens at once, the call rejects.
     */
    import(
      input: InCatalogue & {
        readonly rows: readonly ImportRow[];
        readonly dryRun?: boolean;
        readonly createCategories?: boolean;
      },
    ): Promise<Result<ImportOutcome, Problem>>;
    /** Oldest first, after the ID `after`, at most `limit` (up to 1,000). */
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
