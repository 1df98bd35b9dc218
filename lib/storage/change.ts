import type { RefusedChange } from "../sql/script.ts";
import type { Account, Limits, Plan } from "../model/account.ts";
import type { ApiKey, Ban } from "../model/api-key.ts";
import type {
  Adopter,
  NewPet,
  StoredCategory,
  StoredOrder,
  StoredPet,
} from "../catalogue/model.ts";
import type {
  NewPhoto,
  PhotoFocus,
  Profile,
  StoredPhoto,
  StoredProfile,
} from "../catalogue/model-profile.ts";
import type { RecordedType } from "../model/audit-types.ts";
import type { CountedUsage } from "../model/usage.ts";

/** A change of an account. `at` is when the change was decided, as everywhere below. */
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

/** Of a change of a pet that was decided on its profile, too. */
interface Described {
  /** The version of the profile; 0 if the pet has none. Default: any. The change is refused `stale` if it has another one. */
  readonly profileVersion?: number;
}

interface Sale {
  /** When the animal was sold, if this is a sale: the time of its order. Null writes no order. Default: `at`. */
  readonly soldAt?: number | null;
}

interface OfPhoto extends OfCatalogue {
  readonly petId: number;
  readonly photoId: number;
}

/** The kinds of changes and their inputs. */
interface Changes {
  /**
   * Creates the account and its two catalogues, each with the seed categories. Event `account.created`. Notice
   * `account`. Refused `exists`, except for the id of a deleted account.
   */
  "account.create": { readonly account: Account };
  /** Event `account.updated`. Notice `account`. Refused `missing`. */
  "account.rename": OfAccount & { readonly name: string };
  /** Event `account.updated`. Notice `account`. Refused `missing`. */
  "account.plan": OfAccount & { readonly plan: Plan; readonly limits: Limits };
  /**
   * Suspends the account, or resumes it if `suspendedAt` is undefined; repeating it changes nothing. Event
   * `account.suspended` or `account.resumed`. Notice `account`. Refused `missing`.
   */
  "account.suspend": OfAccount & { readonly suspendedAt: number | undefined };
  /**
   * Removes the account and its keys. `purge` later removes its rows and events, except this change's event
   * `account.deleted`, which contains only the account's id. Notice `account`. Refused `missing`.
   */
  "account.delete": OfAccount;
  /**
   * Creates a key and keeps only the newest `max` of the catalogue's ended keys. Event `key.created`. Notice `key`, also
   * for each key it removes. Refused `missing` without the catalogue, `exists` for a known id, `limit` if the catalogue
   * already has `max` working keys without a successor.
   */
  "key.create": { readonly key: ApiKey; readonly max: number };
  /**
   * Ends the old key at `endsAt`, unless it ends sooner, and names its successor. While the old key still works at `at`,
   * the successor takes its place in the limit. Keeps as many ended keys as `key.create` does. Event `key.rotated`.
   * Notice `key`. Refused `missing` if the old key is unknown, revoked or already has a successor; `limit` if the
   * catalogue is full, or if the old key keeps working and `max` other keys with a successor do too.
   */
  "key.rotate": OfKey & {
    readonly endsAt: number;
    readonly successor: ApiKey;
    readonly max: number;
  };
  /** Setting the current name changes nothing. Event `key.updated`. Notice `key`. Refused `missing`. */
  "key.rename": OfKey & { readonly name: string };
  /** Repeating it changes nothing. Event `key.revoked`. Notice `key`. Refused `missing`. */
  "key.revoke": OfKey;
  /** Event `key.banned`. Notice `key`. Refused `missing`, and `stale` if `from` is not the last ban. */
  "key.ban": OfKey & { readonly ban: Ban; readonly from: Ban | undefined };
  /** Lifts an active ban but keeps its level. Event `key.unbanned` if one was active. Notice `key`. Refused `missing`. */
  "key.unban": OfKey;
  /**
   * Assigns the next id. Event `pet.created`; a pet created `sold` also writes an order (`order.placed`). Outcome: the
   * pet. Refused `unknown_category`. With a profile, its event `pet.profile_updated` follows, and it may be refused as
   * `profile.set` is.
   */
  "pet.create": OfCatalogue & Sale & { readonly pet: NewPet; readonly profile?: Profile };
  /**
   * Replaces the pet's fields with `to`. `from` is the version on which the change was decided. Event `pet.updated`, or
   * `pet.status_changed` if the status differs; a sale writes an order. Outcome: the pet. Refused `stale`,
   * `unknown_category`.
   */
  "pet.update": OfCatalogue & Sale & Described & { readonly from: StoredPet; readonly to: NewPet };
  /** Hides the pet, which can be restored until it is purged. Event `pet.deleted`. Refused `stale`. */
  "pet.delete": OfCatalogue & Described & { readonly from: StoredPet };
  /** Restores a pet deleted after `deletedAfter`. Event `pet.restored`. Outcome: its next version. Refused `missing`. */
  "pet.restore": OfCatalogue & { readonly petId: number; readonly deletedAfter: number };
  /**
   * Replaces the profile of an animal. `from` is the version on which the change was decided; 0 if it has none. A deleted
   * animal with the same `externalId` and `source` loses the former. Event `pet.profile_updated`. Outcome: the profile.
   * Refused `missing` without the animal, `stale`, and `exists` if another animal has the same `externalId` and `source`.
   */
  "profile.set": OfCatalogue & {
    readonly petId: number;
    readonly from: number;
    readonly to: Profile;
    /** The names of the fields that changed. Default: not recorded. */
    readonly changed?: readonly string[];
  };
  /**
   * Adds a photo behind the others and assigns its id. `maxBytes` is what the photos of the account may take together. Event
   * `photo.added`. Outcome: the photo. Refused `missing` without the animal, `limit` if it has `MAX_PHOTOS`, `quota`.
   */
  "photo.add": OfCatalogue & {
    readonly petId: number;
    readonly photo: NewPhoto;
    readonly maxBytes: number;
  };
  /**
   * Changes what is named; null removes it. Event `pet.profile_updated`. Outcome: the photo. Refused `missing` without the
   * animal or the photo.
   */
  "photo.change": OfPhoto & {
    readonly alt?: string | null;
    readonly focus?: PhotoFocus | null;
  };
  /** Orders the photos as `ids`. Event `pet.profile_updated`. Refused `missing` without the animal, `stale` if it has other photos. */
  "photo.order": OfCatalogue & { readonly petId: number; readonly ids: readonly number[] };
  /** Event `photo.removed`. Refused `missing` without the animal or the photo. */
  "photo.remove": OfPhoto;
  /**
   * Changes an order. `from` is the version on which the change was decided. An absent `adopter` stays as it is, and null
   * removes it. Event `order.updated`, without the adopter. Outcome: the order. Refused `stale`.
   */
  "order.update": OfCatalogue & {
    readonly from: StoredOrder;
    readonly to: Pick<StoredOrder, "status" | "returnedAt">;
    readonly adopter?: Adopter | null;
  };
  /** Removes an order and its adopter. Event `order.removed`. Refused `stale`. */
  "order.remove": OfCatalogue & { readonly from: StoredOrder };
  /** Assigns the next id. Event `category.created`. Outcome: the category. Refused `exists`. */
  "category.create": OfCatalogue & { readonly name: string };
  /** Event `category.updated`. Outcome: the category. Refused `stale`, `exists`. */
  "category.update": OfCatalogue & { readonly from: StoredCategory; readonly name: string };
  /** Event `category.deleted`. Refused `stale`, `in_use` (by a pet, including a deleted one that can be restored). */
  "category.delete": OfCatalogue & { readonly from: StoredCategory };
  /**
   * Records the response to a request with an idempotency key. `answer` derives it from the outcomes of the earlier
   * changes of the commit. Refused `exists` if an unexpired one is recorded.
   */
  "answer.record": {
    readonly id: AnswerId;
    readonly fingerprint: string;
    readonly answer: (outcomes: readonly Outcome[]) => RecordedAnswer;
    readonly at: number;
    readonly expiresAt: number;
  };
  /** Saves the limiter's counters and when keys were last used. No revision, no feed. Never refused. */
  "counters.save": {
    readonly counters: readonly SavedCounter[];
    readonly lastUsed: readonly { readonly keyId: string; readonly at: number }[];
  };
  /** Adds to the usage of each row's minute and UTC day. Skips deleted accounts. No revision, no feed. Never refused. */
  "usage.add": { readonly rows: readonly CountedUsage[] };
  /**
   * Writes an event, or an entry of the audit log, without a row that caused it. Skips deleted accounts. The account of the
   * operators is the empty text. Never refused.
   */
  "event.write": OfAccount & {
    readonly type: RecordedType;
    readonly catalogueId?: number;
    /** The names of the fields that changed. */
    readonly changed?: readonly string[] | undefined;
    readonly data: Readonly<Record<string, unknown>>;
  };
  /** Sets a setting that has no value yet. Never refused: of two writers, the second one reads the first one's value. */
  "setting.init": { readonly name: string; readonly value: string };
  /** Sets or replaces a setting. Never refused. */
  "setting.save": { readonly name: string; readonly value: string };
  /** Replaces the value `from` of a setting; undefined: it has none. Refused `stale` if it has another one. */
  "setting.replace": {
    readonly name: string;
    readonly from: string | undefined;
    readonly value: string;
  };
  /**
   * Removes at most `limit` rows of each kind: pets deleted before `deletedBefore` (their ids are never reused), adopters
   * saved before `adoptersBefore`, expired answers, ended counters, keys that ended more than `ENDED_KEYS_KEPT_MS` ago (notice `key`), events and notices older
   * than `eventsBefore` (but no event after `eventsThrough`), usage older than `usageKeptMs`, rows of deleted accounts. Also erases from the files what any
   * change has deleted. Outcome: the number of rows removed.
   */
  purge: {
    readonly now: number;
    readonly deletedBefore: number;
    readonly adoptersBefore: number;
    readonly eventsBefore: number;
    /** The last event that may be removed. Default: no limit. */
    readonly eventsThrough?: number | undefined;
    readonly limit: number;
  };
}

