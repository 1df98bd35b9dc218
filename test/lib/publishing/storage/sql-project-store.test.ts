import { sqlProjectStore } from "../../../../lib/publishing/storage/sql-project-store.ts";
import { sqliteSql } from "../../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../../lib/storage/sql-store.ts";
import { describeProjectStore } from "../../../contract/projects.ts";
import { scratch, sqliteHandles } from "../../../helpers/sqlite.ts";

const file = scratch();

for (const [name, open] of Object.entries(sqliteHandles)) {
  describeProjectStore(name, async () => {
    const sql = sqliteSql({ database: open(file()) });
    return { store: await sqlStore({ sql }), projectStore: await sqlProjectStore({ sql }) };
  });
}
