import { closeSync, openSync } from "node:fs";

import { openBunSqlite } from "../adapters/sqlite/bun.ts";
import { sqliteSql } from "../lib/sql/sqlite.ts";
import { createVersionsTable } from "../lib/sql/versions-table.ts";
import { copyRows, type CopyOptions } from "./copy.ts";
import type { Snapshot } from "./snapshot.ts";
import { sqliteSnapshot } from "./sqlite-snapshot.ts";

/** A failed copy is made again from the start, so it need not survive a crash. */
const IN_HASTE = "PRAGMA synchronous = OFF";

/**
 * Copies the rows of a database into a new SQLite file, and compares every one. The file is what SQLite would have, had it been
 * the database. Rejects with a `Failure` if they differ, or with `StoreUnavailable`.
 */
export async function copyToFile(
  from: Snapshot,
  path: string,
  options: CopyOptions,
): Promise<void> {
  // SQLite keeps the mode of an existing file.
  closeSync(openSync(path, "wx", 0o600));
  const database = openBunSqlite(path);
  const defer = (callback: () => void): void => void setImmediate(callback);
  const sql = sqliteSql({ database, defer, journal: "MEMORY" });
  try {
    database.exec(IN_HASTE);
    // An older program, which knows only the earlier name, can still restore it.
    database.exec(createVersionsTable(from.versionsTable));
    await copyRows(from, { sql, read: () => sqliteSnapshot(path) }, options);
  } finally {
    await sql.close();
  }
}
