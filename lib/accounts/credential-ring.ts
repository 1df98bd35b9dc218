import { countedCache } from "../base/cache.ts";
import { MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { isHashOf, type Digest } from "../base/digest.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import type { Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import { createRounds, drainInto, type Jobs, type TakeTurn } from "../base/rounds.ts";
import { parseCredential } from "../model/credential.ts";
import { followFeed } from "../storage/feed.ts";
import type { Topic } from "../storage/change.ts";
import type { FeedReader, Store } from "../storage/store.ts";

/** The last use of a credential. */
export interface CredentialUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Checks credentials of one kind, such as API keys, and caches their holders. A cached holder is trusted for one second
 * after it was read or last confirmed by the feed.
 */
export interface CredentialRing<Holder> extends FeedReader {
  /**
   * Returns the holder of a credential as it was sent, without a promise if the holder is cached. A text that cannot be
   * a credential causes no storage call; simultaneous calls with the same text share one read.
   */
  find(sent: string, now: number): Eventual<Result<Holder, Problem>>;
  /** Returns the cached holder of a credential whose secret was correct, without checking whether it may still be used. */
  recall(sent: string): Holder | undefined;
  /** Replaces the cached holders that a notice about `subject` concerns. */
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
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
}

/** The dependencies of hashing a secret. */
export interface Hashing {
  readonly digest: Digest;
  /** Returns the HMAC key under which secrets are stored. Kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
}

/** How a ring reads and checks credentials of its kind. */
interface CredentialKind<Stored extends Hashed, Holder> extends Hashing {
  /** Parses the sent text, or refuses it if it cannot be a credential of this kind. Causes no I/O. */
  readonly parse: (
    sent: string,
  ) => Result<{ readonly id: string; readonly secret: string }, Problem>;
  readonly read: (id: string) => Eventual<Stored | undefined>;
  /** The refusal for an unknown id or a wrong secret. */
  readonly invalid: Problem;
  /** Returns the holder of a credential whose secret is correct, or a refusal. Only holders are cached. */
  readonly admit: (stored: Stored, now: number) => Eventual<Result<Holder, Problem>>;
  /** Returns false for a cached holder that must be read again. Default: always true. */
  readonly isCurrent?: (holder: Holder, now: number) => boolean;
  /** Returns, per feed topic, the subject that identifies a holder. Notices of other topics are ignored. */
  readonly subjects: Readonly<Partial<Record<Topic, (holder: Holder) => string | undefined>>>;
}

/** How long a cached holder is trusted. A change in another process takes effect within a second. */
const TRUSTED_MS = SECOND_MS;
const MAX_CACHED = 10_000;

interface Loaded<Found> {
  readonly found: Found;
  readonly readAt: number;
}

/** Creates a ring that caches at most 10,000 holders; the least recently used is evicted first. */
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
  // By the whole text: a hit proves that the checksum and the secret were correct.
  const cache = countedCache<Loaded<Result<Holder, Problem> & { readonly ok: true }>>(
    MAX_CACHED,
    () => undefined,
  );
  const loads = new Map<string, Loaded<Promise<Result<Holder, Problem>>>>();
  // By id, so that its size is bounded by the keys in use even if nothing drains it.
  const used = new Map<string, number>();
  let confirmedAt = -Infinity;
  // Counts invalidations: a holder that was read before one must not be cached after it.
  let generation = 0;

  const isTrusted = (readAt: number, now: number): boolean => {
    const trueAt = Math.max(readAt, confirmedAt);
    // If the clock was set back before `trueAt`, the age is unknown.
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
    recall: (sent) => cache.get(sent)?.found.value,
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

/** Returns a `parse` for credentials that start with `pet_<kind>_`. */
export function parserOf(kind: string, invalid: Problem): CredentialKind<Hashed, unknown>["parse"] {
  return (token) => {
    const sent = parseCredential(token);
    return sent?.kind === kind ? { ok: true, value: sent } : refused(invalid);
  };
}

/** How accurate last uses are. */
const SAVE_EVERY_MS: number = MINUTE_MS;
const PURGE_EVERY_MS: number = 10 * MINUTE_MS;

/** Creates a ring's background jobs: follows the feed, saves last uses every minute, purges every ten minutes. */
export function credentialJobs({
  store,
  ring,
  noun,
  clock,
  log,
  save,
  purge,
  takeTurn,
}: {
  readonly store: Pick<Store, "feed">;
  readonly ring: FeedReader & Pick<CredentialRing<unknown>, "drainUsed">;
  /** The name of the credentials in the log: `tokens`. */
  readonly noun: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly save: (uses: readonly CredentialUse[]) => Promise<unknown>;
  readonly purge: (at: number) => Promise<unknown>;
  readonly takeTurn: TakeTurn | undefined;
}): Jobs {
  const saving = { what: `saving the last use of ${noun}`, run: drainInto(ring.drainUsed, save) };
  return createRounds({
    clock,
    log,
    errands: [
      { what: `reading the feed for ${noun}`, run: followFeed(store, () => clock.now(), ring) },
      { ...saving, everyMs: SAVE_EVERY_MS },
      {
        what: `purging ${noun}`,
        everyMs: PURGE_EVERY_MS,
        inTurn: true,
        run: () => purge(clock.now()),
      },
    ],
    takeTurn,
    // The first run may only retry an earlier failed save; the second saves the uses since then.
    last: [saving, saving],
  });
}
