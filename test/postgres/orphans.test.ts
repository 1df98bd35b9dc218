import { afterAll, beforeAll } from "bun:test";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { describeOrphans } from "../helpers/orphans.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

describeOrphans("PostgreSQL", async () =>
  postgresSql({ url: await server.createDatabase(), connect: postgres }),
);
