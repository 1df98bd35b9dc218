import { scheduledPlace } from "../../backup/place.ts";
import { nextBackupAt } from "../../backup/model/schedule.ts";
import { maxAgeOf } from "../backup/freshness.ts";
import { historyInFile, readHistory } from "../backup/state.ts";
import { fail, ok, skip, warn, type Check } from "./check.ts";

/** Checks the age of the last good backup. */
export const backupsAreFresh: Check = async ({ settings, directory, runtime, database }) => {
  const { backupTo, backupEvery: everyMs } = settings;
  const maxAgeMs = maxAgeOf(settings);
  const state = await (settings.databaseUrl === undefined
    ? historyInFile(directory).read()
    : readHistory(await database()));
  const { good, failed } = state;
  if (backupTo === undefined) return skip("backups_off", good === undefined ? {} : { good });
  const now = runtime.clock.now();
  const to = scheduledPlace(backupTo).path;
  // Without a running server, it is due at the next start.
  const nextAt = Math.max(now, nextBackupAt(state, { to, everyMs, now }));
  const failure = failed === undefined ? {} : { failed };
  if (good?.to !== to) {
    const facts = { to, nextAt, ...failure };
    return failed === undefined ? warn("backups_none", facts) : fail("backups_none", facts);
  }
  const facts = { good, nextAt, ...failure };
  if (maxAgeMs !== "off" && now - good.at > maxAgeMs) return fail("backups_old", facts);
  return failed === undefined ? ok("backups_fresh", facts) : warn("backups_fresh", facts);
};
