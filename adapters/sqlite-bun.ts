import { Database } from "bun:sqlite";
import type { SqliteDatabase } from "../lib/storage/sqlite.ts";
import type { Store } from "../lib/storage/store.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite-open.ts";

export type { SqliteStoreOptions } from "./sqlite-open.ts";

/** A store in a SQLite file, by `bun:sqlite`. */
export function bunSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openSqliteStore(options, openBunSqlite);
}

/** The handle alone. */
export function openBunSqlite(path: string): SqliteDatabase {
  return new Database(path);
}
