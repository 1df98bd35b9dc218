import { countedCache } from "../base/cache.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { isHashOf, type Digest } from "../base/digest.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import type { Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import { createRounds, drainInto, type Jobs } from "../base/rounds.ts";
import { parseCredential } from "../model/credential.ts";
import { followFeed, type FeedReader } from "../storage/feed.ts";
import type { Topic } from "../storage/change.ts";
import type { Store } from "../storage/store.ts";

/** The last use of a credential. */
export interface CredentialUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Checks the credentials of one kind, such as API keys, and caches their holders. A cached holder is trusted for a
 * second after it was read or after the feed last confirmed it.
 */
export interface CredentialRing<Holder> extends FeedReader {
  /**
   * Returns the holder of a credential as it was sent, without a promise when the holder is cached. A text that cannot
   * be a credential causes no storage call; simultaneous calls with the same text share one load.
   */
  find(sent: string, now: number): Eventual<Result<Holder, Problem>>;
  /** Replaces the cached holders that a notice about `subject` would concern. */
  replace(topic: Topic, subject: string, next: (holder: Holder) => Holder): void;
  /** Records a use for the next `drainUsed`. */
  use(id: string, now: number): void;
  /** Returns the last use since the previous `drainUsed`. */
  lastUse(id: string): number | undefined;
  /** Returns the credentials used since the previous call. */
  readonly drainUsed: () => readonly CredentialUse[];
  /** Returns the number of cached holders. */
  size(): number;
}

interface Hashed {
  readonly id: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
}

/** What secrets are hashed with. */
export interface Hashing {
  readonly digest: Digest;
  /** Key of the HMAC under which secrets are stored; kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
}

/** How a ring reads and judges the credentials of its kind. */
interface CredentialKind<Stored extends Hashed, Holder> extends Hashing {
  /** Returns the parts of what was sent, or why it cannot be a credential of this kind. Causes no I/O. */
  readonly parse: (
    sent: string,
  ) => Result<{ readonly id: string; readonly secret: string }, Problem>;
  readonly read: (id: string) => Eventual<Stored | undefined>;
  /** Refuses an unknown id and a wrong secret. */
  readonly invalid: Problem;
  /** Returns the holder of a credential whose secret is right, or why it is refused. Only holders are cached. */
  readonly admit: (stored: Stored, now: number) => Eventual<Result<Holder, Problem>>;
  /** False for a cached holder that has to be read again. Default: always true. */
  readonly isCurrent?: (holder: Holder, now: number) => boolean;
  /** What each topic of the feed identifies a holder by. Notices of other topics are ignored. */
  readonly subjects: Readonly<Partial<Record<Topic, (holder: Holder) => string | undefined>>>;
}

/** How long a cached holder is trusted: a change in another process takes effect within a second. */
const TRUSTED_MS = SECOND_MS;
const MAX_CACHED = 10_000;

interface Loaded<Found> {
  readonly found: Found;
  readonly readAt: number;
}

/** Creates a ring of at most 10,000 cached holders; the least recently used is evicted first. */
export function createCredentialRing<Stored extends Hashed, Holder>({
  digest,
  pepper,
  parse,
  read,
  invalid,
  admit,
  isCurrent = () => true,
  subjects,
}: CredentialKind<Stored, Holder>): CredentialRing<Holder> {
  // By the whole text: a hit means that its checksum and its secret were right.
  const cache = countedCache<Loaded<Result<Holder, Problem> & { readonly ok: true }>>(
    MAX_CACHED,
    () => undefined,
  );
  const loads = new Map<string, Loaded<Promise<Result<Holder, Problem>>>>();
  // By id, so that it does not grow with every use when nothing drains it.
  const used = new Map<string, number>();
  let confirmedAt = -Infinity;
  // Grows with every invalidation: what a load read before one is not cached after it.
  let generation = 0;

  const isTrusted = (readAt: number, now: number): boolean => {
    const trueAt = Math.max(readAt, confirmedAt);
    // A clock that was put back shows a time before `trueAt`: the age is unknown then.
    return now >= trueAt && now < trueAt + TRUSTED_MS;
  };

  const load = (sent: string, now: number): Eventual<Result<Holder, Problem>> => {
    const parsed = parse(sent);
    if (!parsed.ok) return parsed;
    const { id, secret } = parsed.value;
    const begun = generation;
    return andThen(read(id), (stored) =>
      andThen(pepper(), (key) =>
        andThen(isHashOf(digest, key, secret, stored?.hash), (right) => {
          if (stored === undefined || !right) return refused(invalid);
          return andThen(admit(stored, now), (found) => {
            if (found.ok && begun === generation) cache.set(sent, { found, readAt: now });
            return found;
          });
        }),
      ),
    );
  };

  const invalidate = (): void => {
    generation++;
    loads.clear();
  };
  const cachedOf = (topic: Topic, subject: string) => {
    const subjectOf = subjects[topic];
    if (subjectOf === undefined) return [];
    return [...cache.entries()].filter(([, { found }]) => subjectOf(found.value) === subject);
  };

  return {
    find: (sent, now) => {
      const cached = cache.get(sent);
      if (
        cached !== undefined &&
        isTrusted(cached.readAt, now) &&
        isCurrent(cached.found.value, now)
      ) {
        return cached.found;
      }
      const underWay = loads.get(sent);
      if (underWay !== undefined && isTrusted(underWay.readAt, now)) return underWay.found;
      const found = load(sent, now);
      if (!isPromise(found)) return found;
      const loading = { found, readAt: now };
      loads.set(sent, loading);
      const end = (): void => {
        if (loads.get(sent) === loading) loads.delete(sent);
      };
      found.then(end, end);
      return found;
    },
    replace: (topic, subject, next) => {
      invalidate();
      for (const [sent, { found, readAt }] of cachedOf(topic, subject)) {
        cache.set(sent, { found: { ok: true, value: next(found.value) }, readAt });
      }
    },
    use: (id, now) => {
      used.set(id, now);
    },
    lastUse: (id) => used.get(id),
    drainUsed: () => {
      const uses = Array.from(used, ([id, at]) => ({ id, at }));
      used.clear();
      return uses;
    },
    forget: (topic, subject) => {
      if (subjects[topic] === undefined) return;
      invalidate();
      for (const [sent] of cachedOf(topic, subject)) cache.delete(sent);
    },
    forgetAll: () => {
      invalidate();
      for (const [sent] of [...cache.entries()]) cache.delete(sent);
    },
    confirm: (at) => {
      confirmedAt = at;
    },
    size: () => cache.size,
  };
}

/** Returns a `parse` for credentials whose tokens start with `pet_<kind>_`. */
export function parserOf(kind: string, invalid: Problem): CredentialKind<Hashed, unknown>["parse"] {
  return (token) => {
    const sent = parseCredential(token);
    return sent?.kind === kind ? { ok: true, value: sent } : refused(invalid);
  };
}

/** Last uses are accurate to this. */
const SAVE_EVERY_MS: number = MINUTE_MS;
const PURGE_EVERY_MS: number = HOUR_MS;

/** Creates the background work of a ring: follows the feed, saves last uses every minute, purges every hour. */
export function credentialJobs({
  store,
  ring,
  noun,
  clock,
  log,
  save,
  purge,
}: {
  readonly store: Pick<Store, "feed">;
  readonly ring: FeedReader & Pick<CredentialRing<unknown>, "drainUsed">;
  /** Names the credentials in the log: `tokens`. */
  readonly noun: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly save: (uses: readonly CredentialUse[]) => Promise<unknown>;
  readonly purge: (at: number) => Promise<unknown>;
}): Jobs {
  const saving = { what: `saving the last use of ${noun}`, run: drainInto(ring.drainUsed, save) };
  return createRounds({
    clock,
    log,
    errands: [
      { what: `reading the feed for ${noun}`, run: followFeed(store, () => clock.now(), ring) },
      { ...saving, everyMs: SAVE_EVERY_MS },
      { what: `purging ${noun}`, everyMs: PURGE_EVERY_MS, run: () => purge(clock.now()) },
    ],
    // The second one saves the uses since a save that had failed.
    last: [saving, saving],
  });
}
