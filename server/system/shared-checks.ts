import type { Clock } from "../../lib/index.ts";

interface SharedOptions {
  readonly clock: Clock;
  /** How long a result is reused. */
  readonly freshMs: number;
}

interface Run<Value> {
  readonly found: Promise<Value>;
  /** Undefined while it is running. */
  endedAt?: number;
}

/** Shares one check: callers during it, or soon after, get the same result. */
export function sharedCheck<Value>(
  { clock, freshMs }: SharedOptions,
  check: () => Promise<Value>,
): () => Promise<Value> {
  let kept: Run<Value> | undefined;
  return () => {
    if (kept === undefined || !isFresh(kept, clock.now() - freshMs)) kept = start(clock, check());
    return kept.found;
  };
}

/** The most checks in the queue: a page does not wait for more. */
const MAX_UNDER_WAY = 4;

/** Shares checks of many subjects, which run one after the other; undefined if the queue is full. */
export function sharedChecks<Value>(
  { clock, freshMs }: SharedOptions,
  check: (subject: string) => Promise<Value>,
): (subject: string) => Promise<Value> | undefined {
  const runs = new Map<string, Run<Value>>();
  let last: Promise<unknown> = Promise.resolve();
  return (subject) => {
    for (const [known, kept] of runs) {
      if (!isFresh(kept, clock.now() - freshMs)) runs.delete(known);
    }
    const known = runs.get(subject);
    if (known !== undefined) return known.found;
    const underWay = [...runs.values()].filter(({ endedAt }) => endedAt === undefined);
    if (underWay.length >= MAX_UNDER_WAY) return undefined;
    const kept = start(
      clock,
      last.then(() => check(subject)),
    );
    runs.set(subject, kept);
    // The next check runs even if this one fails.
    last = kept.found.catch(() => undefined);
    return kept.found;
  };
}

function start<Value>(clock: Clock, found: Promise<Value>): Run<Value> {
  const run: Run<Value> = { found };
  found.then(
    () => {
      run.endedAt = clock.now();
    },
    () => {
      // The next caller repeats a failed check.
      run.endedAt = -Infinity;
    },
  );
  return run;
}

function isFresh({ endedAt = Infinity }: Run<unknown>, since: number): boolean {
  return endedAt > since;
}
