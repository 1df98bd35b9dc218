import { DatabaseSync } from "node:sqlite";
import type { Sql } from "../lib/sql/sql.ts";
import type { SqliteDatabase } from "../lib/sql/sqlite.ts";
import type { Store } from "../lib/storage/store.ts";
import { openSqliteSql, openSqliteStore, type SqliteStoreOptions } from "./sqlite-open.ts";

export type { SqliteStoreOptions } from "./sqlite-open.ts";

/** A store in a SQLite file, by `node:sqlite` (Node 22.5 and up). */
export function nodeSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openSqliteStore(options, openNodeSqlite);
}

/** A SQLite file for several stores to share, by `node:sqlite`; closed with the one of `sqlStore`. */
export async function nodeSqliteSql(options: SqliteStoreOptions): Promise<Sql> {
  return openSqliteSql(options, openNodeSqlite);
}

/** The handle alone. */
export function openNodeSqlite(path: string): SqliteDatabase {
  // Its columns are numbers, texts and nulls, for that is all that is ever stored.
  return new DatabaseSync(path) as unknown as SqliteDatabase;
}
