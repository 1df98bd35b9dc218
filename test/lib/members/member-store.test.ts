import { expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { sqlTokenStore } from "../../../lib/accounts/storage/sql-token-store.ts";
import { sqlMemberStore } from "../../../lib/members/storage/sql-member-store.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { memberStoreContract } from "../../../testing/index.ts";
import { describeContract } from "../../contract/run.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeContract(
    `${handle} as a member store`,
    memberStoreContract(async () => {
      const clock = manualClock(0);
      const sql = sqliteSql({ database: open(":memory:") });
      const store = await sqlStore({ sql, clock });
      const tokens = await sqlTokenStore({ sql, clock });
      const members = await sqlMemberStore({ sql, clock });
      return { store, tokens, members, close: () => store.close() };
    }),
  );
}

test("a member store reads what an earlier one wrote", async () => {
  const clock = manualClock(0);
  const sql = sqliteSql({ database: sqliteHandles["bun:sqlite"]!(":memory:") });
  await sqlStore({ sql, clock });
  await sqlTokenStore({ sql, clock });
  const member = {
    id: "a",
    email: "a@example.org",
    name: "Ada",
    role: "operator",
    password: "hash of a",
    createdAt: 5,
  } as const;
  const earlier = await sqlMemberStore({ sql, clock });
  await earlier.commit([{ kind: "member.create", member, max: 1, at: 0 }], system);
  const later = await sqlMemberStore({ sql, clock });
  expect(await later.byId("a")).toEqual({ ...member, passkeys: 0 });
  await sql.close();
});
