import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Account, Catalogue, Environment } from "../model/account.ts";
import type { ApiKey } from "../model/api-key.ts";
import type {
  StoredCategory,
  OrderFilter,
  StoredOrder,
  DeletedPet,
  PetFilter,
  StoredPet,
} from "../catalogue/model.ts";
import type { DomainEvent } from "../model/event.ts";
import type { UsageQuery, UsageRow } from "../model/usage.ts";
import type {
  Change,
  Conflict,
  Outcome,
  SavedCounter,
  Notice,
  AnswerId,
  RememberedAnswer,
} from "./change.ts";

/**
 * Everything that is remembered. What every adapter must promise (test/contract/store.ts):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable:
 *   after a crash they are there. Commits are isolated: each sees the ones before it whole.
 *   Commits called at the same time may share one write to disk.
 * - An id is never given twice within a catalogue, deleted rows included.
 * - A read sees every commit that had resolved, in this process, before it was called.
 *   It may answer at once (a plain value) or later (a promise).
 * - Rows are copies: writing into one changes nothing.
 * - Absence is `undefined` or an empty list, never an exception. What throws is the broken world:
 *   `StoreUnavailable` when trying later makes sense (locked, full, read-only), anything else is a defect.
 */
export interface Store {
  readonly accounts: {
    byId(id: string): Eventual<Account | undefined>;
    /** Oldest first; deleted ones are not there. */
    list(): Eventual<readonly Account[]>;
  };
  readonly catalogues: {
    of(accountId: string, environment: Environment): Eventual<Catalogue | undefined>;
    byId(id: number): Eventual<Catalogue | undefined>;
    /**
     * Grows with every commit after which a list of the catalogue could look different; 0 for an unknown one.
     * Called on every request: at most a millisecond stale with regard to other processes on the same
     * SQLite file, never with regard to this one.
     */
    revision(id: number): Eventual<number>;
  };
  readonly keys: {
    byId(id: string): Eventual<ApiKey | undefined>;
    /** Newest first, revoked and expired ones included. */
    ofAccount(accountId: string): Eventual<readonly ApiKey[]>;
  };
  readonly pets: {
    byId(catalogueId: number, id: number): Eventual<StoredPet | undefined>;
    /** By id in the page's order. Costs the same however deep the page lies. */
    list(catalogueId: number, filter: PetFilter, page: Page): Eventual<readonly StoredPet[]>;
    count(catalogueId: number, filter: PetFilter): Eventual<number>;
    /** Those that were deleted after `deletedAfter` and not restored, by id in the page's order. */
    deleted(catalogueId: number, deletedAfter: number, page: Page): Eventual<readonly DeletedPet[]>;
  };
  readonly categories: {
    byId(catalogueId: number, id: number): Eventual<StoredCategory | undefined>;
    list(catalogueId: number, page: Page): Eventual<readonly StoredCategory[]>;
    count(catalogueId: number): Eventual<number>;
  };
  readonly orders: {
    list(catalogueId: number, filter: OrderFilter, page: Page): Eventual<readonly StoredOrder[]>;
    count(catalogueId: number, filter: OrderFilter): Eventual<number>;
  };
  readonly answers: {
    /** The remembered answer, also an expired one that was not purged yet. */
    find(id: AnswerId): Eventual<RememberedAnswer | undefined>;
  };
  readonly counters: {
    /** All that end after `now`. */
    live(now: number): Eventual<readonly SavedCounter[]>;
  };
  readonly events: {
    /** After `seq`, by `seq`, at most `limit`; of one account or of all. Never skips one that appears later. */
    after(seq: number, limit: number, accountId?: string): Eventual<readonly DomainEvent[]>;
    /** Before `seq`, newest first, at most `limit`; of one account or of all. */
    before(seq: number, limit: number, accountId?: string): Eventual<readonly DomainEvent[]>;
    /** The newest `seq`; 0 when there is none. */
    last(): Eventual<number>;
  };
  readonly feed: {
    /** Notices after `seq`, by `seq`, at most `limit`. */
    after(seq: number, limit: number): Eventual<readonly Notice[]>;
    last(): Eventual<number>;
  };
  readonly usage: {
    /** By start, key and operation, at most `limit`. */
    read(query: UsageQuery, limit: number): Eventual<readonly UsageRow[]>;
  };
  readonly settings: {
    get(name: string): Eventual<string | undefined>;
  };

  commit(changes: readonly Change[]): Promise<Result<readonly Outcome[], Conflict>>;

  /**
   * Rejects with `StoreUnavailable` when a write of about `bytes` could not be made just now; default: a small one.
   * Writes nothing that stays.
   */
  checkWritable(bytes?: number): Promise<void>;

  /** Waits for commits under way. Later calls throw. */
  close(): Promise<void>;
}

/** Which part of a list by id is wanted. */
export interface Page {
  /** At most this many rows. */
  readonly limit: number;
  /** `desc` is newest first. */
  readonly order: "asc" | "desc";
  /** Rows strictly beyond this id in the direction of `order`; absent: from the start. */
  readonly after?: number;
}
