import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

import { bunSqliteSql } from "../adapters/sqlite-bun.ts";
import type { BlobPlace } from "../backup/blobs.ts";
import { migrate, type Clock, type Sql } from "../lib/index.ts";
import { Failure } from "../settings/failure.ts";
import { compareTables, copyBlobs, copyTables, type TableSum } from "../transfer/copy.ts";
import { DIGEST_BYTES, packed, type OnTransfer, type Snapshot } from "../transfer/export.ts";
import { beginImport, markDatabase, removeTables, type Mark } from "../transfer/marks.ts";
import { created, tablesOf } from "../transfer/tables.ts";
import { claim } from "./backup/postgres.ts";
import { historyInFile, historyInSql, type BackupHistory } from "./backup/state.ts";
import { blobPlaceOf, blobsAt, blobSchemasOf, rememberBlobPlace } from "./blobs.ts";
import { schemas, schemasIn } from "./compose.ts";
import { dataDirectory, prepare, type DataDirectory } from "./data-directory.ts";
import {
  databaseFailure,
  findDatabase,
  lockedSnapshotOf,
  nameOf,
  openDatabase,
  snapshotOf,
  type DatabasePlace,
} from "./database.ts";
import { syncDirectory } from "./files.ts";
import { filesOf, faultOfMark, type FoundDatabase } from "./found-database.ts";
import { lockDirectory, openInstallation, type InstallationSettings } from "./installation.ts";
import { keepBlobs } from "./socket.ts";

export interface MigrationOptions {
  readonly to: "postgres" | "sqlite";
  /** Has the database of SQLite, and the lock. */
  readonly directory: DataDirectory;
  /** Those of the installation in PostgreSQL. */
  readonly settings: InstallationSettings;
  /** Version of the program. */
  readonly version: string;
  readonly clock: Clock;
  /** Receives the path of the copy that an upgrade makes of SQLite. */
  readonly onCopy: (path: string) => void;
  readonly onProgress: OnTransfer;
}

export interface Migration {
  /** The databases, by names that contain no secret. */
  readonly from: string;
  readonly to: string;
  /** Undefined if an earlier call had copied everything. */
  readonly copied: Copied | undefined;
  /** For how long no server could use the installation; of a rehearsal, how long it would be. */
  readonly ms: number;
}

interface Copied {
  readonly tables: readonly TableSum[];
  readonly blobs: {
    /** Number of files of sites. */
    readonly count: number;
    /** Whether they were copied to another place. */
    readonly copied: boolean;
    /** Names of those that are missing or damaged. */
    readonly missing: readonly string[];
  };
}

interface Place extends DatabasePlace {
  readonly settings: InstallationSettings;
}

interface Places {
  readonly from: Place;
  readonly to: Place;
  /** Where the site files are, if that changes. */
  readonly blobs: BlobPlace | undefined;
}

/**
 * Moves an installation to the other database. Copies all rows and compares them; the source is marked as moved last. A
 * crash leaves the source in use, or a complete copy that the next call puts to use, never both. Rejects with a `Failure`.
 */
export async function migrateInstallation(options: MigrationOptions): Promise<Migration> {
  const { directory, clock } = options;
  const places = placesOf(options);
  const sides = { from: fullName(places.from), to: fullName(places.to) };
  const startedAt = clock.now();
  if (await isCompleted(places, options)) {
    return { ...sides, copied: undefined, ms: clock.now() - startedAt };
  }
  await using open = new AsyncDisposableStack();
  const opened = await openInstallation({ ...options, ...places.from, create: false });
  if (!("storage" in opened)) throw inUse(directory.path);
  open.defer(() => opened.close());
  if (!opened.storage.alone) throw inUse(sides.from);
  // A killed server may not have saved the last ones.
  await opened.storage.counters?.save();
  const target = await emptyTarget(places);
  open.defer(() => target.sql.close());
  const source = await lockedSnapshotOf(places.from);
  open.defer(async () => source.close());

  const id = randomUUID();
  let copied: Copied;
  try {
    copied = await copyAll(source, target, places, options);
    const history = opened.storage.backups ?? historyInFile(directory);
    await takeOver(
      history,
      isPostgres(places.to) ? historyInSql(target.sql) : historyInFile(directory),
    );
    await syncDirectory(directory.path);
    const mark = { kind: "copied", id, place: sides.from } as const;
    await markDatabase(target.sql, mark, clock.now());
  } catch (error) {
    await target.remove();
    throw databaseFailure(error, places.to);
  }
  try {
    // Until its answer arrives, either database may be the one in use.
    const mark = { kind: "moved", id, place: sides.to } as const;
    const isRetired = await source.retire(mark, clock.now());
    if (isRetired) await markDatabase(target.sql, undefined, clock.now());
    else await target.remove();
    if (!isRetired) throw inUse(sides.from);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      "tryLater",
      `All rows are copied to ${sides.to}, but the last step failed. Run the command again: it completes the move. (${databaseFailure(error, places.to).message})`,
      { cause: error },
    );
  }
  return { ...sides, copied, ms: clock.now() - startedAt };
}

