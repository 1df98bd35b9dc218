import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import type { LoggedRequest, RequestPlace } from "../../../lib/requests/model.ts";
import { memoryRequestStore } from "../../../lib/requests/storage/memory-request-store.ts";
import { sqlRequestStore } from "../../../lib/requests/storage/sql-request-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { requestStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as a request store`,
    requestStoreContract(async () => {
      const clock = manualClock(0);
      const sql = sqliteSql({ database: open(":memory:") });
      const store = await sqlStore({ sql, clock });
      const requests = await sqlRequestStore({ sql, clock });
      return { store, requests, close: () => store.close() };
    }),
  );
}

describeContract(
  "memory as a request store",
  requestStoreContract(() => {
    const store = memoryStore();
    return { store, requests: memoryRequestStore({ store }), close: () => store.close() };
  }),
);

test("a page reads a bounded number of rows, and says where the list continues", async () => {
  const sql = await bunSqliteSql({ path: ":memory:" });
  const store = await sqlStore({ sql });
  const requests = await sqlRequestStore({ sql });
  const rows = Array.from({ length: 12_000 }, (_, at): LoggedRequest => {
    const rowId = String(at).padStart(10, "0");
    return {
      ...{ accountId: "acc_one", at, rowId, requestId: `request-${at}`, environment: "staging" },
      ...{ method: "GET", operation: "listPets", path: "/pets", query: "", durationMs: 1 },
      ...{ status: at === 3 ? 500 : 200, cost: 1, windows: [], represents: 1 },
    };
  });
  await requests.add({ rows, days: [] });
  const pages: number[] = [];
  const found: string[] = [];
  let after: RequestPlace | undefined;
  do {
    const page = await requests.list("acc_one", { statusFrom: 500 }, { limit: 50, after });
    pages.push(page.rows.length);
    found.push(...page.rows.map(({ requestId }) => requestId));
    after = page.rest;
  } while (after !== undefined);
  expect(pages).toEqual([0, 0, 1]);
  expect(found).toEqual(["request-3"]);
  await store.close();
});
