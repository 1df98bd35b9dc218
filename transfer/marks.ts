import { sqliteDialect } from "../lib/sql/sqlite.ts";
import { findVersionsTable } from "../lib/sql/versions-table.ts";

export {
  beginImport,
  markDatabase,
  markIn,
  marking,
  opens,
  removeTables,
  versionsTableIn,
  type Mark,
} from "../lib/sql/migrate.ts";
export { readVersions } from "../lib/sql/versions-table.ts";

/** Finds the `name` of the table with the versions in a SQLite file. It has no row if the file has no tables of ours. */
export const FIND_VERSIONS_IN_FILE: string = findVersionsTable(sqliteDialect);
