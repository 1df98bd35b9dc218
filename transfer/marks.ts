export {
  beginImport,
  markDatabase,
  markIn,
  marking,
  opens,
  removeTables,
  type Mark,
} from "../lib/sql/migrate.ts";
