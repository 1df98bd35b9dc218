import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import type { LoggedRequest, RequestPlace } from "../../../lib/requests/model.ts";
import { sqlRequestStore } from "../../../lib/requests/storage/sql-request-store.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";

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
