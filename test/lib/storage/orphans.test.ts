import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { describeOrphans } from "../../helpers/orphans.ts";

describeOrphans("SQLite", () => bunSqliteSql({ path: ":memory:" }));
