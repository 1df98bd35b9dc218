import type { Eventual } from "../base/eventual.ts";
import type { Page } from "../base/page.ts";
import type { Result } from "../base/result.ts";
import type { Account, Catalogue, Environment } from "../model/account.ts";
import type { Actor } from "../model/actor.ts";
import type { ApiKey } from "../model/api-key.ts";
import type {
  Adopter,
  StoredCategory,
  OrderFilter,
  StoredOrder,
  DeletedPet,
  PetFilter,
  StoredPet,
} from "../catalogue/model.ts";
import type { ProfileValues, StoredPhoto, StoredProfile } from "../catalogue/model-profile.ts";
import type { DomainEvent, RecordedEvent } from "../model/event.ts";
import type { PetTexts, PetTextsQuery } from "./pet-blocks.ts";
import type { StoreClock } from "../base/store-clock.ts";
import type { Traffic } from "../base/traffic.ts";
import type { UsageQuery, UsageRow } from "../model/usage.ts";
import type {
  Change,
  Conflict,
  Outcome,
  SavedCounter,
  Notice,
  AnswerId,
  RememberedAnswer,
  Topic,
} from "./change.ts";

/** Holds copies of data that other processes may change. */
export interface FeedReader {
  /** Drops the copy of a subject that changed. */
  readonly forget: (topic: Topic, subject: string) => void;
  /** Drops all copies. */
  readonly forgetAll: () => void;
  /** Marks all remaining copies as up to date at `at`. */
  readonly confirm: (at: number) => void;
}

/** Passes on the notices added since its previous call. The first call forgets all copies. */
export type ReadFeed = () => Promise<void>;

/**
 * The persistent state of the service. Every adapter guarantees (`storeContract`):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable: they survive a
 *   crash. Commits are isolated: each sees the complete effect of the earlier ones. Simultaneous commits may share one
 *   write to disk.
 * - Every event of a commit has the commit's actor, and its origin.
 * - No id is assigned twice within a catalogue, including ids of deleted rows.
 * - A read sees every commit of this process that had resolved when the read was called. It returns a value or a promise.
 * - Rows are copies: modifying one does not change the store.
 * - A missing row is `undefined`, a missing list is empty; neither is an exception. `StoreUnavailable` means that a later
 *   attempt may succeed (locked, full, read-only); any other exception is a bug.
 */
