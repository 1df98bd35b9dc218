import { MINUTE_MS } from "../../lib/base/clock.ts";

/** The outcome of the backups of an installation so far. */
export interface BackupState {
  readonly good?: GoodBackup | undefined;
  readonly failed?: { readonly at: number; readonly reason: string } | undefined;
  /** Failures since the last good backup. */
  readonly failures: number;
}

/** A backup that was verified. */
export interface GoodBackup {
  /** Milliseconds since the Unix epoch: the instant of its snapshot. */
  readonly at: number;
  readonly to: string;
  /** Size of the contents in bytes. */
  readonly bytes: number;
  /** Whether a trial restore gave an equal database. */
  readonly rehearsed: boolean;
}

/** The first wait after a failure; doubles up to the regular interval. */
const RETRY_MS: number = 5 * MINUTE_MS;

/** Returns when the next scheduled backup to `to` is due: an interval after the last good one, or sooner after a failure. */
export function nextBackupAt(
  { good, failed, failures }: BackupState,
  { to, everyMs, now }: { readonly to: string; readonly everyMs: number; readonly now: number },
): number {
  if (failed !== undefined && failures > 0) {
    return notLater(failed.at, Math.min(everyMs, RETRY_MS * 2 ** (failures - 1)), now);
  }
  return good?.to === to ? notLater(good.at, everyMs, now) : now;
}

/** If the clock was set back, the instant before is in the future and the next backup is due. */
function notLater(before: number, waitMs: number, now: number): number {
  return before > now ? now : before + waitMs;
}
