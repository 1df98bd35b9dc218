export {
  beginImport,
  markDatabase,
  markIn,
  marking,
  removeTables,
  type Mark,
} from "../lib/sql/migrate.ts";
