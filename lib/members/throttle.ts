import type { Clock } from "../base/clock.ts";

/** How often something may be tried within a time that begins with the first try. */
export interface Throttle {
  /** Milliseconds until one may be taken; 0 when it may now. */
  wait(holder: string): number;
  take(holder: string): void;
  /** Takes a try back that turned out to be none. */
  giveBack(holder: string): void;
  /** How many holders are remembered. */
  readonly size: number;
}

interface Tries {
  readonly startAt: number;
  used: number;
}

/** Far fewer than are begun between two looks would pile up. */
const SWEPT_AT_ONCE = 100;

/**
 * `most` tries in `windowMs` for each holder. What is open is never evicted, which would forgive: beyond `maxHolders`
 * all further ones share one.
 */
export function createThrottle({
  clock,
  windowMs,
  most,
  maxHolders = 50_000,
}: {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly most: number;
  readonly maxHolders?: number;
}): Throttle {
  // In the order in which they began.
  const open = new Map<string, Tries>();
  let overflow: Tries = { startAt: -Infinity, used: 0 };

  // Before its beginning is after a clock was put back: how long it is open cannot be told.
  const isOver = ({ startAt }: Tries, now: number): boolean =>
    now < startAt || now >= startAt + windowMs;

  const sweep = (now: number): void => {
    let looked = 0;
    for (const [holder, tries] of open) {
      if (looked++ === SWEPT_AT_ONCE || !isOver(tries, now)) return;
      open.delete(holder);
    }
  };

  const triesOf = (holder: string): Tries | undefined =>
    open.get(holder) ?? (open.size >= maxHolders ? overflow : undefined);

  return {
    wait: (holder) => {
      const now = clock.now();
      sweep(now);
      const tries = triesOf(holder);
      if (tries === undefined || isOver(tries, now) || tries.used < most) return 0;
      return tries.startAt + windowMs - now;
    },
    take: (holder) => {
      const now = clock.now();
      sweep(now);
      const tries = triesOf(holder);
      if (tries !== undefined && !isOver(tries, now)) {
        tries.used++;
        return;
      }
      const begun = { startAt: now, used: 1 };
      // At the end of the order, wherever it was before.
      open.delete(holder);
      if (open.size < maxHolders) open.set(holder, begun);
      else overflow = begun;
    },
    giveBack: (holder) => {
      const tries = triesOf(holder);
      if (tries === undefined || tries.used === 0) return;
      tries.used--;
      // What turned out to be nothing takes no room either.
      if (tries.used === 0) open.delete(holder);
    },
    get size() {
      return open.size;
    },
  };
}
