import { sizedCache } from "../base/cache.ts";
import { SECOND_MS } from "../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Topic } from "../storage/change.ts";
import type { FeedReader } from "../storage/store.ts";

/**
 * Caches the holders of rights, such as the owners of API keys. A cached holder is trusted for one second after it was read
 * or last confirmed by the feed.
 */
export interface TrustedCache<Holder> extends FeedReader {
  /**
   * Returns the holder that a text names, without a promise if the holder is cached. Simultaneous calls with the same text
   * share one read.
   */
  find(sent: string, now: number): Eventual<Result<Holder, Problem>>;
  /** Returns the cached holder, without checking whether it is still trusted. */
  recall(sent: string): Holder | undefined;
  /** Replaces the cached holders that a notice about `subject` concerns. */
  replace(topic: Topic, subject: string, next: (holder: Holder) => Holder): void;
  /** Returns the number of cached holders. */
  size(): number;
}

/** Where the holders of a cache come from. */
export interface TrustedSource<Holder> {
  /** Reads the holder that a text names, or refuses. Only holders are cached. */
  readonly load: (sent: string, now: number) => Eventual<Result<Holder, Problem>>;
  /** Returns false for a cached holder that must be read again. Default: always true. */
  readonly isCurrent?: ((holder: Holder, now: number) => boolean) | undefined;
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

/** Creates a cache of at most 10,000 holders; the least recently used is evicted first. */
export function createTrustedCache<Holder>({
  load,
  isCurrent = () => true,
  subjects,
}: TrustedSource<Holder>): TrustedCache<Holder> {
  const cache = sizedCache<Loaded<Result<Holder, Problem> & { readonly ok: true }>>(
    MAX_CACHED,
    () => 1,
  );
  const loads = new Map<string, Loaded<Promise<Result<Holder, Problem>>>>();
  let confirmedAt = -Infinity;
  // Counts invalidations: a holder that was read before one must not be cached after it.
  let generation = 0;

  const isTrusted = (readAt: number, now: number): boolean => {
    const trueAt = Math.max(readAt, confirmedAt);
    // If the clock was set back before `trueAt`, the age is unknown.
    return now >= trueAt && now < trueAt + TRUSTED_MS;
  };

  const read = (sent: string, now: number): Eventual<Result<Holder, Problem>> => {
    const begun = generation;
    return andThen(load(sent, now), (found) => {
      if (found.ok && begun === generation) cache.set(sent, { found, readAt: now });
      return found;
    });
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
      const found = read(sent, now);
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
