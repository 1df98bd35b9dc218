import { Database } from "bun:sqlite";
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBunSqlite } from "../../adapters/sqlite/bun.ts";
import { openNodeSqlite } from "../../adapters/sqlite/node.ts";
import type { SqlValue } from "../../lib/sql/sql.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";

/** The supported SQLite handles. */
export const sqliteHandles: Readonly<Record<string, (path: string) => SqliteDatabase>> = {
  "bun:sqlite": openBunSqlite,
  "node:sqlite": openNodeSqlite,
};

/** Returns a function that names new files, in a directory that is removed after the tests of the file. */
export function scratch(): () => string {
  const directory = mkdtempSync(join(tmpdir(), "petstore-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let files = 0;
  return () => join(directory, `${++files}.db`);
}

/** Opens a database that a running program writes as well: a statement waits for the program's transactions. */
export function openLive(path: string): Database {
  const database = new Database(path);
  database.run("PRAGMA busy_timeout = 60000");
  return database;
}

/** Returns a handle that calls `before` with each statement before it runs; what `before` throws is the statement's fault. */
export function watched(
  database: SqliteDatabase,
  before: (statement: { readonly text: string; readonly values: readonly SqlValue[] }) => void,
): SqliteDatabase {
  return {
    exec: (text) => database.exec(text),
    close: () => database.close(),
    prepare: (text) => {
      const statement = database.prepare(text);
      return {
        finalize: () => statement.finalize?.(),
        all: (...values) => {
          before({ text, values });
          return statement.all(...values);
        },
      };
    },
  };
}
