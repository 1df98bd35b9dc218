import type { Account, Limits, Plan } from "../model/account.ts";
import type { ApiKey, Ban } from "../model/api-key.ts";
import type { StoredCategory, NewPet, StoredPet } from "../catalogue/model.ts";
import type { EventType } from "../model/event.ts";
import type { CountedUsage } from "../model/usage.ts";

/**
 * A write, as data. `at` is the instant it was decided, milliseconds since the Unix epoch.
 * Each change also writes its events to the outbox, moves the catalogue's revision if a list
 * could look different afterwards, and puts a notice on the feed if other processes hold a copy
 * of what it touched. Of an account that is not there no event is written but the one of its end.
 */
export type Change =
  /**
   * Makes the account and its two catalogues, each with the seed categories. Event `account.created`.
   * Notice `account`. Refused `exists`, but not for a deleted one.
   */
  | { readonly kind: "account.create"; readonly account: Account }
  /** Event `account.updated`. Notice `account`. Refused `missing`. */
  | {
      readonly kind: "account.rename";
      readonly accountId: string;
      readonly name: string;
      readonly at: number;
    }
  /** Event `account.updated`. Notice `account`. Refused `missing`. */
  | {
      readonly kind: "account.plan";
      readonly accountId: string;
      readonly plan: Plan;
      readonly limits: Limits;
      readonly at: number;
    }
  /**
   * `suspendedAt` undefined resumes; a second time changes nothing. Event `account.suspended` or `account.resumed`.
   * Notice `account`. Refused `missing`.
   */
  | {
      readonly kind: "account.suspend";
      readonly accountId: string;
      readonly suspendedAt: number | undefined;
      readonly at: number;
    }
  /**
   * Gone at once with its keys; its rows and events follow by `purge`, all but the event `account.deleted` of this
   * change, which names nothing but the account's id. Notice `account`. Refused `missing`.
   */
  | { readonly kind: "account.delete"; readonly accountId: string; readonly at: number }
  /**
   * Of the catalogue's keys that ended the newest `max` stay. Event `key.created`. Notice `key`, also for those that
   * go. Refused `missing` without its catalogue, `exists` for a known id, `limit` when its catalogue has `max` keys
   * that work at its creation and have no successor.
   */
  | { readonly kind: "key.create"; readonly key: ApiKey; readonly max: number }
  /**
   * The old key ends at `endsAt` (or sooner, if it did already) and names its successor, which needs no room where
   * the old one still works at `at`. Of those that ended as many stay as with `key.create`.
   * Event `key.rotated`. Notice `key`. Refused `missing` when the old key is unknown, revoked or has a successor,
   * `limit` when there is no room, or when `max` others that have a successor still work and this one were to as well.
   */
  | {
      readonly kind: "key.rotate";
      readonly keyId: string;
      readonly endsAt: number;
      readonly successor: ApiKey;
      readonly max: number;
      readonly at: number;
    }
  /** The same name again changes nothing. Event `key.updated`. Notice `key`. Refused `missing`. */
  | {
      readonly kind: "key.rename";
      readonly keyId: string;
      readonly name: string;
      readonly at: number;
    }
  /** A second time changes nothing. Event `key.revoked`. Notice `key`. Refused `missing`. */
  | { readonly kind: "key.revoke"; readonly keyId: string; readonly at: number }
  /** Event `key.banned`. Notice `key`. Refused `missing`. */
  | { readonly kind: "key.ban"; readonly keyId: string; readonly ban: Ban; readonly at: number }
  /** Lifts a ban that is still on and keeps its level. Event `key.unbanned` if there was one. Notice `key`. Refused `missing`. */
  | { readonly kind: "key.unban"; readonly keyId: string; readonly at: number }
  /**
   * Assigns the next id. Event `pet.created`; a pet created `sold` also writes an order (`order.placed`).
   * Outcome: the pet. Refused `unknown_category`.
   */
  | {
      readonly kind: "pet.create";
      readonly catalogueId: number;
      readonly pet: NewPet;
      readonly at: number;
    }
  /**
   * Gives the pet the fields `to`. `from` is the pet that the change was decided on.
   * Event `pet.updated`, or `pet.status_changed` if the status differs; a sale writes an order.
   * Outcome: the pet. Refused `stale`, `unknown_category`.
   */
  | {
      readonly kind: "pet.update";
      readonly catalogueId: number;
      readonly from: StoredPet;
      readonly to: NewPet;
      readonly at: number;
    }
  /** Hides the pet, restorable until purged. Event `pet.deleted`. Refused `stale`. */
  | {
      readonly kind: "pet.delete";
      readonly catalogueId: number;
      readonly from: StoredPet;
      readonly at: number;
    }
  /** Brings back what was deleted after `deletedAfter`. Event `pet.restored`. Outcome: the pet, a version later. Refused `missing`. */
  | {
      readonly kind: "pet.restore";
      readonly catalogueId: number;
      readonly petId: number;
      readonly deletedAfter: number;
      readonly at: number;
    }
  /** Assigns the next id. Event `category.created`. Outcome: the category. Refused `exists`. */
  | {
      readonly kind: "category.create";
      readonly catalogueId: number;
      readonly name: string;
      readonly at: number;
    }
  /** Event `category.updated`. Outcome: the category. Refused `stale`, `exists`. */
  | {
      readonly kind: "category.update";
      readonly catalogueId: number;
      readonly from: StoredCategory;
      readonly name: string;
      readonly at: number;
    }
  /** Event `category.deleted`. Refused `stale`, `in_use` (by a pet, a restorable one included). */
  | {
      readonly kind: "category.delete";
      readonly catalogueId: number;
      readonly from: StoredCategory;
      readonly at: number;
    }
  /**
   * Remembers the answer to a request with an idempotency key, `answer` being computed from the outcomes
   * of the changes before it in the same commit. Refused `exists` while an unexpired one is there.
   */
  | {
      readonly kind: "answer.record";
      readonly id: AnswerId;
      readonly fingerprint: string;
      readonly answer: (outcomes: readonly Outcome[]) => RecordedAnswer;
      readonly at: number;
      readonly expiresAt: number;
    }
  /** Counters of the limiter, and when keys were last used. No revision, no feed. Never refused. */
  | {
      readonly kind: "counters.save";
      readonly counters: readonly SavedCounter[];
      readonly lastUsed: readonly { readonly keyId: string; readonly at: number }[];
    }
  /**
   * Adds to the usage of the minute that each row is of, and of its UTC day. Rows of accounts that are gone are left
   * out. No revision, no feed. Never refused.
   */
  | { readonly kind: "usage.add"; readonly rows: readonly CountedUsage[] }
  /** An event whose cause is not a row. Not written when its account is not there. Never refused. */
  | {
      readonly kind: "event.write";
      readonly type: EventType;
      readonly accountId: string;
      readonly catalogueId?: number;
      readonly data: Readonly<Record<string, unknown>>;
      readonly at: number;
    }
  /** Sets what is not set yet. Never refused: whoever comes second reads what the first wrote. */
  | { readonly kind: "setting.init"; readonly name: string; readonly value: string }
  /**
   * Removes, at most `limit` rows of each sort: pets deleted before `deletedBefore` (never so much that an id
   * could come again), expired answers, ended counters, keys that ended longer than `ENDED_KEYS_KEPT_MS` ago (notice `key`),
   * events and notices older than `eventsBefore`, usage older than `usageKeptMs`, rows of deleted accounts.
   * Also makes sure that no file holds what was deleted before, by this change or another.
   * Outcome: the number of rows removed.
   */
  | {
      readonly kind: "purge";
      readonly now: number;
      readonly deletedBefore: number;
      readonly eventsBefore: number;
      readonly limit: number;
    };

