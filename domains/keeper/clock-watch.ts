import type { Log } from "../../lib/base/log.ts";
import { COMPARE_EVERY_MS, type AuthorityTime } from "../acme/authority-time.ts";
import { MAX_SKEW_MS } from "../model/clock-skew.ts";

/** Compares the clock of the host with the CA's in the background, and again after the host's clock has jumped. */
export interface ClockWatch {
  /**
   * False after the start, and after a jump of the host's clock, until the comparison has ended: a wrong clock could release
   * names permanently. A CA that does not answer ends the comparison, too.
   */
  readonly settled: boolean;
  /** Begins a comparison that is due. To be called in every round: jumps are noticed between two calls. */
  check(signal: AbortSignal): void;
  /** Resolves when no comparison is under way. */
  finished(): Promise<void>;
}

interface Comparison {
  /** The clock has jumped since it began, so its answer does not count. */
  outdated: boolean;
  readonly ended: Promise<void>;
}

export function watchClock(clock: AuthorityTime, log: Log): ClockWatch {
  const { host } = clock;
  let settled = false;
  let checkedAt = host.now();
  let current: Comparison | undefined;

  const compare = async (signal: AbortSignal): Promise<void> => {
    try {
      await clock.compare(signal, settled ? COMPARE_EVERY_MS : 0);
    } catch (error) {
      if (!signal.aborted) log.error("our clock could not be compared with the CA's", error);
    }
    settled = current?.outdated !== true;
    current = undefined;
  };

  return {
    get settled() {
      return settled;
    },
    check: (signal) => {
      const now = host.now();
      if (Math.abs(now - checkedAt) > MAX_SKEW_MS) {
        settled = false;
        if (current !== undefined) current.outdated = true;
      }
      checkedAt = now;
      current ??= { outdated: false, ended: compare(signal) };
    },
    finished: async () => current?.ended,
  };
}
