import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBunSqlite } from "../../adapters/sqlite-bun.ts";
import { openNodeSqlite } from "../../adapters/sqlite-node.ts";
import type { SqliteDatabase } from "../../lib/sql/sqlite.ts";

/** The supported SQLite handles. */
export const sqliteHandles: Readonly<Record<string, (path: string) => SqliteDatabase>> = {
  "bun:sqlite": openBunSqlite,
  "node:sqlite": openNodeSqlite,
};

/** Creates a directory for the tests of one file; `remove` deletes it. */
export function scratch(): { readonly file: () => string; readonly remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), "petstore-"));
  let files = 0;
  return {
    file: () => join(directory, `${++files}.db`),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
