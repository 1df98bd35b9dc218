import { memoryWebhookStore } from "../../../lib/webhooks/storage/memory-webhook-store.ts";
import { sqlWebhookStore } from "../../../lib/webhooks/storage/sql-webhook-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { webhookStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

describeContract(
  "memory as a webhook store",
  webhookStoreContract(() => {
    const store = memoryStore();
    return { store, webhooks: memoryWebhookStore({ store }) };
  }),
);

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as a webhook store`,
    webhookStoreContract(async () => {
      const clock = manualClock(0);
      const sql = sqliteSql({ database: open(":memory:") });
      const store = await sqlStore({ sql, clock });
      return { store, webhooks: await sqlWebhookStore({ sql, clock }), close: () => store.close() };
    }),
  );
}
