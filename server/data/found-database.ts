import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { FIND_VERSIONS_IN_FILE, markIn, readVersions, type Mark } from "../../transfer/marks.ts";
import { nearest } from "../../lib/base/nearest.ts";
import type { DataDirectory } from "./data-directory.ts";
import { Failure, codeOf } from "../../settings/failure.ts";
import { wasUsed } from "./lock.ts";

/** What exists at the path of the database. `empty` includes a database without tables. A mark says why it may not be used. */
export type FoundDatabase = "ours" | "missing" | "empty" | "foreign" | Mark;

/** Returns a SQLite database's files: its own, and those that SQLite keeps next to it. */
export function filesOf(database: string): readonly string[] {
  return ["", "-wal", "-shm", "-journal"].map((suffix) => `${database}${suffix}`);
}

/**
 * Checks the file of the database without changing it, except that an interrupted transaction is rolled back. Throws
 * SQLite's error if it is not a database.
 */
export function findFile({ database: path }: Pick<DataDirectory, "database">): FoundDatabase {
  const size = sizeOf(path);
  if (size === undefined) return "missing";
  // SQLite treats an empty file as a new database, and would delete its write-ahead log.
  if (size === 0) return "empty";
  try {
    return contentOf(new Database(path, { readonly: true }));
  } catch (error) {
    if (codeOf(error) !== "SQLITE_READONLY_ROLLBACK") throw error;
    // A process was killed before a new file had its write-ahead log. SQLite removes what it half wrote.
    return contentOf(new Database(path, { readwrite: true }));
  }
}

function contentOf(database: Database): FoundDatabase {
  try {
    using listed = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    const tables = listed.values();
    if (tables.length === 0) return "empty";
    using found = database.prepare(FIND_VERSIONS_IN_FILE);
    const [table] = found.values();
    if (table === undefined) return "foreign";
    using versions = database.prepare(readVersions(String(table[0])));
    return markIn(versions.values().map(([component]) => String(component))) ?? "ours";
  } finally {
    database.close();
  }
}

/** Returns the names of files, except the database, which prove that the directory contained an installation. */
export function tracesOf(
  directory: DataDirectory,
  { used }: { readonly used: boolean },
): readonly string[] {
  const { database, encryptionKey, caKey, blobs, lock, restoreScratch } = directory;
  const files = [encryptionKey, caKey, `${database}-wal`].filter((path) => (sizeOf(path) ?? 0) > 0);
  const copies = namesIn(directory.path).filter((name) =>
    name.startsWith(`${basename(database)}.before-upgrade.`),
  );
  const shelves = hasBlobs(directory) ? [blobs] : [];
  const locked = used ? [lock] : [];
  const restoring = existsSync(restoreScratch) ? [restoreScratch] : [];
  return [
    ...[...files, ...shelves, ...restoring, ...locked].map((path) => basename(path)),
    ...copies,
  ];
}

/** Returns whether the directory contains site files. */
export function hasBlobs({ blobs }: DataDirectory): boolean {
  return namesIn(blobs).some((name) => /^[\da-f]{2}$/.test(name));
}

/**
 * Explains why the directory may not be opened; undefined if it may. A missing database is not replaced by an empty one:
 * its accounts would be lost without a warning.
 */
export function faultOfDatabase(
  found: FoundDatabase,
  { path, traces }: { readonly path: string; readonly traces: readonly string[] },
): string | undefined {
  if (found === "ours") return undefined;
  if (typeof found === "object") return faultOfMark(found, { name: path, isPostgres: false });
  if (found === "foreign") {
    return `${join(path, "petstore.db")} belongs to another program: it has no Petstore tables. Choose another directory with --data-dir.`;
  }
  if (traces.length === 0) return undefined;
  const [first = "", ...more] = traces;
  const seen = more.length === 0 ? first : `${traces.slice(0, -1).join(", ")} and ${more.at(-1)}`;
  const what =
    found === "missing" ? "petstore.db is missing" : "petstore.db is empty (it has no tables)";
  return (
    `${what} in ${path}, but ${seen} ${more.length === 0 ? "shows" : "show"} that the directory contained an installation. ` +
    `Restore petstore.db from a backup, or check that the right volume is mounted. ` +
    `If the installation uses PostgreSQL, set database-url. ` +
    `To start over on purpose, move everything out of ${path} first. ` +
    `To choose the key of a new installation, set PETSTORE_ENCRYPTION_KEY_FILE.`
  );
}

/** Explains why a marked database, `name`, may not be opened. */
export function faultOfMark(
  mark: Mark,
  { name, isPostgres }: { readonly name: string; readonly isPostgres: boolean },
): string {
  switch (mark.kind) {
    case "unfinished": {
      const [also, again] = isPostgres ? [" or a restore", ", petstore restore"] : ["", ""];
      return `An import${also} into ${name} was interrupted, so it is incomplete. Run it again: petstore import --all DIRECTORY${again} or petstore migrate.`;
    }
    case "copied": {
      const command = isPostgres ? "sqlite-to-postgres" : "postgres-to-sqlite";
      return `The move from ${mark.place} to ${name} was interrupted before its end. Run it again: petstore migrate ${command}`;
    }
    case "moved": {
      const how = isPostgres
        ? "start with its data directory, without database-url"
        : "set database-url";
      return `The installation in ${name} was moved to ${mark.place}. To use it there, ${how}.`;
    }
  }
}

/** Returns whether a command that creates nothing can open the directory: it has a database, or traces of a missing one. */
export function mayExist(directory: DataDirectory): boolean {
  try {
    const used = wasUsed(directory.lock);
    return (sizeOf(directory.database) ?? 0) > 0 || tracesOf(directory, { used }).length > 0;
  } catch {
    // Not readable: opening it reports the reason.
    return true;
  }
}

/** Returns the failure of commands that need an installation. */
export function noInstallation(path: string): Failure {
  const meant = sibling(path);
  const hint =
    meant === undefined
      ? "Choose another directory with --data-dir, or run `petstore serve`, which creates an installation."
      : `Did you mean --data-dir ${meant}?`;
  const what =
    sizeOf(path) === undefined
      ? `The data directory ${path} does not exist.`
      : `${path} contains no installation: it has no petstore.db.`;
  return new Failure("configuration", `${what} ${hint}`);
}

/** Returns an installation in the same directory whose name is similar. */
function sibling(path: string): string | undefined {
  const parent = dirname(path);
  const installations = namesIn(parent).filter((name) =>
    existsSync(join(parent, name, "petstore.db")),
  );
  const meant = nearest(basename(path), installations);
  return meant === undefined ? undefined : join(parent, meant);
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    // Unreadable or missing: no evidence.
    if (codeOf(error) !== undefined) return [];
    throw error;
  }
}
