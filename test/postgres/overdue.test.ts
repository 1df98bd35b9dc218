import { afterAll, beforeAll, expect, test } from "bun:test";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { torture } from "../helpers/chance.ts";
import { START } from "../helpers/domains/rows.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

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
