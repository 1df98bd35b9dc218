import { dirname } from "node:path";

import { runBackup, type BackupJob, type BackupReport } from "../../backup/job.ts";
import type { SourceDatabase } from "../../backup/make.ts";
import type { OnProgress } from "../../backup/progress.ts";
import { OWN_SCHEMA } from "../../lib/base/postgres-schema.ts";
import { StoreUnavailable, type Clock, type Sql } from "../../lib/index.ts";
import { Failure, fullDisk } from "../../settings/failure.ts";
import type { Settings } from "../../settings/options.ts";
import { copyToFile } from "../../transfer/sqlite-file.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { schemasIn } from "../data/storage.ts";
import { dataDirectory } from "../data/data-directory.ts";
import {
  databaseFailure,
  openDatabase,
  postgresOptions,
  snapshotOf,
  type DatabasePlace,
} from "../data/database.ts";
import { historyInFile, historyInSql, rememberGood, type BackupHistory } from "./state.ts";

/** Makes a backup of SQLite or PostgreSQL. Rejects with a `Failure`. */
export async function runJob(
  job: BackupJob,
  clock: Pick<Clock, "now">,
  onProgress: OnProgress,
): Promise<BackupReport> {
  const { postgres: settings, source } = job;
  if (settings === undefined) return runBackup(job, clock, onProgress);
  const place = { settings, directory: dataDirectory(dirname(source.database)) };
  const failed = (error: unknown): never => {
    throw databaseFailure(error, place);
  };
  const sql = await openDatabase(place).catch(failed);
  try {
    return await runBackup(job, clock, onProgress, postgresDatabase(place, sql, clock));
  } finally {
    await sql.close();
  }
}

/** The rows that a copy has. Indexes are about as large in both databases; site files are not copied. */
const SIZE = `SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0) AS bytes FROM pg_class
  WHERE relnamespace = ${OWN_SCHEMA} AND relkind = 'r'
    AND relname NOT IN ('blobs', 'blob_parts')`;

function postgresDatabase(
  place: DatabasePlace,
  sql: Sql,
  clock: Pick<Clock, "now">,
): SourceDatabase {
  return {
    sql,
    bytes: async () => {
      const [row] = await sql.query({ text: SIZE, values: [] });
      return Number(row?.["bytes"]);
    },
    copy: async (into, onProgress) => {
      const snapshot = await snapshotOf(place);
      try {
        // The tables stay as they are, for a program that may be older than this one.
        const schemas = schemasIn(await snapshot.versions(), "back it up");
        const tables = await tablesOf(schemas, "move");
        const at = clock.now();
        await copyToFile(snapshot, into, { found: schemas, tables, schemas, at, onProgress });
        return undefined;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        const message = `${into} cannot be written: ${error.message}${fullDisk(into)}`;
        throw new Failure("failed", message, { cause: error });
      } finally {
        await snapshot.close();
      }
    },
  };
}

/** The right to read the files of sites as of an earlier instant. */
export interface Claim {
  /** Returns whether no file was removed meanwhile. */
  holds(): Promise<boolean>;
  release(): Promise<void>;
}

const UNSHARED: Claim = { holds: async () => true, release: async () => undefined };

/**
 * Makes the other processes of a database keep the files of sites, which they could remove while this one reads an older
 * state. With `alone`, returns undefined if another process makes a backup. Rejects with a `Failure`.
 */
export async function claim(
  place: DatabasePlace,
  given: { readonly alone: boolean },
): Promise<Claim | undefined> {
  const { databaseUrl } = place.settings;
  if (databaseUrl === undefined) return UNSHARED;
  try {
    const { claimPostgres } = await import("../../adapters/postgres/claim.ts");
    return await claimPostgres(await postgresOptions(place.settings, databaseUrl), given);
  } catch (error) {
    throw databaseFailure(error, place);
  }
}

export class AnotherBackup extends Failure {
  constructor() {
    super("tryLater", "Another backup is running. Try again later.");
  }
}

type Owner = Omit<DatabasePlace, "settings"> & {
  readonly settings: DatabasePlace["settings"] & Pick<Settings, "backupTo">;
};

/**
 * Calls `make` while no other process of the database makes a backup or removes files of sites, and remembers the backup
 * unless there is none. Rejects with `AnotherBackup`, or with another `Failure`.
 */
export async function asOnlyBackup<Report extends BackupReport | undefined>(
  { history, ...place }: Owner & { readonly history: BackupHistory },
  make: () => Promise<Report>,
): Promise<Report> {
  const claimed = await claim(place, { alone: true });
  if (claimed === undefined) throw new AnotherBackup();
  try {
    const report = await make();
    if (report === undefined) return report;
    if (report.missingBlobs.length > 0 && !(await claimed.holds())) {
      throw new Failure(
        "tryLater",
        "The connection to the database broke during the backup, and files of sites were removed meanwhile. Back up again.",
      );
    }
    await rememberGood(history, report, place.settings.backupTo);
    return report;
  } finally {
    await claimed.release();
  }
}

/** As `asOnlyBackup`, for a command, which has no database open. */
export async function backUpAlone(
  place: Owner,
  make: () => Promise<BackupReport>,
): Promise<BackupReport> {
  if (place.settings.databaseUrl === undefined) {
    return asOnlyBackup({ ...place, history: historyInFile(place.directory) }, make);
  }
  const sql = await openDatabase(place);
  try {
    return await asOnlyBackup({ ...place, history: historyInSql(sql) }, make);
  } catch (error) {
    throw error instanceof StoreUnavailable ? databaseFailure(error, place) : error;
  } finally {
    await sql.close();
  }
}
