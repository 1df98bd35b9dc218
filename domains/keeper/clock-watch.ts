import type { Log } from "../../lib/base/log.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
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

/** A CA that does not answer is asked again after a minute, then after twice as long each time, up to an hour. */
const RETRY_MS: number = MINUTE_MS;
const MAX_RETRY_MS: number = HOUR_MS;

export function watchClock(clock: AuthorityTime, log: Log): ClockWatch {
  const { host } = clock;
  let settled = false;
  /** The last comparison without an answer, and the wait after it. Orders compare the clocks before they start anyway. */
  let unanswered = { at: 0, waitMs: 0 };
  let checkedAt = host.now();
  let current: Comparison | undefined;

  const compare = async (signal: AbortSignal): Promise<void> => {
    try {
      const answered = await clock.compare(signal, settled ? COMPARE_EVERY_MS : 0);
      const waitMs = Math.min(Math.max(unanswered.waitMs * 2, RETRY_MS), MAX_RETRY_MS);
      unanswered = { at: host.now(), waitMs: answered ? 0 : waitMs };
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
      const sinceMs = now - unanswered.at;
      if (settled && sinceMs >= 0 && sinceMs < unanswered.waitMs) return;
      current ??= { outdated: false, ended: compare(signal) };
    },
    finished: async () => current?.ended,
  };
}
