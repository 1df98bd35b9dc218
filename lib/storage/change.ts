import type { RefusedChange } from "../sql/script.ts";
import type { Account, Limits, Plan } from "../model/account.ts";
import type { ApiKey, Ban } from "../model/api-key.ts";
import type { StoredCategory, NewPet, StoredPet } from "../catalogue/model.ts";
import type { EventType } from "../model/event.ts";
import type { CountedUsage } from "../model/usage.ts";

/** A change of an account. `at` is the instant of the decision, as everywhere below. */
interface OfAccount {
  readonly accountId: string;
  readonly at: number;
}

interface OfKey {
  readonly keyId: string;
  readonly at: number;
}

interface OfCatalogue {
  readonly catalogueId: number;
  readonly at: number;
}

/** The kinds of changes, with what each needs. */
interface Changes {
  /**
   * Creates the account and its two catalogues, each with the seed categories. Event `account.created`. Notice
   * `account`. Refused `exists`, but not for the id of a deleted account.
   */
  "account.create": { readonly account: Account };
  /** Event `account.updated`. Notice `account`. Refused `missing`. */
  "account.rename": OfAccount & { readonly name: string };
  /** Event `account.updated`. Notice `account`. Refused `missing`. */
  "account.plan": OfAccount & { readonly plan: Plan; readonly limits: Limits };
  /**
   * `suspendedAt` undefined resumes; repeating it changes nothing. Event `account.suspended` or `account.resumed`.
   * Notice `account`. Refused `missing`.
   */
  "account.suspend": OfAccount & { readonly suspendedAt: number | undefined };
  /**
   * Removes the account and its keys. `purge` removes its rows and events later, except the event `account.deleted` of
   * this change, which names only the account's id. Notice `account`. Refused `missing`.
   */
  "account.delete": OfAccount;
  /**
   * Keeps the newest `max` of the catalogue's ended keys. Event `key.created`. Notice `key`, also for the keys that it
   * removes. Refused `missing` without its catalogue, `exists` for a known id, `limit` when the catalogue has `max` keys
   * that work at its creation and have no successor.
   */
  "key.create": { readonly key: ApiKey; readonly max: number };
  /**
   * Ends the old key at `endsAt`, unless it ends sooner, and names its successor, which needs no room where the old key
   * still works at `at`. Keeps as many ended keys as `key.create` does. Event `key.rotated`. Notice `key`. Refused
   * `missing` when the old key is unknown, revoked or has a successor; `limit` when there is no room, or when `max`
   * other keys with a successor still work and this one would too.
   */
  "key.rotate": OfKey & {
    readonly endsAt: number;
    readonly successor: ApiKey;
    readonly max: number;
  };
  /** The current name changes nothing. Event `key.updated`. Notice `key`. Refused `missing`. */
  "key.rename": OfKey & { readonly name: string };
  /** Repeating it changes nothing. Event `key.revoked`. Notice `key`. Refused `missing`. */
  "key.revoke": OfKey;
  /** Event `key.banned`. Notice `key`. Refused `missing`. */
  "key.ban": OfKey & { readonly ban: Ban };
  /** Lifts an active ban and keeps its level. Event `key.unbanned` if there was one. Notice `key`. Refused `missing`. */
  "key.unban": OfKey;
  /**
   * Assigns the next id. Event `pet.created`; a pet created `sold` also writes an order (`order.placed`). Outcome: the
   * pet. Refused `unknown_category`.
   */
  "pet.create": OfCatalogue & { readonly pet: NewPet };
  /**
   * Gives the pet the fields `to`. `from` is the version that the change was decided on. Event `pet.updated`, or
   * `pet.status_changed` if the status differs; a sale writes an order. Outcome: the pet. Refused `stale`,
   * `unknown_category`.
   */
  "pet.update": OfCatalogue & { readonly from: StoredPet; readonly to: NewPet };
  /** Hides the pet, which can be restored until it is purged. Event `pet.deleted`. Refused `stale`. */
  "pet.delete": OfCatalogue & { readonly from: StoredPet };
  /** Restores a pet deleted after `deletedAfter`. Event `pet.restored`. Outcome: its next version. Refused `missing`. */
  "pet.restore": OfCatalogue & { readonly petId: number; readonly deletedAfter: number };
  /** Assigns the next id. Event `category.created`. Outcome: the category. Refused `exists`. */
  "category.create": OfCatalogue & { readonly name: string };
  /** Event `category.updated`. Outcome: the category. Refused `stale`, `exists`. */
  "category.update": OfCatalogue & { readonly from: StoredCategory; readonly name: string };
  /** Event `category.deleted`. Refused `stale`, `in_use` (by a pet, including one that can be restored). */
  "category.delete": OfCatalogue & { readonly from: StoredCategory };
  /**
   * Records the answer to a request with an idempotency key. `answer` derives it from the outcomes of the earlier
   * changes of the commit. Refused `exists` while an unexpired one is recorded.
   */
  "answer.record": {
    readonly id: AnswerId;
    readonly fingerprint: string;
    readonly answer: (outcomes: readonly Outcome[]) => RecordedAnswer;
    readonly at: number;
    readonly expiresAt: number;
  };
  /** Saves counters of the limiter, and when keys were last used. No revision, no feed. Never refused. */
  "counters.save": {
    readonly counters: readonly SavedCounter[];
    readonly lastUsed: readonly { readonly keyId: string; readonly at: number }[];
  };
  /** Adds to the usage of each row's minute and UTC day. Skips deleted accounts. No revision, no feed. Never refused. */
  "usage.add": { readonly rows: readonly CountedUsage[] };
  /** Writes an event whose cause is not a row. Skips deleted accounts. Never refused. */
  "event.write": OfAccount & {
    readonly type: EventType;
    readonly catalogueId?: number;
    readonly data: Readonly<Record<string, unknown>>;
  };
  /** Sets what is not set yet. Never refused: the second writer reads the first one's value. */
  "setting.init": { readonly name: string; readonly value: string };
  /**
   * Removes at most `limit` rows of each sort: pets deleted before `deletedBefore` (but no id is ever assigned again),
   * expired answers, ended counters, keys that ended longer than `ENDED_KEYS_KEPT_MS` ago (notice `key`), events and
   * notices older than `eventsBefore`, usage older than `usageKeptMs`, rows of deleted accounts. Also makes sure that no
   * file still holds rows that any change has deleted. Outcome: the number of rows removed.
   */
  purge: {
    readonly now: number;
    readonly deletedBefore: number;
    readonly eventsBefore: number;
    readonly limit: number;
  };
}

