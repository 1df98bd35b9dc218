import { memoryEnquiryStore } from "../../../lib/enquiries/storage/memory-enquiry-store.ts";
import { sqlEnquiryStore } from "../../../lib/enquiries/storage/sql-enquiry-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { enquiryStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as an enquiry store`,
    enquiryStoreContract(async () => {
      const clock = manualClock(0);
      const sql = sqliteSql({ database: open(":memory:") });
      const store = await sqlStore({ sql, clock });
      const enquiries = await sqlEnquiryStore({ sql, clock });
      return { store, enquiries, close: () => store.close() };
    }),
  );
}

describeContract(
  "memory as an enquiry store",
  enquiryStoreContract(() => {
    const store = memoryStore();
    return { store, enquiries: memoryEnquiryStore({ store }), close: () => store.close() };
  }),
);
