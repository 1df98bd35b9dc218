import type { Eventual } from "../base/eventual.ts";
import type { LoggedRequest, RequestDay, RequestFilter, RequestPlace } from "./model.ts";

/** What one process has collected. */
export interface RequestBatch {
  readonly rows: readonly LoggedRequest[];
  /** To be added to the counts of accounts. Without an account: requests that belong to none. */
  readonly days: readonly (RequestDay & { readonly accountId?: string })[];
}

/** A part of a list, newest first. */
export interface RequestPage {
  readonly rows: readonly LoggedRequest[];
  /** Where the list continues; absent: it ends here. A page may have fewer rows than its limit although the list continues. */
  readonly rest?: RequestPlace;
}

/**
 * Stores the requests of the log, in the same database as the store. Every adapter must guarantee (`requestStoreContract`):
 *
 * - `add` stores a batch as a whole or not at all, and resolves only then. A batch with rows that was added before is not
 *   added again.
 * - A read sees every batch whose `add` had resolved when the read was called.
 * - A list reads a bounded number of rows for each page, whatever its filter.
 */
export interface RequestStore {
  add(batch: RequestBatch): Promise<void>;
  /** Returns the requests of an account that have this id, newest first, at most `limit`. */
  withId(accountId: string, requestId: string, limit: number): Eventual<readonly LoggedRequest[]>;
  /** Returns the requests of all accounts and of none that have this id, newest first, at most `limit`. */
  findAll(requestId: string, limit: number): Eventual<readonly LoggedRequest[]>;
  list(
    accountId: string,
    filter: RequestFilter,
    page: { readonly limit: number; readonly after?: RequestPlace | undefined },
  ): Eventual<RequestPage>;
  /** Returns the counts of an account, oldest first. */
  days(accountId: string): Eventual<readonly RequestDay[]>;
  /**
   * Removes at most `limit` requests that arrived before `before`, as many counts of days that had ended by then, and as many
   * rows of deleted accounts. Returns the number of removed rows.
   */
  purge(before: number, limit: number): Promise<number>;
}
