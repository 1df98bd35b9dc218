import {
  aBoolean,
  aClock,
  aFunction,
  aText,
  checkOptions,
  optional,
} from "../../lib/base/options.ts";
import { closeSync, openSync } from "node:fs";
import { systemClock, type Clock } from "../../lib/base/clock.ts";
import type { LongStep } from "../../lib/base/long-step.ts";
import { type Sql, StoreUnavailable } from "../../lib/sql/sql.ts";
import { failureOf, sqliteSql, type SqliteDatabase } from "../../lib/sql/sqlite.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import { copyDatabase } from "./copy.ts";

/** Options of a store in an SQLite file. */
export interface SqliteStoreOptions {
  /** The database file. Created if absent, readable by its owner only. `:memory:` lasts as long as the process. */
  readonly path: string;
  /** Default: the system's. */
  readonly clock?: Clock;
  /**
   * Copies an existing database next to itself before an upgrade of its tables, and keeps the newest three copies. If the
   * copy fails, so does the upgrade, with `StoreUnavailable`. Default true; false if you make backups yourself.
   */
  readonly copyBeforeUpgrade?: boolean;
  /** Receives the path of the copy. Default: none. */
  readonly onCopy?: (path: string) => void;
  /**
   * False if you create and upgrade the tables yourself, with `migrations` of `petstore/migrations`: then opening a store rejects
   * with `MissingMigrations` while an upgrade is pending. Default true.
   */
  readonly migrate?: boolean;
}

/** Opens a store with a runtime's handle. Rejects with `StoreUnavailable`, `NewerSchema`. */
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

/** Opens the file for several stores. `longStep` is that of `sqliteSql`. Throws `StoreUnavailable`. */
export function openSqliteSql(
  options: SqliteStoreOptions,
  open: (path: string) => SqliteDatabase,
  longStep?: LongStep,
): Sql {
  checkOptions("The SQLite store", options, {
    path: aText,
    clock: optional(aClock),
    copyBeforeUpgrade: optional(aBoolean),
    onCopy: optional(aFunction),
    migrate: optional(aBoolean),
  });
  const { path, clock = systemClock, copyBeforeUpgrade = true, onCopy, migrate = true } = options;
  createPrivately(path);
  let database: SqliteDatabase;
  try {
    database = open(path);
  } catch (error) {
    throw failureOf(error);
  }
  try {
    const sql = sqliteSql({
      database,
      clock,
      defer: (callback) => void setImmediate(callback),
      longStep,
    });
    if (!migrate) return { ...sql, migrates: false };
    if (!copyBeforeUpgrade || path === ":memory:" || !hasTables(database)) return sql;
    let copied = false;
    return {
      ...sql,
      // Only once: components are upgraded one after another, and no program could open a copy made in between.
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

/** Returns false for a new database, which needs no copy. */
function hasTables(database: SqliteDatabase): boolean {
  const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1");
  try {
    return tables.all().length > 0;
  } finally {
    tables.finalize?.();
  }
}

/** Creates the file with a private mode: SQLite would apply the umask, and its companion files copy the mode. */
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
