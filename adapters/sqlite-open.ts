import { closeSync, openSync } from "node:fs";
import { systemClock, type Clock } from "../lib/base/clock.ts";
import { failureOf } from "../lib/storage/sqlite-failure.ts";
import type { Sql } from "../lib/storage/sql.ts";
import { sqliteSql, type SqliteDatabase } from "../lib/storage/sqlite.ts";
import { sqlStore } from "../lib/storage/sql-store.ts";
import { StoreUnavailable, type Store } from "../lib/storage/store.ts";

export interface SqliteStoreOptions {
  /** The database file; made, readable by its owner alone, when absent. `:memory:` is gone with the process. */
  readonly path: string;
  readonly clock?: Clock;
}

/** A store in the file, by the handle that a runtime opens. Rejects with `StoreUnavailable`, `NewerSchema`. */
export async function openSqliteStore(
  { path, clock = systemClock }: SqliteStoreOptions,
  open: (path: string) => SqliteDatabase,
): Promise<Store> {
  const sql = openSqliteSql({ path, clock }, open);
  try {
    return await sqlStore({ sql, clock });
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** The file for several stores to share. Throws `StoreUnavailable`. */
export function openSqliteSql(
  { path, clock = systemClock }: SqliteStoreOptions,
  open: (path: string) => SqliteDatabase,
): Sql {
  createPrivately(path);
  let database: SqliteDatabase;
  try {
    database = open(path);
  } catch (error) {
    throw failureOf(error);
  }
  try {
    return sqliteSql({ database, clock, defer: (callback) => void setImmediate(callback) });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite would leave the mode to the umask; its companion files take the mode of this one. */
function createPrivately(path: string): void {
  if (path === ":memory:") return;
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new StoreUnavailable(`The database file ${path} cannot be opened for writing.`, {
      cause: error,
    });
  }
}
