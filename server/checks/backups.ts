import { nextBackupAt } from "../../backup/model/schedule.ts";
import { scheduledPlace } from "../backup/backups.ts";
import { readBackupState } from "../backup/state.ts";
import { fail, ok, skip, warn, type Check } from "./check.ts";

/** Checks the age of the last good backup. */
export const backupsAreFresh: Check = async ({ settings, directory, runtime }) => {
  const { backupTo, backupEvery: everyMs, backupMaxAge: maxAgeMs = 2 * everyMs } = settings;
  const state = await readBackupState(directory.backupState);
  const { good, failed } = state;
  if (backupTo === undefined) return skip("backups_off", good === undefined ? {} : { good });
  const now = runtime.clock.now();
  const to = scheduledPlace(backupTo).path;
  const failure = failed === undefined ? {} : { failed };
  if (good?.to !== to) {
    return failed === undefined
      ? warn("backups_none", { to })
      : fail("backups_none", { to, ...failure });
  }
  const facts = { good, nextAt: nextBackupAt(state, { to, everyMs, now }), ...failure };
  if (now - good.at > maxAgeMs) return fail("backups_old", facts);
  return failed === undefined ? ok("backups_fresh", facts) : warn("backups_fresh", facts);
};
