import { afterAll, beforeAll } from "bun:test";

import { postgresSql } from "../../adapters/postgres.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { domainStoreContract, leasesContract } from "../../domains/testing/index.ts";
import { sqlTokenStore } from "../../lib/accounts/storage/sql-token-store.ts";
import { sqlMemberStore } from "../../lib/members/storage/sql-member-store.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { memberStoreContract, sqlContract, tokenStoreContract } from "../../lib/testing/index.ts";
import { describeProjectStore } from "../contract/projects.ts";
import { describeContract } from "../contract/run.ts";
import { describeStore } from "../contract/store.ts";
import {
  type Databases,
  databasesOf,
  drivers,
  startPostgres,
  type TestPostgres,
} from "../helpers/postgres.ts";

let server: TestPostgres;
let empty: Databases;
let migrated: Databases;

beforeAll(async () => {
  server = await startPostgres();
  empty = databasesOf(server);
  migrated = databasesOf(server, async (sql) => {
    await sqlStore({ sql });
    await sqlTokenStore({ sql });
    await sqlMemberStore({ sql });
    await sqlProjectStore({ sql });
    await sqlDomainStore({ sql });
  });
});

afterAll(() => server[Symbol.asyncDispose]());

for (const [driver, connect] of Object.entries(drivers)) {
  const opened = (): Promise<Sql> => migrated.open(connect);

  describeContract(
    `PostgreSQL by ${driver} as SQL`,
    sqlContract(() => empty.open(connect)),
  );

  describeStore(`PostgreSQL by ${driver}`, async () => sqlStore({ sql: await opened() }));

  describeProjectStore(`PostgreSQL by ${driver}`, async () => {
    const sql = await opened();
    return { store: await sqlStore({ sql }), projectStore: await sqlProjectStore({ sql }) };
  });

  describeContract(
    `PostgreSQL by ${driver} as a token store`,
    tokenStoreContract(async () => {
      const sql = await opened();
      const store = await sqlStore({ sql });
      return { store, tokens: await sqlTokenStore({ sql }), close: () => store.close() };
    }),
  );

  describeContract(
    `PostgreSQL by ${driver} as a member store`,
    memberStoreContract(async () => {
      const sql = await opened();
      const store = await sqlStore({ sql });
      const tokens = await sqlTokenStore({ sql });
      const members = await sqlMemberStore({ sql });
      return { store, tokens, members, close: () => store.close() };
    }),
  );

  describeContract(
    `PostgreSQL by ${driver} as a domain store`,
    domainStoreContract(async (clock) => {
      const sql = await opened();
      const store = await sqlStore({ sql, clock });
      return {
        store,
        domains: await sqlDomainStore({ sql, clock }),
        leases: sqlLeases({ sql, clock }),
        close: () => store.close(),
      };
    }),
  );

  describeContract(
    `leases over two connections of ${driver}`,
    leasesContract(async (clock) => {
      const { url, giveBack } = await migrated.take();
      const open = (): Promise<Sql> => postgresSql({ url, connect, connections: 4 });
      const [here, there] = [await open(), await open()];
      return {
        processes: [sqlLeases({ sql: here, clock }), sqlLeases({ sql: there, clock })],
        close: async () => {
          await here.close();
          await there.close();
          await giveBack();
        },
      };
    }),
  );
}
