import type { Clock } from "../../lib/index.ts";

interface SharedOptions {
  readonly clock: Clock;
  /** What was found that lately is told again. */
  readonly freshMs: number;
}

interface Look<Value> {
  readonly found: Promise<Value>;
  /** Undefined as long as it is under way. */
  endedAt?: number;
}

/** A look that many may ask for: those who come while it is under way, or soon after, are told the same. */
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

/** Who waits longer than so many looks take has given up. */
const MAX_UNDER_WAY = 4;

/** The same of many subjects, one after the other; undefined for one that would wait for too many others. */
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
    // The next one's turn comes however this one ends.
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
      // One that broke is made anew by whoever asks next.
      look.endedAt = -Infinity;
    },
  );
  return look;
}

function isFresh({ endedAt = Infinity }: Look<unknown>, since: number): boolean {
  return endedAt > since;
}
