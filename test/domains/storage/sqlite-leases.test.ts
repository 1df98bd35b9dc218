import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { leasesContract } from "../../../testing/domains/index.ts";
import { describeContract } from "../../contract/run.ts";
import { scratch, sqliteHandles } from "../../helpers/sqlite.ts";

const file = scratch();

for (const [handle, openHandle] of Object.entries(sqliteHandles)) {
  describeContract(
    `leases over two connections of ${handle}`,
    leasesContract(async (clock) => {
      const path = file();
      const open = async () => {
        const sql = sqliteSql({
          database: openHandle(path),
          defer: (callback) => setImmediate(callback),
        });
        await sqlDomainStore({ sql, clock });
        return sql;
      };
      const [here, there] = [await open(), await open()];
      return {
        processes: [sqlLeases({ sql: here, clock }), sqlLeases({ sql: there, clock })],
        close: async () => {
          await here.close();
          await there.close();
        },
      };
    }),
  );
}
