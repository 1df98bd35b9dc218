import { aBoolean, aClock, aFunction, aText, checkOptions, optional } from "../lib/base/options.ts";
import { closeSync, openSync } from "node:fs";
import { systemClock, type Clock } from "../lib/base/clock.ts";
import { type Sql, StoreUnavailable } from "../lib/sql/sql.ts";
import { failureOf, sqliteSql, type SqliteDatabase } from "../lib/sql/sqlite.ts";
import { sqlStore } from "../lib/storage/sql-store.ts";
import type { Store } from "../lib/storage/store.ts";
import { copyDatabase } from "./sqlite-copy.ts";

export interface SqliteStoreOptions {
  /** The database file; made, readable by its owner alone, when absent. `:memory:` is gone with the process. */
  readonly path: string;
  readonly clock?: Clock;
  /**
   * Copies an existing database beside itself before its tables are upgraded; the newest three copies stay. When that
   * fails, the upgrade is refused with `StoreUnavailable`. Default true; false for those who have copies of their own.
   */
  readonly copyBeforeUpgrade?: boolean;
  /** Called with the path of such a copy. */
  readonly onCopy?: (path: string) => void;
}

/** A store in the file, by the handle that a runtime opens. Rejects with `StoreUnavailable`, `NewerSchema`. */
export async function openSqliteStore(
  options: SqliteStoreOptions,
  open: (path: string) => SqliteDatabase,
): Promise<Store> {
  const sql = openSqliteSql(options, open);
  const { clock = systemClock } = options;
  try {
    return await sqlStore({ sql, clock });
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** The file for several stores to share. Throws `StoreUnavailable`. */
export function openSqliteSql(
  options: SqliteStoreOptions,
  open: (path: string) => SqliteDatabase,
): Sql {
  checkOptions("The SQLite store", options, {
    path: aText,
    clock: optional(aClock),
    copyBeforeUpgrade: optional(aBoolean),
    onCopy: optional(aFunction),
  });
  const { path, clock = systemClock, copyBeforeUpgrade = true, onCopy } = options;
  createPrivately(path);
  let database: SqliteDatabase;
  try {
    database = open(path);
  } catch (error) {
    throw failureOf(error);
  }
  try {
    const sql = sqliteSql({ database, clock, defer: (callback) => void setImmediate(callback) });
    if (!copyBeforeUpgrade || path === ":memory:" || !hasTables(database)) return sql;
    let copied = false;
    return {
      ...sql,
      // Once: components may be upgraded one after another, and no program could open a copy made in between.
      beforeMigration: async (planned) => {
        if (copied) return;
        const copy = copyDatabase(database, { path, planned, at: clock.now() });
        if (copy === undefined) return;
        copied = true;
        onCopy?.(copy);
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** False for a database that was just made: there is nothing to copy. */
function hasTables(database: SqliteDatabase): boolean {
  const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1");
  try {
    return tables.all().length > 0;
  } finally {
    tables.finalize?.();
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
