import type { BackupState } from "../../backup/model/schedule.ts";
import { nextBackupAt } from "../../backup/model/schedule.ts";
import { isoTime } from "../../lib/base/clock.ts";
import { readableBytes } from "../../settings/values.ts";
import { scheduledPlace } from "../backup/backups.ts";
import { readBackupState } from "../backup/state.ts";
import { fail, skip, warn, type Check } from "./check.ts";

/** Checks the age of the last good backup. */
export const backupsAreFresh: Check = async ({ settings, directory, runtime }) => {
  const { backupTo, backupEvery: everyMs, backupMaxAge: maxAgeMs = 2 * everyMs } = settings;
  const state = await readBackupState(directory.backupState);
  const { good } = state;
  if (backupTo === undefined) {
    const last = good === undefined ? "" : `; the last one by hand: ${describe(good)}`;
    return skip(`not scheduled${last}`);
  }
  const now = runtime.clock.now();
  const to = scheduledPlace(backupTo).path;
  const why =
    state.failed === undefined
      ? ""
      : `; the last attempt failed at ${isoTime(state.failed.at)}: ${state.failed.reason}`;
  if (good?.to !== to) {
    return state.failed === undefined
      ? warn(`none in ${to} yet`, "wait a few minutes while the server runs")
      : fail(`no good backup in ${to}${why}`, "fix the cause; the server tries again");
  }
  const next = isoTime(nextBackupAt(state, { to, everyMs, now }));
  const found = `${describe(good)}; next ${next}; \`petstore restore ${to}\` restores it`;
  if (now - good.at > maxAgeMs)
    return fail(`${found}${why}`, "fix the cause, or run `petstore backup`");
  return why === "" ? found : warn(`${found}${why}`);
};

function describe({ at, to, bytes, rehearsed }: NonNullable<BackupState["good"]>): string {
  const trial = rehearsed ? "trial restore passed" : "no trial restore";
  return `${isoTime(at)} in ${to}, ${readableBytes(bytes)}, ${trial}`;
}
