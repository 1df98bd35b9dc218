import { afterAll, beforeAll } from "bun:test";

import postgres from "postgres";

import { sqlDomainStore } from "../../domains/storage/sql-domain-store.ts";
import { sqlImportStore } from "../../lib/import/index.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { describeImports } from "../helpers/imports.ts";
import {
  databasesOf,
  startPostgres,
  type Databases,
  type TestPostgres,
} from "../helpers/postgres.ts";

let server: TestPostgres;
let migrated: Databases;
beforeAll(async () => {
  server = await startPostgres();
  migrated = databasesOf(server, async (sql) => {
    await sqlStore({ sql });
    await sqlImportStore({ sql });
    // Databases are emptied with its tables.
    await sqlDomainStore({ sql });
  });
});
afterAll(async () => {
  await migrated[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describeImports("PostgreSQL", () => migrated.open(postgres));
