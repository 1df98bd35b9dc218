import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";

import type { S3Access } from "../../adapters/s3-fetch.ts";
import { bunSqliteSql } from "../../adapters/sqlite-bun.ts";
import { ageSealing, faultOfIdentity } from "../../backup/age.ts";
import type { BlobPlace } from "../../backup/blobs.ts";
import { backupKeys } from "../../backup/keys.ts";
import type { OnProgress } from "../../backup/make.ts";
import { gapOf } from "../../backup/model/gap.ts";
import type { Manifest } from "../../backup/model/manifest.ts";
import { backupFailure, openBackup, type Place } from "../../backup/place.ts";
import { BackupDamaged } from "../../backup/ports.ts";
import { checkBackup, extractBackup, type SealedBackup } from "../../backup/read.ts";
import { advanceNumbers } from "../../backup/snapshot.ts";
import { counting } from "../../backup/streams.ts";
import { readTime } from "../../lib/base/clock.ts";
import { migrate, StoreUnavailable, type Clock, type Sql } from "../../lib/index.ts";
import { codeOf, Failure } from "../../settings/failure.ts";
import { compareTables, copyTables } from "../../transfer/copy.ts";
import type { OnTransfer } from "../../transfer/export.ts";
import { beginImport, markDatabase } from "../../transfer/marks.ts";
import { sqliteSnapshot } from "../../transfer/sqlite-snapshot.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { blobsAt, blobSchemasOf, markBlobPlace, rememberBlobPlace } from "../blobs.ts";
import { knownSchemas, schemas } from "../compose.ts";
import { prepare, type DataDirectory } from "../data-directory.ts";
import { databaseFailure, nameOf, snapshotOf, type DatabasePlace } from "../database.ts";
import { emptyPostgres, expectEmpty, keepFurther } from "../empty-target.ts";
import { keptKey } from "../encryption-key.ts";
import { syncDirectory } from "../files.ts";
import { takeLock } from "../lock.ts";

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
export async function restoreInstallation(options: RestoreOptions): Promise<Restored> {
  const { directory, settings } = options;
  await prepare(directory, { create: true });
  const lock = takeLock(directory.lock);
  if (!("release" in lock)) {
    throw new Failure("tryLater", `${directory.path} is in use by another process.`);
  }
  try {
    const restored = await (settings.databaseUrl === undefined ? intoSqlite : intoPostgres)(
      options,
    );
    lock.rememberUse();
    return restored;
  } finally {
    lock.release();
  }
}

/**
 * Extracts and checks all of a backup in a directory of its own first, then moves it in place; the database last, so that a
 * crash never leaves a part of an installation that starts.
 */
async function intoSqlite(options: RestoreOptions): Promise<Restored> {
  const { directory, clock, blobs: place } = options;
  await expectEmpty(directory, await leftIn(directory), "Restore");
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
      advanceNumbers(database, gapOf(readTime(manifest.madeAt) ?? 0, clock.now()));
      const inPlace = new Map([
        [blobs, directory.blobs],
        [files.get(basename(directory.caRoot)), directory.caRoot],
        [files.get(basename(directory.caKey)), directory.caKey],
        [database, directory.database],
      ]);
      await markBlobPlace(place, directory);
      for (const [from, to] of inPlace) if (from !== undefined) await move(from, to);
      return manifest;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/**
 * Extracts and checks all of a backup in the data directory, then copies its rows and compares them. Until the last step the
 * database is marked as incomplete, and no program of ours opens it. A failure removes what was written in it.
 */
async function intoPostgres(options: RestoreOptions): Promise<Restored> {
  const { directory, clock, blobs: place } = options;
  const open = await emptyPostgres(options, "Restore");
  return opening(options, "failed", async (backup, begin) => {
    const scratch = directory.restoreScratch;
    await rm(scratch, { recursive: true, force: true });
    const { sql, remove } = await open();
    let begun = false;
    try {
      const at = clock.now();
      begun = await beginImport(sql, at);
      if (!begun) {
        throw new Failure("tryLater", `${nameOf(options)} is in use by another process.`);
      }
      await migrate(sql, blobSchemasOf(place, options), at, true);
      const keeping = blobsAt(place, directory, sql);
      const extracted = await extractBackup(backup, scratch, begin, keeping);
      const { manifest, database, files } = extracted;
      advanceNumbers(database, gapOf(readTime(manifest.madeAt) ?? 0, at));
      await upgrade(database, at);
      await migrate(sql, schemas, at, true);
      await copyRows(database, sql, options);
      for (const [name, path] of files) {
        await keepFurther(directory, name, await Bun.file(path).text());
      }
      await rememberBlobPlace(place, options, sql);
      await markDatabase(sql, undefined, at);
      return manifest;
    } catch (error) {
      if (begun) await remove();
      throw error instanceof StoreUnavailable ? databaseFailure(error, options) : error;
    } finally {
      await sql.close();
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/** Upgrades the tables of an older program. */
async function upgrade(path: string, at: number): Promise<void> {
  const sql = await bunSqliteSql({ path, copyBeforeUpgrade: false });
  try {
    await migrate(sql, schemas, at);
  } finally {
    await sql.close();
  }
}

/** Copies the rows of a SQLite file into the empty tables of PostgreSQL, and compares every one. */
async function copyRows(path: string, sql: Sql, options: RestoreOptions): Promise<void> {
  const report: OnTransfer = (what, rows) =>
    options.onProgress(what === "copying rows" ? "copying" : "checking", rows, undefined);
  const tables = await tablesOf(schemas, "move");
  await using open = new AsyncDisposableStack();
  const from = sqliteSnapshot(path);
  open.defer(async () => from.close());
  await copyTables(from, sql, tables, report);
  const copy = await snapshotOf(options);
  open.defer(async () => copy.close());
  await compareTables(from, copy, tables, report);
}

async function opening(
  { from, s3, id, directory, encryptionKey: given, identity, onProgress }: RestoreOptions,
  damaged: "failed" | "notOk",
  read: (backup: SealedBackup, begin: (found: Manifest) => Promise<void>) => Promise<Manifest>,
): Promise<Restored> {
  const path = directory.encryptionKey;
  const encryptionKey = await keptKey({ known: undefined, path, given });
  if (encryptionKey === undefined) {
    throw new Failure(
      "configuration",
      `A backup never contains the encryption key. Put your copy of it in ${path} (mode 0600), or set PETSTORE_ENCRYPTION_KEY_FILE.`,
    );
  }
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
      sealed: counting(sealed, (bytes) => onProgress("verifying", bytes, undefined)),
      sealing,
      keys,
      ...(blob === undefined ? {} : { blob }),
    };
    const manifest = await read(backup, async (begun) => {
      expectKnown(begun);
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

/** Refuses a backup of a newer program. */
function expectKnown({ schemas: versions, petstore }: Manifest): void {
  for (const [component, version] of Object.entries(versions)) {
    const known = knownSchemas.get(component) ?? 0;
    if (version <= known) continue;
    throw new Failure(
      "configuration",
      `The backup has version ${version} of the schema "${component}", and this program knows ${known} at most. Restore it with version ${petstore} or newer.`,
    );
  }
}

/** Returns the files that an interrupted restore has left, which another one may replace. */
async function leftIn(directory: DataDirectory): Promise<readonly string[]> {
  const { path, database, blobs, blobCache, blobsUrl, caRoot, caKey, restoreScratch } = directory;
  const found = new Set(await readdir(path));
  const resumed = found.has(basename(restoreScratch)) && !found.has(basename(database));
  return resumed ? [restoreScratch, blobs, blobCache, blobsUrl, caRoot, caKey] : [];
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
