import { afterAll, beforeAll, test } from "bun:test";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { manualClock } from "../helpers/clock.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import { raceIssuers } from "../helpers/domains/issuer-race.ts";
import { START } from "../helpers/domains/rows.ts";
import { openWorld } from "../helpers/domains/world.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => server[Symbol.asyncDispose]());

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
