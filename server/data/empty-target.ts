import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import type { BlobPlace } from "../../backup/blobs.ts";
import { migrate, type Sql } from "../../lib/index.ts";
import { Failure, reasonOf } from "../../settings/failure.ts";
import { RowsRefused, type EmptyDatabase } from "../../transfer/copy.ts";
import { beginImport, markDatabase, removeTables, type Mark } from "../../transfer/marks.ts";
import { created } from "../../transfer/tables.ts";
import { blobSchemasOf, rememberBlobPlace } from "./blobs.ts";
import { dataDirectory, prepare, type DataDirectory } from "./data-directory.ts";
import {
  databaseFailure,
  findDatabase,
  isPostgres,
  nameOf,
  openDatabase,
  snapshotOf,
  type DatabasePlace,
} from "./database.ts";
import { writePublic, writeSecret } from "./files.ts";
import { faultOfMark, filesOf, findFile, type FoundDatabase } from "./found-database.ts";
import { takeLock } from "./lock.ts";

/** An open, empty database that an import, a restore or a move fills. */
export interface Target extends EmptyDatabase {
  /** Removes what was written, unless the database is in use by now. */
  remove(): Promise<void>;
}

/** What an empty database becomes. */
export interface Filling {
  /** Where the site files of the installation will be. */
  readonly blobs: BlobPlace;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /**
   * The mark from the beginning on, which stays. Default: that of an unfinished import or restore, which is removed at the end, so
   * that programs may use the database.
   */
  readonly mark?: Mark | undefined;
}

/**
 * Marks an empty database, so that no program of ours opens it, creates the tables for site files, and calls `fill`. If `fill`
 * rejects, removes what was written.
 */
export async function fillTarget<Value>(
  target: Target,
  place: DatabasePlace,
  { blobs, at, mark }: Filling,
  fill: () => Promise<Value>,
): Promise<Value> {
  const { sql } = target;
  if (!(await beginImport(sql, at, mark))) throw inUse(nameOf(place));
  try {
    await migrate(sql, blobSchemasOf(blobs, place), at, true);
    await rememberBlobPlace(blobs, place, sql, true);
    const value = await fill();
    if (mark === undefined) await markDatabase(sql, undefined, at);
    return value;
  } catch (error) {
    await target.remove();
    throw error instanceof RowsRefused ? notAccepted(error, place) : error;
  }
}

function notAccepted({ table, first, cause }: RowsRefused, place: DatabasePlace): Failure {
  const message = `${nameOf(place)} does not accept the rows of the table ${table.name} from row ${first}: ${reasonOf(cause)}.`;
  return new Failure("failed", message, { cause });
}

function inUse(name: string): Failure {
  return new Failure("tryLater", `${name} is in use by another process.`);
}

/** Calls `use` under the lock of a directory that gets an installation, and records that it has one. */
export async function installing<Value>(
  directory: DataDirectory,
  use: () => Promise<Value>,
): Promise<Value> {
  await prepare(directory, { create: true });
  const lock = takeLock(directory.lock);
  if (!("release" in lock)) throw inUse(directory.path);
  try {
    const value = await use();
    lock.rememberUse();
    return value;
  } finally {
    lock.release();
  }
}

/**
 * Checks that the place of a new installation is empty, and removes what an interrupted import or restore has left there. Returns
 * a function that opens its database. Rejects with a `Failure`.
 */
export async function emptyTarget(
  place: DatabasePlace,
  what: "Restore" | "Import",
): Promise<() => Promise<Target>> {
  const { directory } = place;
  if (!isPostgres(place)) {
    await expectEmpty(directory, what);
    return () => openFile(place, () => removeAll(written(directory)));
  }
  const embedded = findFile(directory);
  if (embedded !== "missing" && embedded !== "empty") {
    throw new Failure(
      "configuration",
      `${directory.database} exists. ${what} into PostgreSQL with a new directory as --data-dir, or unset database-url to use SQLite.`,
    );
  }
  return emptyPostgres(place, ({ kind }) => kind === "unfinished");
}

/**
 * Opens the database that a move fills. `from` names the database that is moved: an unfinished copy of it is removed. A file that
 * was moved away is kept under another name. Rejects with a `Failure`.
 */
export async function moveTarget(place: DatabasePlace, from: string): Promise<Target> {
  const isLeft = (mark: Mark): boolean =>
    mark.kind === "unfinished" || (mark.kind === "copied" && mark.place === from);
  try {
    return await (isPostgres(place)
      ? (await emptyPostgres(place, isLeft))()
      : emptyFile(place, isLeft));
  } catch (error) {
    throw databaseFailure(error, place);
  }
}

/** Opens a database beside an installation, in a directory that is removed with it. */
export async function scratchTarget<Place extends DatabasePlace>(
  installation: Place,
): Promise<Target & { readonly place: Place }> {
  const path = join(installation.directory.path, "migration.unfinished");
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  await remove();
  const place = { ...installation, directory: dataDirectory(path) };
  await prepare(place.directory, { create: true });
  return { ...(await openFile(place, remove)), place };
}

/**
 * Checks that a PostgreSQL database is empty, and removes from it what `isLeft` says that an earlier attempt has left. Removes no
 * site files: they have the names of their contents, and the directory may be of another installation.
 */
