import type { Clock } from "../base/clock.ts";

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  /** Moves forward by `ms` and wakes whoever slept that long. */
  advance(ms: number): void;
  /** Jumps to an instant, also backwards. Sleepers whose time is not reached sleep on. */
  set(at: number): void;
  /** How many sleep now: none means that whoever is to be woken is still at work. */
  readonly sleeping: number;
}

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/** A clock for tests that starts at `startMs`, milliseconds since the Unix epoch. */
export function manualClock(startMs: number): ManualClock {
  let now = startMs;
  const sleepers = new Set<Sleeper>();

  const moveTo = (at: number): void => {
    now = at;
    // In the order in which a real clock would have woken them.
    const due = [...sleepers].filter(({ wakesAt }) => wakesAt <= now);
    for (const sleeper of due.toSorted((a, b) => a.wakesAt - b.wakesAt)) {
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  };

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const abort = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          wakesAt: now + ms,
          wake: () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        signal?.addEventListener("abort", abort, { once: true });
        sleepers.add(sleeper);
        if (ms <= 0) moveTo(now);
      }),
    advance: (ms) => moveTo(now + ms),
    set: moveTo,
    get sleeping() {
      return sleepers.size;
    },
  };
}
