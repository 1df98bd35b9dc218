import { join } from "node:path";

import type { S3Access } from "../adapters/s3/fetch.ts";
import type { Clock } from "../lib/base/clock.ts";
import type { Settings } from "../settings/options.ts";
import { ageSealing } from "./age.ts";
import { toFile, toObjects } from "./destination.ts";
import { backupKeys } from "./keys.ts";
import { makeBackup, sqliteDatabase, type Made, type Source } from "./make.ts";
import { backupFailure, objectsAt, openBackup, type Place } from "./place.ts";
import type { OnProgress } from "./progress.ts";
import { extractBackup, type SealedBackup } from "./read.ts";
import { removeOldBackups } from "./stored.ts";
import { withWorkplace } from "./unfinished.ts";

export type PostgresSettings = Pick<
  Settings,
  "databaseUrl" | "databaseCaFile" | "databaseSchema" | "databasePoolSize"
>;

/** One backup to make. Consists of plain values, because another process may run it. */
export interface BackupJob {
  readonly to: Place;
  readonly source: Source;
  /** Leads to the database, if it is PostgreSQL. Contains a secret. */
  readonly postgres?: PostgresSettings | undefined;
  /** Access to the bucket of the backups, if they are in one. Contains a secret. */
  readonly s3?: S3Access | undefined;
  /** The key in base64. It is a secret. */
  readonly encryptionKey: string;
  readonly recipient?: string | undefined;
  /** Version of the program. */
  readonly version: string;
  /** How many backups to keep in a directory or bucket. Absent: all. */
  readonly keep?: number | undefined;
  /** Restores the backup on trial. */
  readonly rehearse: boolean;
}

export interface BackupReport extends Made {
  readonly to: string;
  /**
   * Whether a trial restore gave an equal database. With a recipient, whose key we lack: whether the snapshot was sound
   * before it was sealed, and the sealed bytes were read back as written.
   */
  readonly rehearsed: boolean;
  /** Number of older backups that were removed. */
  readonly removed: number;
}

/** Makes a backup, verifies it, restores it on trial if asked to, and removes old ones. Rejects with a `Failure`. */
export async function runBackup(
  job: BackupJob,
  clock: Pick<Clock, "now">,
  onProgress: OnProgress,
  database = sqliteDatabase(job.source.database),
): Promise<BackupReport> {
  const { to: place, source, s3, recipient, version, rehearse, keep } = job;
  const encryptionKey = Buffer.from(job.encryptionKey, "base64");
  const sealing = await ageSealing({ encryptionKey, recipient });
  const keys = backupKeys(encryptionKey);
  const seals = { sealing, keys };
  try {
    const objects = place.kind === "file" ? undefined : objectsAt(place, s3);
    const to = await (objects === undefined
      ? toFile(place.path, seals)
      : toObjects(objects, seals));
    const made = await makeBackup(source, { database, to, version, clock, onProgress });
    if (rehearse && sealing.opens) {
      onProgress("rehearsing bytes", 0);
      await restoreOnTrial({ ...(await openBackup(place, s3, keys, made.id)), ...seals }, source);
    }
    const removed =
      objects === undefined || keep === undefined ? 0 : await removeOldBackups(objects, keys, keep);
    return { ...made, to: place.path, rehearsed: rehearse, removed };
  } catch (error) {
    throw backupFailure(error, place.path);
  }
}

/** Restores a backup into the scratch directory. Blobs are read and compared, but not written. */
function restoreOnTrial(backup: SealedBackup, { scratch }: Source): Promise<void> {
  return withWorkplace(scratch, async ({ path }) => {
    await extractBackup(backup, join(path, "rehearsal"), async () => {}, "nowhere");
  });
}