async function emptyPostgres(
  place: DatabasePlace,
  isLeft: (mark: Mark) => boolean,
): Promise<() => Promise<Target>> {
  const failed = (error: unknown): never => {
    throw databaseFailure(error, place);
  };
  const open = async (): Promise<Sql> => {
    const sql = await openDatabase(place);
    if (sql.shared !== true) return sql;
    await sql.close();
    throw inUse(nameOf(place));
  };
  const found = await findDatabase(place).catch(failed);
  if (found !== "empty") {
    if (typeof found !== "object" || !isLeft(found)) throw notEmpty(found, place);
    const sql = await open().catch(failed);
    try {
      if (!(await removeTables(sql, created, found))) throw notEmpty("ours", place);
    } catch (error) {
      failed(error);
    } finally {
      await sql.close();
    }
  }
  return async () => {
    const sql = await open().catch(failed);
    return {
      sql,
      read: () => snapshotOf(place),
      remove: async () => {
        try {
          const mark = await findDatabase(place);
          if (typeof mark === "object" && mark.kind !== "moved") {
            await removeTables(sql, created, mark);
          }
        } catch {
          // Without a connection the mark stays, and the next attempt removes the tables.
        }
      },
    };
  };
}

/** Opens the file of SQLite in a directory that may have other files of an installation. */
async function emptyFile(place: DatabasePlace, isLeft: (mark: Mark) => boolean): Promise<Target> {
  const { directory } = place;
  const { database } = directory;
  await prepare(directory, { create: true });
  const found = findFile(directory);
  const remove = () => removeAll(filesOf(database));
  if (typeof found === "object" && isLeft(found)) await remove();
  else if (typeof found === "object" && found.kind === "moved") {
    // Opening it writes the rest of its log into it.
    await (await bunSqliteSql({ path: database, copyBeforeUpgrade: false })).close();
    await rename(database, `${database}.moved-${found.id}`);
  } else if (found !== "missing" && found !== "empty") throw notEmpty(found, place);
  return openFile(place, remove);
}

async function openFile(place: DatabasePlace, remove: () => Promise<void>): Promise<Target> {
  const path = place.directory.database;
  const sql = await bunSqliteSql({ path, copyBeforeUpgrade: false });
  return {
    sql,
    read: () => snapshotOf(place),
    remove: async () => {
      await sql.close();
      await remove();
    },
  };
}

function notEmpty(found: FoundDatabase, place: DatabasePlace): Failure {
  const [name, inPostgres] = [nameOf(place), isPostgres(place)];
  const fault =
    typeof found === "object"
      ? faultOfMark(found, { name, isPostgres: inPostgres })
      : `${name} is not empty.`;
  const advice = inPostgres
    ? "Create a new database."
    : "Choose another directory with --data-dir.";
  return new Failure("configuration", `${fault} ${advice}`);
}

/**
 * Removes what an interrupted import or restore has left. Refuses a directory with anything else but the key, the lock and a stale
 * socket, and then removes nothing.
 */
export async function expectEmpty(
  directory: DataDirectory,
  what: "Restore" | "Import",
): Promise<void> {
  const { path, encryptionKey, lock, socket } = directory;
  const found = new Set(await readdir(path));
  for (const known of [encryptionKey, lock, socket, "lost+found"]) found.delete(basename(known));
  const left = leftIn(directory, what);
  for (const one of left) found.delete(basename(one));
  if (found.size === 0) return removeAll(left);
  const names = [...found].toSorted().slice(0, 5).join(", ");
  throw new Failure(
    "configuration",
    `${path} is not empty: it contains ${names}. ${what} into a new directory, or move everything except encryption.key out of it.`,
  );
}

/**
 * Returns the files that an interrupted import or restore has left. Both begin in an empty directory. A move does not: its mark is
 * another one, and the site files and the CA may be of an installation in PostgreSQL.
 */
function leftIn(directory: DataDirectory, what: "Restore" | "Import"): readonly string[] {
  const { database, restoreScratch, restorePlacing } = directory;
  const found = findFile(directory);
  if (typeof found === "object" && found.kind === "unfinished") return written(directory);
  // A restore puts the database in place last. One into PostgreSQL puts no files in place.
  if (found === "missing")
    return existsSync(restorePlacing) ? written(directory) : [restoreScratch];
  // An import that was interrupted before its first write. Anything else in the directory is not of an import.
  return found === "empty" && what === "Import" ? filesOf(database) : [];
}

/** Returns the files of an installation that an import or a restore writes. */
function written({
  database,
  blobs,
  blobCache,
  blobsUrl,
  caRoot,
  caKey,
  restoreScratch,
}: DataDirectory): readonly string[] {
  return [...filesOf(database), blobs, blobCache, blobsUrl, caRoot, caKey, restoreScratch];
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true });
}

/** Writes a further file of an installation. Returns false if no installation has a file of this name. */
export async function keepFurther(
  { caRoot, caKey }: DataDirectory,
  name: string,
  text: string,
): Promise<boolean> {
  const path = [caRoot, caKey].find((one) => basename(one) === name);
  if (path === undefined) return false;
  const file = Bun.file(path);
  if ((await file.exists()) && (await file.text()) !== text) {
    throw new Failure("configuration", `${path} exists, and is another one. Move it.`);
  }
  await (path === caKey ? writeSecret : writePublic)(path, text);
  return true;
}
