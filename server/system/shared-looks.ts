import type { Clock } from "../../lib/index.ts";

interface SharedOptions {
  readonly clock: Clock;
  /** How long a result is reused. */
  readonly freshMs: number;
}

interface Look<Value> {
  readonly found: Promise<Value>;
  /** Undefined while it is running. */
  endedAt?: number;
}

/** Shares one check: callers during it, or soon after, get the same result. */
export function sharedLook<Value>(
  { clock, freshMs }: SharedOptions,
  look: () => Promise<Value>,
): () => Promise<Value> {
  let kept: Look<Value> | undefined;
  return () => {
    if (kept === undefined || !isFresh(kept, clock.now() - freshMs)) kept = begun(clock, look());
    return kept.found;
  };
}

/** The most checks in the queue: a page does not wait for more. */
const MAX_UNDER_WAY = 4;

/** Shares checks of many subjects, which run one after the other; undefined if the queue is full. */
export function sharedLooks<Value>(
  { clock, freshMs }: SharedOptions,
  look: (subject: string) => Promise<Value>,
): (subject: string) => Promise<Value> | undefined {
  const looks = new Map<string, Look<Value>>();
  let last: Promise<unknown> = Promise.resolve();
  return (subject) => {
    for (const [known, kept] of looks) {
      if (!isFresh(kept, clock.now() - freshMs)) looks.delete(known);
    }
    const known = looks.get(subject);
    if (known !== undefined) return known.found;
    const underWay = [...looks.values()].filter(({ endedAt }) => endedAt === undefined);
    if (underWay.length >= MAX_UNDER_WAY) return undefined;
    const kept = begun(
      clock,
      last.then(() => look(subject)),
    );
    looks.set(subject, kept);
    // The next check runs even if this one fails.
    last = kept.found.catch(() => undefined);
    return kept.found;
  };
}

function begun<Value>(clock: Clock, found: Promise<Value>): Look<Value> {
  const look: Look<Value> = { found };
  found.then(
    () => {
      look.endedAt = clock.now();
    },
    () => {
      // The next caller repeats a failed check.
      look.endedAt = -Infinity;
    },
  );
  return look;
}

function isFresh({ endedAt = Infinity }: Look<unknown>, since: number): boolean {
  return endedAt > since;
}
