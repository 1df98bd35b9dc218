import { readFile } from "node:fs/promises";

import { placeOf } from "../../backup/place.ts";
import { type BackupState } from "../../backup/model/schedule.ts";
import type { BackupReport } from "../../backup/job.ts";
import { codeOf, Failure, reasonOf } from "../../settings/failure.ts";
import { writeSecret } from "../files.ts";

/** Reads the outcome of the backups so far. */
export async function readBackupState(path: string): Promise<BackupState> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { failures: 0 };
    throw new Failure("configuration", `${path} cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch {
    // Only the history is lost.
    return { failures: 0 };
  }
}

/**
 * Records a good backup. Where backups are scheduled to `scheduled`, one by hand to another place is not recorded: the
 * schedule depends on the last one there.
 */
export async function rememberGood(
  path: string,
  report: BackupReport,
  scheduled: string | undefined,
): Promise<void> {
  const { at, to, bytes, rehearsed } = report;
  if (scheduled !== undefined && placeOf(scheduled).path !== to) return;
  const state: BackupState = { good: { at, to, bytes, rehearsed }, failures: 0 };
  return writeSecret(path, JSON.stringify(state));
}

/** Records a failure of a scheduled backup. */
export async function rememberFailure(path: string, at: number, reason: string): Promise<void> {
  const { good, failures } = await readBackupState(path);
  const state: BackupState = { good, failed: { at, reason }, failures: failures + 1 };
  return writeSecret(path, JSON.stringify(state));
}
