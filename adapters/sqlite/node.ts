import process from "node:process";
import type { Sql } from "../../lib/sql/sql.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";
import type { Store } from "../../lib/storage/store.ts";
import { openSqliteSql, openSqliteStore, type SqliteStoreOptions } from "./open.ts";

export type { SqliteStoreOptions } from "./open.ts";

/**
 * Opens a store in a SQLite file with `node:sqlite` (Node 22.13 or newer). Rejects with a `TypeError` for invalid
 * options, and with an `Error` if the runtime has no `node:sqlite`.
 */
export async function nodeSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return openSqliteStore(options, opener());
}

/**
 * Opens a SQLite file that several stores share, with `node:sqlite`. It closes with the store of `sqlStore`. Rejects
 * with a `TypeError` for invalid options, and with an `Error` if the runtime has no `node:sqlite`.
 */
export async function nodeSqliteSql(options: SqliteStoreOptions): Promise<Sql> {
  return openSqliteSql(options, opener());
}

/** Opens the handle alone. */
export function openNodeSqlite(path: string): SqliteDatabase {
  return opener()(path);
}

/** Looks for the module when a file is opened: an import would fail on Node 20 before anything could say why. */
function opener(): (path: string) => SqliteDatabase {
  const found = process.getBuiltinModule("node:sqlite");
  if (found === undefined) {
    throw new Error(
      `petstore/stores/node-sqlite needs node:sqlite, which Node has from 22.13 on. This is ${process.version}. ` +
        "Update Node, or use petstore/stores/postgres.",
    );
  }
  // The columns are numbers, texts and nulls, because only those are ever stored.
  return (path) => new found.DatabaseSync(path) as unknown as SqliteDatabase;
}