/** Copies and compares everything as `migrateInstallation` does, and removes the copy. Servers may use the installation. */
export async function rehearseMigration(options: MigrationOptions): Promise<Migration> {
  const { directory, clock, version } = options;
  const places = placesOf(options);
  await using open = new AsyncDisposableStack();
  const opened = await openInstallation({ ...options, ...places.from, create: false });
  if ("storage" in opened) open.defer(() => opened.close());
  else {
    const kept = await keepBlobs(directory.socket, version);
    if (kept === undefined) throw inUse(directory.path);
    open.defer(() => kept.release());
  }
  const startedAt = clock.now();
  const target =
    options.to === "postgres" ? await emptyTarget(places) : await scratchTarget(places.to);
  try {
    const claimed = await claim(places.from, { alone: false });
    open.defer(async () => claimed?.release());
    const source = await snapshotOf(places.from);
    open.defer(async () => source.close());
    const copied = await copyAll(source, target, places, options);
    const ms = clock.now() - startedAt;
    return { from: fullName(places.from), to: fullName(places.to), copied, ms };
  } catch (error) {
    throw databaseFailure(error, target.place);
  } finally {
    await target.remove();
    await target.sql.close();
  }
}

/** Copies the outcome of the backups so far, which SQLite has in a file. */
async function takeOver(from: BackupHistory, to: BackupHistory): Promise<void> {
  const [state, earlier] = [await from.read(), await to.read()];
  if (!Bun.deepEquals(state, earlier)) await to.write(state);
}

function placesOf({ to, directory, settings }: MigrationOptions): Places {
  if (settings.databaseUrl === undefined) {
    throw new Failure(
      "configuration",
      "Set database-url to the address of the PostgreSQL database, also before the move: PETSTORE_DATABASE_URL, PETSTORE_DATABASE_URL_FILE, or database-url in the configuration file.",
    );
  }
  const embedded = { ...settings, databaseUrl: undefined };
  const [mine, theirs] = to === "postgres" ? [embedded, settings] : [settings, embedded];
  const blobs = blobPlaceOf(mine, directory);
  return {
    from: { settings: mine, directory },
    to: { settings: theirs, directory },
    blobs: blobs.path === blobPlaceOf(theirs, directory).path ? undefined : blobs,
  };
}

/** Names a database, also on other machines. */
function fullName(place: DatabasePlace): string {
  const name = nameOf(place);
  return isPostgres(place) ? name : `${name} on ${hostname()}`;
}

function isPostgres({ settings }: DatabasePlace): boolean {
  return settings.databaseUrl !== undefined;
}

function inUse(name: string): Failure {
  return new Failure(
    "tryLater",
    `${name} is in use by a server or another command. Stop it, then run this again. To measure how long the move takes, add --check: that does not need a stop.`,
  );
}

/** Completes a move whose source is marked as moved. Returns false if it is not marked. */
async function isCompleted(
  { from, to }: Places,
  { directory, clock }: MigrationOptions,
): Promise<boolean> {
  const lock = await lockDirectory({ ...from, create: false, clock });
  if (!("release" in lock)) throw inUse(directory.path);
  try {
    const left = await findDatabase(from).catch((error: unknown) => {
      throw databaseFailure(error, from);
    });
    if (typeof left !== "object" || left.kind !== "moved") return false;
    const found = await findDatabase(to);
    if (typeof found === "object" && found.kind === "copied" && found.id === left.id) {
      const sql = await openDatabase(to);
      try {
        await markDatabase(sql, undefined, clock.now());
      } finally {
        await sql.close();
      }
      return true;
    }
    if (found === "ours" && left.place === fullName(to)) return true;
    throw marked(left, from);
  } catch (error) {
    throw databaseFailure(error, to);
  } finally {
    lock.release();
  }
}

function marked(mark: Mark, place: DatabasePlace): Failure {
  const about = { name: nameOf(place), isPostgres: isPostgres(place) };
  return new Failure("configuration", faultOfMark(mark, about));
}

