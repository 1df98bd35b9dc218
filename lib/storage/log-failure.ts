import { StoreUnavailable } from "../sql/sql.ts";
import { SECOND_MS } from "../base/clock.ts";
import type { Log, LogFields } from "../base/log.ts";

interface Quiet {
  readonly until: number;
  suppressed: number;
}

/** Keyed by the log, which all parts of a service share: together they write one line a second. */
const quiet = new WeakMap<Log, Quiet>();

/**
 * Logs `message` with `error`. Logs an unavailable store at most once a second, with its own message: clients decide how
 * many requests meet an outage, and the log may be on the full disk. The field `suppressed` counts
 * the lines left out since the previous one.
 */
export function logFailure(
  log: Log,
  message: string,
  error: unknown,
  {
    now,
    ...fields
  }: LogFields & {
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  },
): void {
  if (!(error instanceof StoreUnavailable)) {
    log.error(message, error, fields);
    return;
  }
  const last = quiet.get(log);
  // If the clock jumped back, the line is written.
  if (last !== undefined && now < last.until && now >= last.until - SECOND_MS) {
    last.suppressed++;
    return;
  }
  const suppressed =
    last === undefined || last.suppressed === 0 ? {} : { suppressed: last.suppressed };
  quiet.set(log, { until: now + SECOND_MS, suppressed: 0 });
  log.error("the store is unavailable", error, { ...fields, ...suppressed });
}
