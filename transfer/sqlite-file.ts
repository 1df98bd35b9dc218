import { closeSync, openSync } from "node:fs";

import { openBunSqlite } from "../adapters/sqlite-bun.ts";
import { migrate, type Schema } from "../lib/sql/migrate.ts";
import { sqliteSql } from "../lib/sql/sqlite.ts";
import { compareTables, copyTables } from "./copy.ts";
import type { OnTransfer, Snapshot } from "./export.ts";
import { sqliteSnapshot } from "./sqlite-snapshot.ts";
import { tablesOf } from "./tables.ts";

/** A failed copy is made again from the start, so it need not survive a crash. */
const IN_HASTE = "PRAGMA synchronous = OFF";

/**
 * Copies the rows of a database whose tables have these schemas into a new SQLite file, and compares every one. The file is
 * what SQLite would have, had it been the database. Rejects with a `Failure` if they differ, or with `StoreUnavailable`.
 */
export async function copyToFile(
  from: Snapshot,
  path: string,
  schemas: readonly Schema[],
  /** Milliseconds since the Unix epoch. */
  at: number,
  onProgress: OnTransfer,
): Promise<void> {
  // SQLite keeps the mode of an existing file.
  closeSync(openSync(path, "wx", 0o600));
  const database = openBunSqlite(path);
  const defer = (callback: () => void): void => void setImmediate(callback);
  const sql = sqliteSql({ database, defer, journal: "MEMORY" });
  const tables = await tablesOf(schemas, "move");
  try {
    database.exec(IN_HASTE);
    await migrate(sql, schemas, at);
    await copyTables(from, sql, tables, onProgress);
  } finally {
    await sql.close();
  }
  const copy = sqliteSnapshot(path);
  try {
    await compareTables(from, copy, tables, onProgress);
  } finally {
    await copy.close();
  }
}
