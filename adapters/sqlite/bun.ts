import { Database } from "bun:sqlite";
import type { Sql } from "../../lib/sql/sql.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";
import type { Store } from "../../lib/storage/store.ts";
import { openSqliteSql, openSqliteStore, type SqliteStoreOptions } from "./open.ts";

export type { SqliteStoreOptions } from "./open.ts";

/** Opens a store in a SQLite file with `bun:sqlite`. Rejects with a `TypeError` for invalid options. */
export function bunSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openSqliteStore(options, openBunSqlite);
}

/**
 * Opens a SQLite file that several stores share, with `bun:sqlite`. It closes with the store of `sqlStore`. Rejects
 * with a `TypeError` for invalid options.
 */
export async function bunSqliteSql(options: SqliteStoreOptions): Promise<Sql> {
  return openSqliteSql(options, openBunSqlite);
}

/** Opens the handle alone. */
export function openBunSqlite(path: string): SqliteDatabase {
  return new Database(path);
}
export type { SqliteDatabase, SqliteStatement } from "../../lib/sql/sqlite.ts";
