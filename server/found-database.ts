import { Database } from "bun:sqlite";
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { nearest } from "../lib/base/nearest.ts";
import type { DataDirectory } from "./data-directory.ts";
import { FINGERPRINT } from "./encryption-key.ts";
import { Failure, codeOf } from "../settings/failure.ts";
import { wasUsed } from "./lock.ts";

/** What stands where the database should be. `empty` also means a database without any table. */
export type FoundDatabase = "ours" | "missing" | "empty" | "foreign";

/** Checks the database without changing it. Throws SQLite's error if the file is not a database. */
export function findDatabase({ database: path }: Pick<DataDirectory, "database">): FoundDatabase {
  const size = sizeOf(path);
  if (size === undefined) return "missing";
  // SQLite takes an empty file for a new database, and would delete the write-ahead log beside it.
  if (size === 0) return "empty";
  const database = new Database(path, { readonly: true });
  try {
    using listed = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
    const tables = listed.values();
    if (tables.length === 0) return "empty";
    return tables.some(([name]) => name === "schema_migrations") ? "ours" : "foreign";
  } finally {
    database.close();
  }
}

/** Returns the fingerprint of the key that the database was made with; undefined if it has none. Changes nothing. */
export function fingerprintIn(directory: DataDirectory): string | undefined {
  if (findDatabase(directory) !== "ours") return undefined;
  const database = new Database(directory.database, { readonly: true });
  try {
    // A database of the first start may have been cut off before this table.
    using tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'settings'");
    if (tables.values().length === 0) return undefined;
    using setting = database.prepare("SELECT value FROM settings WHERE name = ?");
    const [[known] = []] = setting.values(FINGERPRINT);
    return typeof known === "string" ? known : undefined;
  } finally {
    database.close();
  }
}

/** Names of files which prove that the directory has held an installation, the database aside. */
export function tracesOf(
  directory: DataDirectory,
  { used }: { readonly used: boolean },
): readonly string[] {
  const { database, encryptionKey, caKey, blobs, lock } = directory;
  const files = [encryptionKey, caKey, `${database}-wal`].filter((path) => (sizeOf(path) ?? 0) > 0);
  const copies = namesIn(directory.path).filter((name) =>
    name.startsWith(`${basename(database)}.before-upgrade.`),
  );
  const shelves = namesIn(blobs).some((name) => /^[\da-f]{2}$/.test(name)) ? [blobs] : [];
  const locked = used ? [lock] : [];
  return [...[...files, ...shelves, ...locked].map((path) => basename(path)), ...copies];
}

/**
 * Why the directory may not be opened; undefined when it may. A database that disappeared is not replaced by an empty
 * one: its accounts would be lost without a warning.
 */
export function faultOfDatabase(
  found: FoundDatabase,
  { path, traces }: { readonly path: string; readonly traces: readonly string[] },
): string | undefined {
  if (found === "ours") return undefined;
  if (found === "foreign") {
    return `${join(path, "petstore.db")} is a database of another program: it has tables, and none of them is ours. Name another directory with --data-dir.`;
  }
  if (traces.length === 0) return undefined;
  const [first = "", ...more] = traces;
  const seen = more.length === 0 ? first : `${traces.slice(0, -1).join(", ")} and ${more.at(-1)}`;
  const what =
    found === "missing" ? "petstore.db is missing" : "petstore.db is empty (it holds no tables)";
  return (
    `${what} in ${path}, but ${seen} ${more.length === 0 ? "shows" : "show"} that the directory has held an installation. ` +
    `Put petstore.db back from a backup, or check that the right volume is mounted. ` +
    `To start over on purpose, move everything out of ${path} first. ` +
    `To give a new installation a key of your choice, set PETSTORE_ENCRYPTION_KEY_FILE.`
  );
}

/** Whether a command that makes nothing has anything to open: a database, or traces of one that disappeared. */
export function mayExist(directory: DataDirectory): boolean {
  try {
    const used = wasUsed(directory.lock);
    return (sizeOf(directory.database) ?? 0) > 0 || tracesOf(directory, { used }).length > 0;
  } catch {
    // We may not read it: opening it reports that.
    return true;
  }
}

/** For commands that need an installation and find none; nothing was made. */
export function noInstallation(path: string): Failure {
  const meant = sibling(path);
  const hint =
    meant === undefined
      ? "Name another directory with --data-dir, or start `petstore serve`, which makes an installation."
      : `Did you mean --data-dir ${meant}?`;
  const what =
    sizeOf(path) === undefined
      ? `There is no data directory ${path}.`
      : `There is no installation in ${path}: it has no petstore.db.`;
  return new Failure("configuration", `${what} ${hint}`);
}

/** An installation beside `path` whose name is much like it. */
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
    // Unreadable or absent: it proves nothing.
    if (codeOf(error) !== undefined) return [];
    throw error;
  }
}
