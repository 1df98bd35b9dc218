import { Database } from "bun:sqlite";
import type { Sql } from "../lib/sql/sql.ts";
import type { SqliteDatabase } from "../lib/sql/sqlite.ts";
import type { Store } from "../lib/storage/store.ts";
import { openSqliteSql, openSqliteStore, type SqliteStoreOptions } from "./sqlite-open.ts";

export type { SqliteStoreOptions } from "./sqlite-open.ts";

/** A store in a SQLite file, by `bun:sqlite`. */
export function bunSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openSqliteStore(options, openBunSqlite);
}

/** A SQLite file for several stores to share, by `bun:sqlite`; closed with the one of `sqlStore`. */
export async function bunSqliteSql(options: SqliteStoreOptions): Promise<Sql> {
  return openSqliteSql(options, openBunSqlite);
}

/** The handle alone. */
export function openBunSqlite(path: string): SqliteDatabase {
  return new Database(path);
}
export type { SqliteDatabase, SqliteStatement } from "../lib/sql/sqlite.ts";
