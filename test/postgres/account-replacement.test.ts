import { afterAll, beforeAll, expect, test } from "bun:test";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { continueReplacements } from "../../domains/actions/authority-accounts.ts";
import { accountWith } from "../../domains/pipeline/authority-account.ts";
import type { ReplacementContext } from "../../domains/pipeline/account-replacement.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { silentLog } from "../../lib/base/log.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../helpers/clock.ts";
import { fakeAuthority } from "../helpers/domains/fake-authority.ts";
import { openActions, START } from "../helpers/domains/actions-fixture.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

for (const [driver, connect] of Object.entries(drivers)) {
  test(`two nodes and ${driver} switch to a new account once, also after both restarted`, async () => {
    const url = await server.createDatabase();
    const clock = manualClock(START);
    const authority = await fakeAuthority(clock);
    const ca = authority.id;
    let entered: readonly string[] = [];
    const lock: ReplacementContext["lock"] = {
      recordFor: async (_ca, account) => account,
      permits: async (_ca, account) =>
        entered.includes(account)
          ? { kind: "allowed", byName: true, ttlSeconds: 3_600 }
          : { kind: "forbidden" },
    };
    const start = async () => {
      const sql = await postgresSql({ url, connect });
      const store = await sqlStore({ sql, clock });
      // Without an account of its own, the fixture has another CA.
      const given = await openActions({ sql, clock });
      const accounts = { ...given.context.accounts, authorities: [authority] as const, lock };
      const { context, domains } = await openActions({ sql, clock, accounts });
      const proceed = () => continueReplacements(context, silentLog);
      return { accounts, domains, proceed, close: () => store.close() };
    };

    const first = await start();
    const made = await accountWith(first.accounts, authority, new AbortController().signal);
    const before = made?.ok === true ? made.value.url : "";
    entered = [before];
    const replaced = await first.domains.replaceAccount();
    const after = replaced.ok ? (replaced.value.successor?.url ?? "") : "";
    expect([before, after]).toEqual(["https://ca.test/account/1", "https://ca.test/account/2"]);
    await first.close();

    const nodes = await Promise.all([start(), start()]);
    const both = () => Promise.all(nodes.map(({ proceed }) => proceed()));
    entered = [before, after];
    await both();
    clock.set(START + HOUR_MS - MINUTE_MS);
    await both();
    const kept = () => Promise.all(nodes.map(({ accounts }) => accounts.store.accounts.of(ca)));
    expect((await kept()).map((account) => account?.url)).toEqual([before, before]);
    clock.set(START + HOUR_MS);
    for (let round = 0; round < 3; round++) await both();
    expect((await kept()).map((account) => account?.url)).toEqual([after, after]);
    const { accounts } = nodes[0].accounts.store;
    expect((await accounts.replaced(ca)).map((account) => account.url)).toEqual([before]);
    expect(await accounts.successor(ca)).toBeUndefined();
    await Promise.all(nodes.map(({ close }) => close()));
  });
}