/** The changes of one kind. */
export type ChangeOf<Kind extends keyof Changes> = { readonly kind: Kind } & Changes[Kind];

/**
 * A write, as data. `at` is when the change was decided, in milliseconds since the Unix epoch. Each change also writes
 * its events to the outbox, increments the catalogue's revision if a list could look different afterwards, and adds a
 * notice to the feed if other processes may hold copies of the changed data. A deleted account gets no event except the
 * one about its deletion.
 */
export type Change = { [Kind in keyof Changes]: ChangeOf<Kind> }[keyof Changes];

/** Why a change was refused. */
export type Refusal =
  | "missing"
  | "stale"
  | "exists"
  | "in_use"
  | "limit"
  | "quota"
  | "unknown_category";

/** The first change of a commit that could not be applied, by its index. None of the changes was applied. */
export type Conflict = RefusedChange<Refusal>;

/** The row that a change created or changed, or the number of purged rows; otherwise undefined. */
export type Outcome =
  | StoredPet
  | StoredCategory
  | StoredOrder
  | StoredProfile
  | StoredPhoto
  | number
  | undefined;

/**
 * Returns more changes for the same commit, given the function that derives an action's value from the outcomes. The
 * idempotency layer uses it to record the answer together with its effect.
 */
export type Also<Value> = (value: (outcomes: readonly Outcome[]) => Value) => readonly Change[];