/** An empty database to copy to. */
interface Target {
  readonly place: Place;
  readonly sql: Sql;
  /** Removes the copy, which is not in use. */
  remove(): Promise<void>;
}

/** Opens the database to copy to, and removes an unfinished copy from it. Fails if it contains anything else. */
async function emptyTarget({ from, to }: Places): Promise<Target> {
  try {
    const found = await findDatabase(to);
    const isLeft =
      typeof found === "object" &&
      (found.kind === "unfinished" || (found.kind === "copied" && found.place === fullName(from)));
    return await (isPostgres(to) ? emptyPostgres : emptySqlite)(to, found, isLeft);
  } catch (error) {
    throw databaseFailure(error, to);
  }
}

async function emptyPostgres(place: Place, found: FoundDatabase, isLeft: boolean): Promise<Target> {
  if (!isLeft && typeof found === "object") throw marked(found, place);
  if (!isLeft && found !== "empty") throw notEmpty(nameOf(place), "Create a new database.");
  const sql = await openDatabase(place);
  const remove = async (): Promise<void> => {
    const mark = await findDatabase(place);
    if (typeof mark === "object" && mark.kind !== "moved") {
      await removeTables(sql, created, mark);
    }
  };
  try {
    if (sql.shared === true) throw inUse(nameOf(place));
    if (isLeft) await remove();
  } catch (error) {
    await sql.close();
    throw error;
  }
  // Without a connection the mark stays, and the next call removes the tables.
  return { place, sql, remove: () => remove().catch(() => undefined) };
}

async function emptySqlite(place: Place, found: FoundDatabase, isLeft: boolean): Promise<Target> {
  const { directory } = place;
  const { database } = directory;
  await prepare(directory, { create: true });
  if (isLeft) await removeFiles(database);
  else if (typeof found === "object" && found.kind === "moved") {
    // Opening it writes the rest of its log into it.
    await (await bunSqliteSql({ path: database, copyBeforeUpgrade: false })).close();
    await rename(database, `${database}.moved-${found.id}`);
  } else if (typeof found === "object") throw marked(found, place);
  else if (found !== "missing" && found !== "empty") {
    throw notEmpty(database, "Choose another directory with --data-dir.");
  }
  const sql = await bunSqliteSql({ path: database, copyBeforeUpgrade: false });
  return {
    place,
    sql,
    remove: async () => {
      await sql.close();
      await removeFiles(database);
    },
  };
}

function notEmpty(name: string, advice: string): Failure {
  return new Failure("configuration", `${name} is not empty. ${advice}`);
}

async function removeFiles(database: string): Promise<void> {
  for (const path of filesOf(database)) await rm(path, { force: true });
}

/** A database beside the installation, in a directory that is removed with it. */
async function scratchTarget({ settings, directory: { path } }: Place): Promise<Target> {
  const scratch = join(path, "migration.unfinished");
  await rm(scratch, { recursive: true, force: true });
  const place = { settings, directory: dataDirectory(scratch) };
  const { sql } = await emptySqlite(place, "missing", false);
  return {
    place,
    sql,
    remove: async () => {
      await sql.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Fills the empty database, and compares every row. */
async function copyAll(
  source: Snapshot,
  { sql, place }: Target,
  places: Places,
  { clock, onProgress }: MigrationOptions,
): Promise<Copied> {
  const at = clock.now();
  schemasIn(await source.versions(), "Move it with that one.");
  if (!(await beginImport(sql, at))) throw notEmpty(nameOf(place), "Another process writes to it.");
  const into = blobPlaceOf(place.settings, place.directory);
  await migrate(sql, [...schemas, ...blobSchemasOf(into, place)], at, true);
  const tables = await tablesOf(schemas, "move");
  await copyTables(source, sql, tables, onProgress);
  const copy = await snapshotOf(place);
  let compared: readonly TableSum[];
  try {
    compared = await compareTables(source, copy, tables, onProgress);
  } finally {
    await copy.close();
  }
  const names = await packed(source.blobs());
  await rememberBlobPlace(into, place, sql, true);
  const missing: string[] = [];
  if (places.blobs !== undefined) {
    const { directory } = places.from;
    await using open = new AsyncDisposableStack();
    const own = places.blobs.kind === "database" ? await openDatabase(places.from) : undefined;
    if (own !== undefined) open.defer(async () => own.close());
    const from = blobsAt(places.blobs, directory, own);
    missing.push(
      ...(await copyBlobs(names, from, blobsAt(into, place.directory, sql), onProgress)),
    );
  }
  const count = names.length / DIGEST_BYTES;
  return { tables: compared, blobs: { count, copied: places.blobs !== undefined, missing } };
}
