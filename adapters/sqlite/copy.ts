import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HOUR_MS, isoTime } from "../../lib/base/clock.ts";
import { type PlannedMigration, type SqlRow, StoreUnavailable } from "../../lib/sql/sql.ts";
import { failureOf, type SqliteDatabase, sqliteDialect } from "../../lib/sql/sqlite.ts";
import { findVersionsTable, readVersions } from "../../lib/sql/versions-table.ts";
import { fileFailure } from "../files/file-system.ts";

/** How many copies to keep next to a database. A new one replaces the oldest. */
const KEPT = 3;
const DRAFT = ".unfinished";

/**
 * Copies a database into a file next to it, `<path>.before-upgrade.<time>.<component>-<from>-to-<to>`, on disk before
 * this returns. Only its owner can read it; it never replaces another file. Returns its path, or undefined if another
 * process has just upgraded the database: that process made a copy, and this one would contain upgraded tables. Throws
 * `StoreUnavailable` and leaves no partial copy.
 */
export function copyDatabase(
  database: SqliteDatabase,
  {
    path,
    planned,
    at,
  }: {
    readonly path: string;
    readonly planned: readonly PlannedMigration[];
    /** Milliseconds since the Unix epoch. */
    readonly at: number;
  },
): string | undefined {
  const instant = isoTime(at).replaceAll(/[-:.]/g, "");
  const steps = planned.map(({ component, from, to }) => `${component}-${from}-to-${to}`);
  const copy = `${path}.before-upgrade.${[instant, ...steps].join(".")}`;
  const draft = copy + DRAFT;
  let reserved = false;
  try {
    // SQLite writes the copy into an existing empty file and keeps its mode.
    closeSync(openSync(draft, "wx", 0o600));
    // SQLite syncs it, as it syncs every commit of this connection.
    database.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    // Versions only grow: if they are still the planned ones, the copy has them too.
    if (!isAsPlanned(database, planned)) {
      rmSync(draft, { force: true });
      return undefined;
    }
    // Reserves the name, which another copy of the same millisecond may have.
    closeSync(openSync(copy, "wx", 0o600));
    reserved = true;
    renameSync(draft, copy);
    syncDirectory(dirname(copy));
  } catch (error) {
    rmSync(draft, { force: true });
    if (reserved) rmSync(copy, { force: true });
    throw failed(error, { path, planned, size: sizeOf(database) });
  }
  removeOlder(path, copy, at);
  return copy;
}

function failed(
  error: unknown,
  {
    path,
    planned,
    size,
  }: {
    readonly path: string;
    readonly planned: readonly PlannedMigration[];
    readonly size: number;
  },
): StoreUnavailable {
  const steps = planned.map(({ component, from, to }) => `${component} ${from} to ${to}`);
  const known = [failureOf(error), fileFailure(error, "The directory of the database")].find(
    (one) => one instanceof StoreUnavailable,
  );
  const reason = known?.message ?? String(error);
  return new StoreUnavailable(
    `${path} is copied before it is upgraded (${steps.join(", ")}), and the copy failed. ${reason} ` +
      `Nothing was changed. Free ${Math.ceil(size / 1_048_576)} MiB next to it, or make the directory writable.`,
    { cause: error },
  );
}

/** Returns true if each component still has the version that its upgrade starts from. */
function isAsPlanned(database: SqliteDatabase, planned: readonly PlannedMigration[]): boolean {
  const [table] = rowsOf(database, findVersionsTable(sqliteDialect));
  const rows = table === undefined ? [] : rowsOf(database, readVersions(String(table["name"])));
  const versions = new Map(rows.map((row) => [row["component"], Number(row["version"])]));
  return planned.every(({ component, from }) => (versions.get(component) ?? 0) === from);
}

/** Returns the size in bytes. */
function sizeOf(database: SqliteDatabase): number {
  const [row] = rowsOf(
    database,
    "SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size",
  );
  return Number(row?.["size"] ?? 0);
}

function rowsOf(database: SqliteDatabase, query: string): readonly SqlRow[] {
  const statement = database.prepare(query);
  try {
    return statement.all();
  } finally {
    statement.finalize?.();
  }
}

/** Removes partial copies. The caller knows that no process is copying the database. */
export function removePartialCopies(path: string): void {
  for (const file of copiesOf(path)) {
    // The name of a copy is reserved by an empty file first.
    const partial = isDraft(file) || statSync(file, { throwIfNoEntry: false })?.size === 0;
    if (partial) rmSync(file, { force: true });
  }
}

function copiesOf(path: string): readonly string[] {
  const directory = dirname(path);
  const prefix = `${basename(path)}.before-upgrade.`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(directory, name));
}

/** Removes old copies, and partial copies of crashed processes. */
function removeOlder(path: string, made: string, at: number): void {
  const beside = copiesOf(path);
  const [drafts, copies] = [beside.filter(isDraft), beside.filter((one) => !isDraft(one))];
  const older = copies
    .filter((copy) => copy !== made)
    .toSorted()
    .toReversed();
  const abandoned = drafts.filter((draft) => isOlder(draft, at - HOUR_MS));
  for (const file of [...older.slice(KEPT - 1), ...abandoned]) rmSync(file, { force: true });
}

/** SQLite keeps a journal next to the draft. */
function isDraft(path: string): boolean {
  return path.endsWith(DRAFT) || path.endsWith(`${DRAFT}-journal`);
}

function isOlder(path: string, than: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs < than;
}

function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