/** The changes of one kind. */
export type ChangeOf<Kind extends Change["kind"]> = Change & { readonly kind: Kind };

export type Refusal = "missing" | "stale" | "exists" | "in_use" | "limit" | "unknown_category";

/** Why none of a commit's changes was applied: the first one that could not be. */
export interface Conflict {
  /** Index into the commit's changes. */
  readonly index: number;
  readonly refusal: Refusal;
}

/** What a change left behind: the row it made or changed, the number of rows purged, else undefined. */
export type Outcome = StoredPet | StoredCategory | number | undefined;

/** The pet that a change left behind. Throws when it left none: the store broke its word. */
export function petOf(outcome: Outcome): StoredPet {
  if (typeof outcome === "object" && "status" in outcome) return outcome;
  throw new TypeError("a change of a pet left no pet behind");
}

/** The category that a change left behind. Throws when it left none: the store broke its word. */
export function categoryOf(outcome: Outcome): StoredCategory {
  if (typeof outcome === "object" && !("status" in outcome)) return outcome;
  throw new TypeError("a change of a category left no category behind");
}

/** A counter as the limiter writes and reads it back. */
export interface SavedCounter {
  readonly name: string;
  /** JSON of the limiter's own making. */
  readonly state: string;
  /** From then on it may be forgotten. */
  readonly endsAt: number;
}

/** Of what other processes hold copies. */
export type Topic = "account" | "key" | "token" | "project" | "domain" | "member";

/** What a notice on the feed is about. */
export interface Notice {
  readonly seq: number;
  readonly topic: Topic;
  /** Id of the account, key, token, project, domain or member. */
  readonly subject: string;
}

/** Which request an answer is kept for. */
export interface AnswerId {
  readonly catalogueId: number;
  /** `POST /pets`: method and path below the version prefix. */
  readonly request: string;
  /** What the client chose. */
  readonly key: string;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RememberedAnswer extends RecordedAnswer {
  readonly fingerprint: string;
  readonly expiresAt: number;
}
