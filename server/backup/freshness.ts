import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { readableMinute } from "../../lib/base/readable.ts";
import type { Clock, PlannedMigration, Sql } from "../../lib/index.ts";
import { Failure } from "../../settings/failure.ts";
import type { Settings } from "../../settings/options.ts";
import { nameOf, type DatabasePlace } from "../data/database.ts";
import { historyInSql } from "./state.ts";

export type AgeSettings = Partial<Pick<Settings, "backupTo" | "backupEvery" | "backupMaxAge">>;

/** Returns how old the last good backup may be, in milliseconds; `off` if backups are made by other means. */
export function maxAgeOf({ backupEvery = DAY_MS, backupMaxAge }: AgeSettings): number | "off" {
  return backupMaxAge ?? 2 * backupEvery;
}

/**
 * Refuses to upgrade the tables of a PostgreSQL database, which is not copied before, without a backup that is young enough.
 * New tables are no upgrade: they change nothing that exists.
 */
export async function expectFreshBackup(
  planned: readonly PlannedMigration[],
  sql: Pick<Sql, "query" | "batch">,
  { settings, directory }: DatabasePlace & { readonly settings: AgeSettings },
  clock: Pick<Clock, "now">,
): Promise<void> {
  const upgrades = planned.filter(({ from }) => from > 0);
  const maxAgeMs = maxAgeOf(settings);
  if (upgrades.length === 0 || maxAgeMs === "off") return;
  const { good } = await historyInSql(sql).read();
  // Of either sign: one from the future says nothing about its age.
  const ageMs = good === undefined ? Infinity : Math.abs(clock.now() - good.at);
  if (ageMs <= maxAgeMs) return;
  const names = upgrades.map(({ component, from, to }) => `${component} from ${from} to ${to}`);
  const last =
    good === undefined ? "it has no backup" : `its last backup is of ${readableMinute(good.at)}`;
  const to = settings.backupTo ?? "FILE|DIRECTORY|s3://…";
  throw new Failure(
    "configuration",
    `This version upgrades the tables of ${nameOf({ settings, directory })} (${names.join(", ")}), but ${last}, and backup-max-age is ${hours(maxAgeMs)}. ` +
      `Nothing was changed. Back it up, then start again: petstore backup ${to}. ` +
      `If it is backed up by other means, set backup-max-age to off (PETSTORE_BACKUP_MAX_AGE=off).`,
  );
}

function hours(ms: number): string {
  return ms < 2 * HOUR_MS
    ? `${Math.ceil(ms / MINUTE_MS)} minutes`
    : `${Math.ceil(ms / HOUR_MS)} hours`;
}
