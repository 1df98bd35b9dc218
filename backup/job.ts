import { join } from "node:path";

import type { S3Access } from "../adapters/s3-fetch.ts";
import type { Clock } from "../lib/base/clock.ts";
import type { Settings } from "../settings/options.ts";
import { ageSealing } from "./age.ts";
import { backupKeys } from "./keys.ts";
import {
  backUpToFile,
  backUpToObjects,
  type Made,
  type OnProgress,
  type RemoteDatabase,
  type Source,
  type Tools,
} from "./make.ts";
import { backupFailure, objectsAt, openBackup, type OpenedBackup, type Place } from "./place.ts";
import { extractBackup } from "./read.ts";
import { removeOldBackups } from "./stored.ts";
import { withWorkplace } from "./unfinished.ts";

export type PostgresSettings = Pick<
  Settings,
  "databaseUrl" | "databaseCaFile" | "databasePoolSize"
>;

/** One backup to make. Consists of plain values, because another process may run it. */
export interface BackupJob {
  readonly to: Place;
  readonly source: Source;
  /** Leads to the database, if it is PostgreSQL. Contains a secret. */
  readonly postgres?: PostgresSettings | undefined;
  /** Access to the bucket of the backups, if they are in one. Contains a secret. */
  readonly s3?: S3Access | undefined;
  /** In base64. A secret. */
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

/**
 * Makes a backup, verifies it, restores it on trial if asked to, and removes old ones. `remote` is the database, if it is not
 * a file. Rejects with a `Failure`.
 */
export async function runBackup(
  job: BackupJob,
  clock: Pick<Clock, "now">,
  onProgress: OnProgress,
  remote?: RemoteDatabase,
): Promise<BackupReport> {
  const { to, source, s3, recipient, version } = job;
  const encryptionKey = Buffer.from(job.encryptionKey, "base64");
  const sealing = await ageSealing({ encryptionKey, recipient });
  const keys = backupKeys(encryptionKey);
  const tools = { sealing, keys, version, clock, onProgress, remote };
  try {
    const objects = to.kind === "file" ? undefined : objectsAt(to, s3);
    const made =
      objects === undefined
        ? await backUpToFile(to.path, source, tools)
        : await backUpToObjects(objects, source, tools);
    if (job.rehearse && sealing.opens) {
      await rehearse(await openBackup(to, s3, keys, made.id), source, tools);
    }
    const removed =
      objects === undefined || job.keep === undefined
        ? 0
        : await removeOldBackups(objects, keys, job.keep);
    return { ...made, to: to.path, rehearsed: job.rehearse, removed };
  } catch (error) {
    throw backupFailure(error, to.path);
  }
}

/** Restores a backup into the scratch directory. Blobs are read and compared, but not written. */
async function rehearse(
  opened: OpenedBackup,
  { scratch }: Source,
  { sealing, keys, onProgress }: Tools,
): Promise<void> {
  onProgress("rehearsing", 0, undefined);
  await withWorkplace(scratch, async ({ path }) => {
    const backup = { ...opened, sealing, keys };
    await extractBackup(backup, join(path, "rehearsal"), async () => {}, "nowhere");
  });
}
