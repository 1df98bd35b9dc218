import { rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { S3Access } from "../../adapters/s3/fetch.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { ageSealing, faultOfIdentity } from "../../backup/age.ts";
import type { BlobPlace } from "../../backup/blobs.ts";
import { backupKeys } from "../../backup/keys.ts";
import type { Manifest } from "../../backup/model/manifest.ts";
import { backupFailure, openBackup, type Place } from "../../backup/place.ts";
import { BackupDamaged } from "../../backup/ports.ts";
import type { OnProgress } from "../../backup/progress.ts";
import { checkBackup, extractBackup, type SealedBackup } from "../../backup/read.ts";
import { counting } from "../../backup/streams.ts";
import { readTime } from "../../lib/base/clock.ts";
import { StoreUnavailable, type Clock } from "../../lib/index.ts";
import { codeOf, Failure, fullDisk } from "../../settings/failure.ts";
import { advanceNumbers, copyRows } from "../../transfer/copy.ts";
import { gapOf, type Gap } from "../../transfer/model/gap.ts";
import { sqliteSnapshot } from "../../transfer/sqlite-snapshot.ts";
import { knownSchemasAt, schemasAt, tablesOf } from "../../transfer/tables.ts";
import { blobsAt, markBlobPlace } from "../data/blobs.ts";
import { schemas } from "../data/storage.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import { databaseFailure, isPostgres, type DatabasePlace } from "../data/database.ts";
import {
  emptyTarget,
  expectEmpty,
  fillTarget,
  installing,
  keepFurther,
} from "../data/empty-target.ts";
import { copiedKey } from "../data/encryption-key.ts";
import { syncDirectory, writePublic } from "../data/files.ts";

export interface RestoreOptions {
  readonly from: Place;
  /** Access to a bucket, if `from` is one. Contains a secret. */
  readonly s3: S3Access | undefined;
  /** Where the site files go. Contains a secret. */
  readonly blobs: BlobPlace;
  /** Default: the newest backup of a directory or bucket. */
  readonly id: string | undefined;
  /** The root key comes from here, unless it is given. */
  readonly directory: DataDirectory;
  /** Leads to the database, if it is PostgreSQL. */
  readonly settings: DatabasePlace["settings"];
  /** A secret. */
  readonly encryptionKey: Uint8Array | undefined;
  /** An age identity, for a backup that was sealed to a recipient. A secret. */
  readonly identity: string | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly onProgress: OnProgress;
}

export interface Restored {
  /** Undefined for a file. */
  readonly id: string | undefined;
  readonly manifest: Manifest;
}

/** Reads a whole backup and compares it with its checksums. Writes nothing. Rejects with a `Failure`. */
export function checkRestore(options: RestoreOptions): Promise<Restored> {
  return opening(options, "notOk", (backup, begin) => checkBackup(backup, begin));
}

/**
 * Restores a backup of either database into a PostgreSQL database that is empty, or into a data directory that has no
 * installation. Rejects with a `Failure`.
 */
export function restoreInstallation(options: RestoreOptions): Promise<Restored> {
  return installing(options.directory, () =>
    isPostgres(options) ? intoPostgres(options) : intoSqlite(options),
  );
}

/**
 * Extracts and checks all of a backup in a directory of its own first, then moves it in place; the database last, so that a
 * crash never leaves a part of an installation that starts.
 */
async function intoSqlite(options: RestoreOptions): Promise<Restored> {
  const { directory, clock, blobs: place } = options;
  await expectEmpty(directory, "Restore");
  return opening(options, "failed", async (backup, begin) => {
    const scratch = directory.restoreScratch;
    const keeping = place.path === directory.blobs ? "beside" : blobsAt(place, directory);
    try {
      const { manifest, database, files, blobs } = await extractBackup(
        backup,
        scratch,
        begin,
        keeping,
      );
      await advance(database, manifest, gapSince(manifest, clock.now()));
      const inPlace = new Map([
        [blobs, directory.blobs],
        [files.get(basename(directory.caRoot)), directory.caRoot],
        [files.get(basename(directory.caKey)), directory.caKey],
        [database, directory.database],
      ]);
      await writePublic(directory.restorePlacing, "");
      await markBlobPlace(place, directory);
      for (const [from, to] of inPlace) if (from !== undefined) await move(from, to);
      return manifest;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/** Advances all numbers of a restored file. */
async function advance(path: string, { schemas: versions }: Manifest, gap: Gap): Promise<void> {
  const tables = await tablesOf(schemasAt(schemas, versions), "move");
  try {
    const sql = await bunSqliteSql({ path, copyBeforeUpgrade: false });
    try {
      await advanceNumbers({ sql, read: () => sqliteSnapshot(path) }, tables, gap);
    } finally {
      await sql.close();
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const message = `${path} cannot be changed: ${error.message}${fullDisk(path)}`;
    throw new Failure("failed", message, { cause: error });
  }
}

function gapSince({ madeAt }: Manifest, now: number): Gap {
  return gapOf(readTime(madeAt) ?? 0, now);
}

/** Extracts and checks all of a backup in the data directory, then copies its rows and compares them. */
async function intoPostgres(options: RestoreOptions): Promise<Restored> {
  const { directory, clock, blobs, onProgress } = options;
  const open = await emptyTarget(options, "Restore");
  return opening(options, "failed", async (backup, begin) => {
    const scratch = directory.restoreScratch;
    await rm(scratch, { recursive: true, force: true });
    const target = await open();
    const at = clock.now();
    const { sql } = target;
    try {
      return await fillTarget(target, options, { blobs, at }, async () => {
        const keeping = blobsAt(blobs, directory, sql);
        const { manifest, database, files } = await extractBackup(backup, scratch, begin, keeping);
        const from = sqliteSnapshot(database);
        try {
          const found = schemasAt(schemas, manifest.schemas);
          const tables = await tablesOf(found, "move");
          const gap = gapSince(manifest, at);
          const copying = { found, tables, schemas, gap, at, onProgress };
          await copyRows(from, target, copying);
        } finally {
          await from.close();
        }
        for (const [name, path] of files) {
          await keepFurther(directory, name, await Bun.file(path).text());
        }
        return manifest;
      });
    } catch (error) {
      throw error instanceof StoreUnavailable ? databaseFailure(error, options) : error;
    } finally {
      await sql.close();
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

async function opening(
  { from, s3, id, directory, encryptionKey: given, identity, onProgress }: RestoreOptions,
  damaged: "failed" | "notOk",
  read: (backup: SealedBackup, begin: (found: Manifest) => Promise<void>) => Promise<Manifest>,
): Promise<Restored> {
  const encryptionKey = await copiedKey("A backup", directory.encryptionKey, given);
  const identityFault = identity === undefined ? undefined : await faultOfIdentity(identity);
  if (identityFault !== undefined) {
    throw new Failure("usage", `--identity is not an age identity: ${identityFault}.`);
  }
  const sealing = await ageSealing({
    encryptionKey,
    identities: identity === undefined ? [] : [identity],
  });
  try {
    const keys = backupKeys(encryptionKey);
    const { id: found, sealed, blob, unverified } = await openBackup(from, s3, keys, id);
    const backup: SealedBackup = {
      sealed: counting(sealed, (bytes) => onProgress("verifying bytes", bytes)),
      sealing,
      keys,
      ...(blob === undefined ? {} : { blob }),
    };
    const manifest = await read(backup, async (begun) => {
      knownSchemasAt(schemas, begun.schemas, {
        holder: "The backup",
        fix: `Restore it with version ${begun.petstore} or newer.`,
      });
      if (blob === undefined) expectComplete(begun, from.path);
      if (unverified !== undefined) throw new BackupDamaged(`${unverified} cannot be used`);
    });
    return { id: found, manifest };
  } catch (error) {
    throw backupFailure(error, from.path, damaged);
  }
}

/** Refuses a file that was taken out of a directory of backups: its blobs are beside it. */
function expectComplete({ blobs, blobsInside }: Manifest, path: string): void {
  if (blobsInside || blobs.length === 0) return;
  throw new Failure(
    "usage",
    `${path} is a part of a directory of backups, and its site files are in blobs/ of that directory. Name the directory, and the backup with --backup ${basename(path, ".age")}.`,
  );
}

/** Moves a file or directory, durably. Does nothing if it does not exist. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  await syncDirectory(dirname(to));
}