/** The changes of one kind. */
export type ChangeOf<Kind extends keyof Changes> = { readonly kind: Kind } & Changes[Kind];

/**
 * A write, as data. `at` is the instant of the decision, in milliseconds since the Unix epoch. Each change also writes
 * its events to the outbox, increments the catalogue's revision if a list could look different afterwards, and puts a
 * notice on the feed if other processes hold copies of what it touched. A deleted account gets no event but the one of
 * its deletion.
 */
export type Change = { [Kind in keyof Changes]: ChangeOf<Kind> }[keyof Changes];

export type Refusal = "missing" | "stale" | "exists" | "in_use" | "limit" | "unknown_category";

/** The first change of a commit that could not be applied, by its index: then none was. */
export type Conflict = RefusedChange<Refusal>;

/** The row that a change created or changed, or the number of rows purged, else undefined. */
export type Outcome = StoredPet | StoredCategory | number | undefined;

/** The pet of an outcome. Throws for any other outcome, which is a defect of the store. */
export function petOf(outcome: Outcome): StoredPet {
  if (typeof outcome === "object" && "status" in outcome) return outcome;
  throw new TypeError("The outcome of a pet's change is not a pet.");
}

/** The category of an outcome. Throws for any other outcome, which is a defect of the store. */
export function categoryOf(outcome: Outcome): StoredCategory {
  if (typeof outcome === "object" && !("status" in outcome)) return outcome;
  throw new TypeError("The outcome of a category's change is not a category.");
}

/** A counter of the limiter. */
export interface SavedCounter {
  readonly name: string;
  /** JSON, which only the limiter reads. */
  readonly state: string;
  /** From then on it may be purged. */
  readonly endsAt: number;
}

/** The kinds of things that other processes hold copies of. */
export type Topic = "account" | "key" | "token" | "project" | "domain" | "member";

/** A notice on the feed. */
export interface Notice {
  readonly seq: number;
  readonly topic: Topic;
  /** Id of the account, key, token, project, domain or member. */
  readonly subject: string;
}

/** The request that an answer is recorded for. */
export interface AnswerId {
  readonly catalogueId: number;
  /** `POST /pets`: method and path below the version prefix. */
  readonly request: string;
  /** The idempotency key that the client chose. */
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
