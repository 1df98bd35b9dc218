import { afterAll, beforeAll } from "bun:test";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { torture } from "../helpers/chance.ts";
import { describeDrift } from "../helpers/domains/drift-life.ts";
import { openWorld } from "../helpers/domains/world.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => server[Symbol.asyncDispose]());

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
