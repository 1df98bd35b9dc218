import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { describeImports } from "../../helpers/imports.ts";

describeImports("SQLite", () => bunSqliteSql({ path: ":memory:" }));
