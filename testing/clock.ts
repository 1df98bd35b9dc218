import type { Clock } from "../lib/base/clock.ts";

/** A clock that moves only on request. */
export interface ManualClock extends Clock {
  /** Moves forward by `ms` and wakes due sleepers. */
  advance(ms: number): void;
  /** Jumps to a time, also backwards, and wakes due sleepers. The steady clock stays where it is. */
  set(at: number): void;
  steady(): number;
  /** The number of sleepers. None means that the code under test is still busy. */
  readonly sleeping: number;
}

interface Sleeper {
  readonly wakesAt: number;
  readonly wake: () => void;
}

/** Creates a clock for tests that starts at `startMs`, in milliseconds since the Unix epoch. */
export function manualClock(startMs: number): ManualClock {
  let now = startMs;
  let steady = 0;
  const sleepers = new Set<Sleeper>();

  const moveTo = (at: number): void => {
    now = at;
    // In the order of a real clock.
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
    advance: (ms) => {
      steady += ms;
      moveTo(now + ms);
    },
    steady: () => steady,
    set: moveTo,
    get sleeping() {
      return sleepers.size;
    },
  };
}
