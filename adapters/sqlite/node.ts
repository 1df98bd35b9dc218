import { DatabaseSync } from "node:sqlite";
import type { Sql } from "../../lib/sql/sql.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";
import type { Store } from "../../lib/storage/store.ts";
import { openSqliteSql, openSqliteStore, type SqliteStoreOptions } from "./open.ts";

export type { SqliteStoreOptions } from "./open.ts";

/**
 * Opens a store in a SQLite file with `node:sqlite` (Node 22.5 or newer). Rejects with a `TypeError` for invalid
 * options.
 */
export function nodeSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openSqliteStore(options, openNodeSqlite);
}

/**
 * Opens a SQLite file that several stores share, with `node:sqlite`. It closes with the store of `sqlStore`. Rejects
 * with a `TypeError` for invalid options.
 */
export async function nodeSqliteSql(options: SqliteStoreOptions): Promise<Sql> {
  return openSqliteSql(options, openNodeSqlite);
}

/** Opens the handle alone. */
export function openNodeSqlite(path: string): SqliteDatabase {
  // The columns are numbers, texts and nulls, because only those are ever stored.
  return new DatabaseSync(path) as unknown as SqliteDatabase;
}
