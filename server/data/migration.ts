import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import type { BlobPlace } from "../../backup/blobs.ts";
import type { OnProgress } from "../../backup/progress.ts";
import type { Clock } from "../../lib/index.ts";
import { Failure } from "../../settings/failure.ts";
import { BlobNames, copyBlobs, putting } from "../../transfer/blobs.ts";
import { copyRows } from "../../transfer/copy.ts";
import { markDatabase, type Mark } from "../../transfer/marks.ts";
import type { Snapshot, TableSum } from "../../transfer/snapshot.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { claim } from "../backup/postgres.ts";
import { historyInFile, historyInSql, type BackupHistory } from "../backup/state.ts";
import { blobPlaceOf, blobsAt } from "./blobs.ts";
import { schemas, schemasIn } from "./storage.ts";
import type { DataDirectory } from "./data-directory.ts";
import {
  databaseFailure,
  findDatabase,
  isPostgres,
  lockedSnapshotOf,
  nameOf,
  openDatabase,
  snapshotOf,
  type DatabasePlace,
} from "./database.ts";
import { fillTarget, moveTarget, scratchTarget, type Target } from "./empty-target.ts";
import { syncDirectory } from "./files.ts";
import { faultOfMark } from "./found-database.ts";
import { lockDirectory, openInstallation, type InstallationSettings } from "./installation.ts";
import { keepBlobs } from "../listeners/socket.ts";

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
  readonly onProgress: OnProgress;
}

export interface Migration {
  /** The databases, by names that contain no secret. */
  readonly from: string;
  readonly to: string;
  /** Undefined if an earlier call had copied everything. */
  readonly copied: Copied | undefined;
  /** The time during which no server could use the installation; for a rehearsal, how long it would be. */
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
  const target = await moveTarget(places.to, sides.from);
  open.defer(() => target.sql.close());
  const source = await lockedSnapshotOf(places.from);
  open.defer(async () => source.close());

  const id = randomUUID();
  let copied: Copied;
  try {
    const filling = fillingOf(places.to, clock, { kind: "copied", id, place: sides.from });
    copied = await fillTarget(target, places.to, filling, async () => {
      const all = await copyAll(source, target, places, options);
      await takeOver(
        opened.storage.backups ?? historyInFile(directory),
        isPostgres(places.to) ? historyInSql(target.sql) : historyInFile(directory),
      );
      await syncDirectory(directory.path);
      return all;
    });
  } catch (error) {
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
  const claimed = await claim(places.from, { alone: false });
  open.defer(async () => claimed?.release());
  const source = await snapshotOf(places.from);
  open.defer(async () => source.close());
  const { place: to, ...target } = isPostgres(places.to)
    ? { ...(await moveTarget(places.to, fullName(places.from))), place: places.to }
    : await scratchTarget(places.to);
  open.defer(() => target.sql.close());
  try {
    const copied = await fillTarget(target, to, fillingOf(to, clock, { kind: "unfinished" }), () =>
      copyAll(source, target, { ...places, to }, options),
    );
    const ms = clock.now() - startedAt;
    await target.remove();
    return { from: fullName(places.from), to: fullName(places.to), copied, ms };
  } catch (error) {
    throw databaseFailure(error, to);
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

/** Describes what the database at `place` becomes. */
function fillingOf(place: Place, clock: Clock, mark: Mark) {
  return { blobs: blobPlaceOf(place.settings, place.directory), at: clock.now(), mark };
}

/** Fills the empty database, and compares every row. */
async function copyAll(
  source: Snapshot,
  target: Target,
  { from, to, blobs: earlier }: Places,
  { clock, onProgress }: MigrationOptions,
): Promise<Copied> {
  const at = clock.now();
  const found = schemasIn(await source.versions(), "move it");
  const names = await BlobNames.of(source.blobs());
  const missing: string[] = [];
  if (earlier !== undefined) {
    await using open = new AsyncDisposableStack();
    const own = earlier.kind === "database" ? await openDatabase(from) : undefined;
    if (own !== undefined) open.defer(async () => own.close());
    const stored = blobsAt(earlier, from.directory, own);
    const into = blobsAt(blobPlaceOf(to.settings, to.directory), to.directory, target.sql);
    for await (const { sha256, bytes } of copyBlobs(names, stored, putting(into), onProgress)) {
      if (bytes === null) missing.push(sha256);
    }
  }
  const tables = await tablesOf(found, "move");
  const copying = { found, tables, schemas, at, onProgress };
  const compared = await copyRows(source, target, copying);
  return {
    tables: compared,
    blobs: { count: names.count, copied: earlier !== undefined, missing },
  };
}
