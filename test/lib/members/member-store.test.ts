import { expect, test } from "bun:test";

import { sqlTokenStore } from "../../../lib/management/storage/sql-token-store.ts";
import { sqlMemberStore } from "../../../lib/members/storage/sql-member-store.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { sqliteSql } from "../../../lib/storage/sqlite.ts";
import { aMember, describeMemberStore } from "../../contract/member-store.ts";
import { manualClock } from "../../helpers/clock.ts";
import { sqliteHandles } from "../../helpers/sqlite.ts";

for (const [handle, open] of Object.entries(sqliteHandles)) {
  describeMemberStore(handle, async () => {
    const clock = manualClock(0);
    const sql = sqliteSql({ database: open(":memory:") });
    const store = await sqlStore({ sql, clock });
    const tokens = await sqlTokenStore({ sql, clock });
    return { store, tokens, members: await sqlMemberStore({ sql, clock }) };
  });
}

test("a member store finds again what an earlier one wrote", async () => {
  const clock = manualClock(0);
  const sql = sqliteSql({ database: sqliteHandles["bun:sqlite"]!(":memory:") });
  await sqlStore({ sql, clock });
  await sqlTokenStore({ sql, clock });
  const member = aMember("a");
  const earlier = await sqlMemberStore({ sql, clock });
  await earlier.commit([{ kind: "member.create", member, max: 1, at: 0 }]);
  const later = await sqlMemberStore({ sql, clock });
  expect(await later.byId("a")).toEqual({ ...member, passkeys: 0 });
  await sql.close();
});
