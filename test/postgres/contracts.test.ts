import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { blobSchema, postgresBlobs } from "../../adapters/postgres/blobs.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlLeases } from "../../domains/storage/sql-leases.ts";
import { leasesContract } from "../../testing/domains/index.ts";
import type { Clock } from "../../lib/base/clock.ts";
import { sqlTokenStore } from "../../lib/accounts/storage/sql-token-store.ts";
import { sqlWebhookStore } from "../../lib/webhooks/index.ts";
import { sqlMailStore } from "../../lib/mail/storage/sql-mail-store.ts";
import { sqlMemberStore } from "../../lib/members/storage/sql-member-store.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { blobsContract, sqlContract } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { describeSqlStores } from "../contract/sql-stores.ts";
import { describeStore } from "../contract/store.ts";
import { torture } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { deliveredByTwo, killedBetweenSteps } from "../helpers/killed-deliveries.ts";
import {
  type Databases,
  databasesOf,
  drivers,
  startPostgres,
  type TestPostgres,
} from "../helpers/postgres.ts";
import { petFieldTests } from "../properties/pet-fields.ts";
import { storeModelTests } from "../properties/store-model.ts";

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
    await sqlMailStore({ sql });
    await sqlProjectStore({ sql });
    await sqlDomainStore({ sql });
    await sqlWebhookStore({ sql });
    await migrate(sql, [blobSchema], 0);
  });
});

afterAll(async () => {
  await migrated[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Sets the clock of a database. */
function withClock(sql: Sql, clock: Clock): Sql {
  const dialect = {
    ...sql.dialect,
    get now() {
      return String(clock.now());
    },
  };
  return { ...sql, dialect };
}

for (const [driver, connect] of Object.entries(drivers)) {
  const opened = (): Promise<Sql> => migrated.open(connect);

  describeContract(
    `PostgreSQL by ${driver} as SQL`,
    sqlContract(() => empty.open(connect)),
  );

  describeStore(`PostgreSQL by ${driver}`, async () => sqlStore({ sql: await opened() }));

  describe(`PostgreSQL by ${driver}`, () => {
    const openStore = async () => sqlStore({ sql: await opened() });
    petFieldTests(openStore);
    storeModelTests(openStore, torture ? 50 : 2);
  });

  describeContract(
    `PostgreSQL by ${driver} as blobs`,
    blobsContract(async () => {
      const sql = await opened();
      const clock = manualClock(1_800_000_000_000);
      const scratch = await mkdtemp(join(tmpdir(), "pet-blobs-"));
      return {
        clock,
        blobs: await postgresBlobs({ sql, clock, cachePath: join(scratch, "cache") }),
        close: async () => {
          await sql.close();
          await rm(scratch, { recursive: true });
        },
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
        processes: [
          sqlLeases({ sql: withClock(here, clock), clock }),
          sqlLeases({ sql: withClock(there, clock), clock }),
        ],
        close: async () => {
          await here.close();
          await there.close();
          await giveBack();
        },
      };
    }),
  );

  describeSqlStores(`PostgreSQL by ${driver}`, opened, withClock);

  test(`a process that is killed loses no delivery to a webhook (${driver})`, async () => {
    const steps = await killedBetweenSteps(
      async () => {
        const sql = await opened();
        const store = await sqlStore({ sql });
        const webhookStore = await sqlWebhookStore({ sql });
        return { store, webhookStore, close: () => store.close() };
      },
      torture ? 1 : 5,
    );
    expect(steps).toBeGreaterThan(10);
  });

  test(`two nodes deliver each event to a webhook once, in the order of its subject (${driver})`, async () => {
    const url = await server.createDatabase();
    const node = async () => {
      const sql = await postgresSql({ url, connect });
      const store = await sqlStore({ sql });
      return { store, webhookStore: await sqlWebhookStore({ sql }) };
    };
    const [first, second] = [await node(), await node()];
    await deliveredByTwo(first, second);
    for (const { store } of [first, second]) await store.close();
  });
}