/** Returns an outcome that must be a pet. Throws for any other, which is a bug in the store. */
export function petOf(outcome: Outcome): StoredPet {
  if (typeof outcome === "object" && "categoryId" in outcome) return outcome;
  throw new TypeError("The outcome of a pet's change is not a pet.");
}

/** Returns an outcome that must be a category. Throws for any other, which is a bug in the store. */
export function categoryOf(outcome: Outcome): StoredCategory {
  if (typeof outcome === "object" && "name" in outcome && !("categoryId" in outcome)) {
    return outcome;
  }
  throw new TypeError("The outcome of a category's change is not a category.");
}

/** Returns an outcome that must be a profile. Throws for any other, which is a bug in the store. */
export function profileOutcome(outcome: Outcome): StoredProfile {
  if (typeof outcome === "object" && "fields" in outcome) return outcome;
  throw new TypeError("The outcome of a profile's change is not a profile.");
}

/** Returns an outcome that must be a photo. Throws for any other, which is a bug in the store. */
export function photoOutcome(outcome: Outcome): StoredPhoto {
  if (typeof outcome === "object" && "hash" in outcome) return outcome;
  throw new TypeError("The outcome of a photo's change is not a photo.");
}

/** Returns an outcome that must be an order. Throws for any other, which is a bug in the store. */
export function orderOf(outcome: Outcome): StoredOrder {
  if (typeof outcome === "object" && "petId" in outcome && "status" in outcome) return outcome;
  throw new TypeError("The outcome of an order's change is not an order.");
}

/** A counter of the limiter. Instants are in milliseconds since the Unix epoch. */
export interface SavedCounter {
  readonly name: string;
  /** JSON that only the limiter reads. */
  readonly state: string;
  /** When it may be purged. */
  readonly endsAt: number;
}

/** The kinds of data that other processes hold copies of. */
export type Topic = "account" | "key" | "token" | "project" | "domain" | "member";

/** A notice on the feed. */
export interface Notice {
  readonly seq: number;
  readonly topic: Topic;
  /** The id of the account, key, token, project, domain or member. */
  readonly subject: string;
}

/** Identifies the request whose answer is recorded. */
export interface AnswerId {
  readonly catalogueId: number;
  /** `POST /pets`: method and path below the version prefix. */
  readonly request: string;
  /** The idempotency key chosen by the client. */
  readonly key: string;
}

/** A response that is kept for its idempotency key. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A kept response, with the fingerprint of its request. `expiresAt` is in milliseconds. */
export interface RememberedAnswer extends RecordedAnswer {
  readonly fingerprint: string;
  readonly expiresAt: number;
}
