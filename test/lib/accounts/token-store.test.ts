import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { sqlTokenStore } from "../../../lib/accounts/storage/sql-token-store.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { tokenStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as a token store`,
    tokenStoreContract(async () => {
      const clock = manualClock(0);
      const sql = sqliteSql({ database: open(":memory:") });
      const store = await sqlStore({ sql, clock });
      return { store, tokens: await sqlTokenStore({ sql, clock }), close: () => store.close() };
    }),
  );
}

test("a token store reads what an earlier one wrote", async () => {
  const clock = manualClock(0);
  const sql = sqliteSql({ database: sqliteHandles["bun:sqlite"]!(":memory:") });
  await sqlStore({ sql, clock });
  const link = { id: "a", hash: "hash", expiresAt: 10 };
  await (
    await sqlTokenStore({ sql, clock })
  ).commit([{ kind: "setup.offer", link, at: 0 }], system);
  expect(await (await sqlTokenStore({ sql, clock })).setupLink()).toEqual(link);
  await sql.close();
});
