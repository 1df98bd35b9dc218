import { afterAll, beforeAll, expect, test } from "bun:test";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { continueReplacements } from "../../domains/actions/authority-accounts.ts";
import { accountWith } from "../../domains/pipeline/authority-account.ts";
import type { ReplacementContext } from "../../domains/pipeline/account-replacement.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { silentLog } from "../../lib/base/log.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { manualClock } from "../helpers/clock.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import { openActions } from "../helpers/domains/actions-fixture.ts";
import { describeDrift } from "../helpers/domains/drift-life.ts";
import { fakeAuthority } from "../helpers/domains/fake-authority.ts";
import { raceIssuers } from "../helpers/domains/issuer-race.ts";
import { START } from "../helpers/domains/rows.ts";
import { openWorld } from "../helpers/domains/world.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const ROUNDS = torture ? 200 : 6;

for (const [driver, connect] of Object.entries(drivers)) {
  test(`two nodes with ${driver} that prefer different CAs order a name once, ${ROUNDS} times (seed ${runSeed})`, async () => {
    const url = await server.createDatabase();
    const clock = manualClock(START);
    await using sql = await postgresSql({ url, connect, connections: 3 }).then(closing);
    await using other = await postgresSql({ url, connect, connections: 3 }).then(closing);
    const world = await openWorld(url, { clock, sql: sql.sql });
    const domains = await sqlDomainStore({ sql: other.sql, clock });
    const leases = sqlLeases({ sql: other.sql, clock });
    await raceIssuers(world, { domains, leases }, ROUNDS);
  }, 600_000);
}

type Sql = Awaited<ReturnType<typeof postgresSql>>;

function closing(sql: Sql): AsyncDisposable & { readonly sql: Sql } {
  return { sql, [Symbol.asyncDispose]: () => sql.close() };
}

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

const MANY = torture ? 100_000 : 10_000;

interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Plan[];
}

test("overdue certificates are counted from an index alone", async () => {
  const url = await server.createDatabase();
  const sql = await postgresSql({ url, connect: postgres });
  const store = await sqlStore({ sql });
  const domains = await sqlDomainStore({ sql });
  const client = postgres(url, { max: 1 });
  // Half of them are overdue; the facts are as long as those of a real domain.
  await client.unsafe(`INSERT INTO domains
      (id, name, project_id, account_id, held, served, due_at, safe_due_at, overdue_at, expires_at, facts, version)
    SELECT 'dom_' || i, 'pets' || i || '.test', 'prj_' || i, 'acc_' || i % 1000, 1, 1, ${START}, ${START},
      CASE WHEN i % 2 = 0 THEN ${START} - i ELSE ${START + DAY_MS} + i END, ${START} + i,
      '{"filler":"' || repeat(md5(i::text), 40) || '"}', 1
    FROM generate_series(1, ${2 * MANY}) AS i`);
  await client.unsafe("VACUUM ANALYZE domains");
  expect(await domains.domains.overdue(START + 10)).toEqual({
    overdue: MANY,
    expired: 5,
    firstExpiresAt: START + 2,
  });
  const [row] = await client.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    SELECT COUNT(*) AS overdue, MIN(expires_at) AS first, COUNT(CASE WHEN expires_at <= ${START} THEN 1 END) AS expired
    FROM domains WHERE overdue_at <= ${START + 10}`);
  // PostgreSQL documents the form of its plans.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const explained = row?.["QUERY PLAN"] as readonly { readonly Plan: Plan }[];
  const parts = (one: Plan): readonly Plan[] => [one, ...(one.Plans ?? []).flatMap(parts)];
  const nodes = explained.flatMap(({ Plan: plan }) => parts(plan));
  expect(nodes.map((one) => one["Index Name"] ?? "")).toContain("domains_by_overdue");
  expect(nodes.map((one) => one["Node Type"])).toContain("Index Only Scan");
  // The rows themselves are more than a page for each five certificates.
  const blocks = nodes.map((one) => one["Shared Hit Blocks"] + one["Shared Read Blocks"]);
  expect(Math.max(...blocks)).toBeLessThan(MANY / 50);
  await client.end();
  await store.close();
});

describeDrift(
  "PostgreSQL, two nodes",
  async (clock) => {
    const url = await server.createDatabase();
    const [sql, other] = await Promise.all(
      [1, 2].map(() => postgresSql({ url, connect: postgres, connections: 3 })),
    );
    if (sql === undefined || other === undefined) throw new Error("no connection");
    const world = await openWorld(url, { clock, sql });
    const store = await sqlStore({ sql: other, clock });
    const domains = await sqlDomainStore({ sql: other, clock });
    return {
      world,
      second: { domains, leases: sqlLeases({ sql: other, clock }) },
      close: async () => {
        await store.close();
        await world.close();
      },
    };
  },
  torture,
);
