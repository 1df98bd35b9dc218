import { memoryAuditStore } from "../../../lib/audit/storage/memory-audit-store.ts";
import { sqlAuditStore } from "../../../lib/audit/storage/sql-audit-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { auditStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as an audit store`,
    auditStoreContract(async () => {
      const sql = sqliteSql({ database: open(":memory:") });
      return { audit: await sqlAuditStore({ sql }), close: () => sql.close() };
    }),
  );
}

describeContract(
  "memory as an audit store",
  auditStoreContract(() => ({ audit: memoryAuditStore() })),
);
