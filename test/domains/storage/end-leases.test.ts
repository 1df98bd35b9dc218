import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { sqlDomainStore } from "../../../domains/storage/sql-domain-store.ts";
import { endLeases, sqlLeases } from "../../../domains/storage/sql-leases.ts";
import { MINUTE_MS } from "../../../lib/base/clock.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { manualClock } from "../../helpers/clock.ts";

test("an ended lease can be acquired at once, with a higher fence", async () => {
  const clock = manualClock(1_795_000_000_000);
  const sql = await bunSqliteSql({ path: ":memory:", clock });
  const store = await sqlStore({ sql, clock });
  await sqlDomainStore({ sql, clock });
  const leases = sqlLeases({ sql, clock });
  const left = await leases.acquire("domain:pets.shelter.org", MINUTE_MS);
  expect(await leases.acquire("domain:pets.shelter.org", MINUTE_MS)).toBeUndefined();
  await endLeases(sql);
  const taken = await leases.acquire("domain:pets.shelter.org", MINUTE_MS);
  expect(taken?.fence).toBeGreaterThan(left?.fence ?? Infinity);
  await store.close();
});