export interface Store {
  readonly accounts: {
    byId(id: string): Eventual<Account | undefined>;
    /** Oldest first, without deleted accounts. */
    list(): Eventual<readonly Account[]>;
  };
  readonly catalogues: {
    of(accountId: string, environment: Environment): Eventual<Catalogue | undefined>;
    byId(id: number): Eventual<Catalogue | undefined>;
    /**
     * Grows with every commit that could change a list of the catalogue; 0 for an unknown catalogue. Every request calls
     * it. Any other number after a failover that may have lost commits. It may miss commits by other processes on the same
     * SQLite file for 5 milliseconds, but never those of this process.
     */
    revision(id: number): Eventual<number>;
  };
  readonly keys: {
    byId(id: string): Eventual<ApiKey | undefined>;
    /** Newest first, including revoked and expired keys. */
    ofAccount(accountId: string): Eventual<readonly ApiKey[]>;
  };
  readonly pets: {
    byId(catalogueId: number, id: number): Eventual<StoredPet | undefined>;
    /** Ordered by id, in the page's direction. Every page costs the same. */
    list(catalogueId: number, filter: PetFilter, page: Page): Eventual<readonly StoredPet[]>;
    /**
     * Returns a page of `list` in descending order as JSON, if the store has it in memory; undefined otherwise, and then
     * `list` is to be called. Absent in stores that keep no texts.
     */
    texts?(catalogueId: number, query: PetTextsQuery): Eventual<PetTexts | undefined>;
    count(catalogueId: number, filter: PetFilter): Eventual<number>;
    /** Pets deleted after `deletedAfter` and not restored, ordered by id. */
    deleted(catalogueId: number, deletedAfter: number, page: Page): Eventual<readonly DeletedPet[]>;
  };
  readonly profiles: {
    /** The profiles of at most 1,000 animals, ordered by `petId`; of deleted animals too. Animals without one are absent. */
    of(catalogueId: number, petIds: readonly number[]): Eventual<readonly StoredProfile[]>;
    /** The profiles of present animals with one of at most 1,000 `externalIds` of a source, ordered by `petId`. */
    byExternalIds(
      catalogueId: number,
      source: string | undefined,
      externalIds: readonly string[],
    ): Eventual<readonly StoredProfile[]>;
    /** What the profiles of a catalogue say, also those of deleted animals. Reads an index of all of them. */
    values(catalogueId: number): Eventual<ProfileValues>;
  };
  readonly photos: {
    /** The photos of at most 1,000 animals, ordered by `petId` and position; of deleted animals too. */
    of(catalogueId: number, petIds: readonly number[]): Eventual<readonly StoredPhoto[]>;
    /**
     * Photos whose file has this hash, with their catalogues: of all catalogues or of one. Many animals may have the same
     * picture, so one photo stands for all in a catalogue whose animals have the same status and category, and one for
     * those of deleted animals, which are last. At most 1,000, found among 10,000.
     */
    byHash(
      hash: string,
      catalogueId?: number,
    ): Eventual<readonly (StoredPhoto & { readonly catalogueId: number })[]>;
    /** What the photos of an account take, in bytes, including those of deleted animals that can be restored. */
    bytes(accountId: string): Eventual<number>;
  };
  readonly categories: {
    byId(catalogueId: number, id: number): Eventual<StoredCategory | undefined>;
    list(catalogueId: number, page: Page): Eventual<readonly StoredCategory[]>;
    count(catalogueId: number): Eventual<number>;
  };
  readonly orders: {
    byId(catalogueId: number, id: number): Eventual<StoredOrder | undefined>;
    /** The person who adopted the animal of an order, if staff have saved one. */
    adopter(catalogueId: number, orderId: number): Eventual<Adopter | undefined>;
    list(catalogueId: number, filter: OrderFilter, page: Page): Eventual<readonly StoredOrder[]>;
    count(catalogueId: number, filter: OrderFilter): Eventual<number>;
  };
  readonly answers: {
    /** The recorded answer. It may have expired if it is not purged yet. */
    find(id: AnswerId): Eventual<RememberedAnswer | undefined>;
  };
  readonly counters: {
    /** The counters that end after `now`. */
    live(now: number): Eventual<readonly SavedCounter[]>;
  };
  readonly events: {
    /** Events after `seq`, ascending, at most `limit`; of one account or all. Never skips one that becomes visible later. */
    after(seq: number, limit: number, accountId?: string): Eventual<readonly DomainEvent[]>;
    /** Events before `seq`, newest first, at most `limit`; of one account or of all. */
    before(seq: number, limit: number, accountId?: string): Eventual<readonly DomainEvent[]>;
    /**
     * As `after` of all accounts, with what only the audit log shows. Entries that only the audit log has are in no other
     * list.
     */
    recorded(seq: number, limit: number): Eventual<readonly RecordedEvent[]>;
    /** A `seq` up to which no event can appear later, usually the newest; 0 if there are no events. */
    last(): Eventual<number>;
  };
  readonly feed: {
    /**
     * Notices after `seq`, up to `through` or all, ascending, at most `limit`. May skip one beyond `last` that becomes visible
     * later.
     */
    after(seq: number, limit: number, through?: number): Eventual<readonly Notice[]>;
    /** A `seq` up to which no notice can appear later; 0 if there are no notices. */
    last(): Eventual<number>;
    /**
     * Returns the timeline of the latest answer. When it changes, notices that were read may be lost, and their numbers
     * used again: followers forget all copies. Absent if the store never loses notices.
     */
    readonly timeline?: () => number;
    /** Reads the feed once for all who follow it. Absent: each of them reads it. */
    readonly follow?: (now: () => number, reader: FeedReader) => ReadFeed;
  };
  readonly usage: {
    /** Ordered by start, key and operation, at most `limit`. */
    read(query: UsageQuery, limit: number): Eventual<readonly UsageRow[]>;
  };
  readonly settings: {
    get(name: string): Eventual<string | undefined>;
  };

  /**
   * The time by which the data expires, and whether anything may be purged by it. It is the default clock of all services
   * over the store. Absent: the machine's, without protection from its jumps.
   */
  readonly clock?: StoreClock;

  /** Present if commits block the event loop: the APIs record requests in it, and bulk work commits accordingly. */
  readonly traffic?: Traffic;

  commit(changes: readonly Change[], actor: Actor): Promise<Result<readonly Outcome[], Conflict>>;

  /** Rejects with `StoreUnavailable` if the store cannot write about `bytes` now. Default: a small write. Leaves no trace. */
  checkWritable(bytes?: number): Promise<void>;

  /** Waits for pending commits. Later calls throw. */
  close(): Promise<void>;
}

/** A store without its writes. */
export type StoreReads = Omit<Store, "commit">;

/** Commits changes as one actor, as `Store.commit` does. */
export type Commit = (changes: readonly Change[]) => Promise<Result<readonly Outcome[], Conflict>>;
