import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import postgres from "postgres";

import { migrations, type MigrationsOptions } from "../../adapters/migrations.ts";
import { blobSchema } from "../../adapters/postgres/blobs.ts";
import { postgresSql, sharedLimits } from "../../adapters/postgres/sql.ts";
import { ForeignTables, migrate, MissingMigrations, type Schema } from "../../lib/index.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { openStorage, schemas } from "../../server/data/storage.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { rejection } from "../helpers/rejection.ts";

const connect = postgres;
const all = [...schemas, blobSchema];

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

/** Everything that statements have created in a schema, as the server describes it. */
async function contents(url: string, schema: string): Promise<readonly unknown[]> {
  const of = `'"${schema}"'::regnamespace`;
  const queries = [
    `SELECT relname, relkind, relpersistence, reloptions FROM pg_class WHERE relnamespace = ${of} AND relkind <> 'i'`,
    `SELECT relname, attname, format_type(atttypid, atttypmod) AS type, attnotnull, attidentity,
      attstorage, attcollation FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = ${of} AND relkind = 'r' AND attnum > 0`,
    `SELECT indexname, replace(indexdef, '${schema}', '') AS def FROM pg_indexes WHERE schemaname = '${schema}'`,
    `SELECT conname, replace(pg_get_constraintdef(oid), '${schema}', '') AS def FROM pg_constraint WHERE connamespace = ${of}`,
    `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = ${of}`,
    `SELECT component, version FROM "${schema}".petstore_migrations`,
    `SELECT name, value FROM "${schema}".settings`,
  ];
  const found: string[] = [];
  for (const query of queries) {
    for (const row of await server.run(query, nameOf(url))) found.push(JSON.stringify(row));
  }
  return found.toSorted();
}

/** Applies our migrations as a tool does that runs each in a transaction, over one connection. */
async function apply(url: string, options: Omit<MigrationsOptions, "dialect">): Promise<void> {
  const tool = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    await tool.unsafe("CREATE TABLE IF NOT EXISTS schema_migrations (version TEXT PRIMARY KEY)");
    for (const { name, sql } of migrations({ dialect: "postgres", ...options })) {
      await tool.begin(async (transaction) => {
        await transaction.unsafe(sql);
        // The tool finds its own table as before.
        await transaction.unsafe(`INSERT INTO schema_migrations VALUES ('${name}')`);
      });
    }
  } finally {
    await tool.end({ timeout: 1 });
  }
}

describe("the SQL of migrations", () => {
  test.each(["pets", "my pets"])(
    "creates what opening the stores creates, in %p",
    async (schema) => {
      const opened = await server.createDatabase();
      const sql = await postgresSql({ url: opened, connect, schema });
      await migrate(sql, all, 1);
      await sql.counters.setUp();
      await sql.close();

      const applied = await server.createDatabase();
      await apply(applied, { schema, schemas: all });
      expect(await contents(applied, schema)).toEqual(await contents(opened, schema));
      const listed = await server.run("SELECT version FROM schema_migrations", nameOf(applied));
      expect(listed).toHaveLength(2 + all.flatMap((one) => one.migrations).length);
    },
  );

  test("lets a role that may create nothing open everything", async () => {
    const url = await server.createDatabase();
    const database = nameOf(url);
    await apply(url, { schema: "pets", schemas: all });
    await server.run(
      `CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA pets TO app;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pets TO app;
       GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA pets TO app`,
      database,
    );
    const before = await contents(url, "pets");
    const as = url.replace("postgres@", "app@");
    const sql = await postgresSql({ url: as, connect, schema: "pets", migrate: false });
    const storage = await openStorage(sql, () => memoryBlobs(), [blobSchema]);
    const limits = sharedLimits({ postgres: sql.counters });
    const charge = { counter: "catalogue 1", keyId: "key" };
    expect((await limits.limiter.spend(charge, { perMinute: 1, perDay: 9 })).allowed).toBe(true);
    await limits.tend();
    expect(await storage.store.accounts.list()).toEqual([]);
    limits.close();
    await storage.close();
    expect(await contents(url, "pets")).toEqual(before);
  });

  test("of a later version is applied to tables in use", async () => {
    const url = await server.createDatabase();
    const one: Schema = { component: "shop", migrations: [() => ["CREATE TABLE items (id TEXT)"]] };
    const two: Schema = {
      ...one,
      since: 1,
      migrations: [...one.migrations, () => ["ALTER TABLE items ADD COLUMN name TEXT"]],
    };
    await apply(url, { schema: "pets", schemas: [one], counters: false });
    const sql = await postgresSql({ url, connect, schema: "pets", migrate: false });
    await migrate(sql, [one], 1);
    const refused = await rejection(migrate(sql, [two], 1));
    expect(refused).toBeInstanceOf(MissingMigrations);
    expect(refused).toMatchObject({ missing: [{ component: "shop", from: 1, to: 2 }] });
    const next = migrations({
      dialect: "postgres",
      schema: "pets",
      schemas: [two],
      counters: false,
    });
    expect(next.map(({ name }) => name)).toEqual(["petstore_0", "shop_1", "shop_2"]);
    await server.run(next[2]?.sql ?? "", nameOf(url));
    await migrate(sql, [two], 1);
    // A node of the version before still opens them.
    await migrate(sql, [one], 1);
    await sql.close();
  });
});

describe("without the right to migrate", () => {
  test("an empty database is refused with what is missing, and nothing is created", async () => {
    const url = await server.createDatabase();
    const open = (schema?: string) =>
      postgresSql({ url, connect, migrate: false, ...(schema === undefined ? {} : { schema }) });
    expect(String(await rejection(open("pets")))).toContain(
      'has no schema "pets". Apply the SQL of `migrations` from petstore/migrations.',
    );
    const sql = await open();
    const refused = await rejection(migrate(sql, schemas, 1));
    expect(refused).toBeInstanceOf(MissingMigrations);
    expect(refused).toMatchObject({
      missing: schemas.map(({ component, migrations: { length: to } }) => ({
        component,
        from: 0,
        to,
      })),
    });
    const counters = await rejection(sql.counters.setUp());
    expect(counters).toMatchObject({ missing: [{ component: "limits", from: 0, to: 2 }] });
    await sql.close();
    const [row] = await server.run(
      "SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = 'public'::regnamespace",
      nameOf(url),
    );
    expect(row?.["count"]).toBe(0);
  });

  test("functions of the counters that are missing are reported", async () => {
    const url = await server.createDatabase();
    await apply(url, { schema: "public", schemas: all });
    const sql = await postgresSql({ url, connect, schema: "public", migrate: false });
    await sql.counters.setUp();
    await server.run("DROP FUNCTION limits_row_2", nameOf(url));
    expect(await rejection(sql.counters.setUp())).toBeInstanceOf(MissingMigrations);
    await sql.close();
  });
});

describe("tables of the host beside ours are refused before anything is touched: PostgreSQL,", () => {
  /** One name of each component. */
  const clashes: Readonly<Record<string, string>> = {
    petstore: "CREATE TABLE accounts (id INT)",
    publishing: "CREATE VIEW deploys AS SELECT 1 AS one",
    imports: "CREATE TABLE imports (id INT)",
    management: "CREATE TABLE management_tokens (id INT)",
    members: "CREATE MATERIALIZED VIEW members AS SELECT 1 AS one",
    mail: "CREATE TABLE mail_queue (id INT)",
    "petstore enquiries": "CREATE TABLE enquiries (id INT)",
    webhooks: "CREATE TABLE webhooks (id INT)",
    audit: "CREATE TABLE audit_log (id INT)",
    "petstore requests": "CREATE TABLE request_log (id INT)",
    domains: "CREATE TYPE leases AS ENUM ('a')",
    nodes: "CREATE SEQUENCE nodes",
    blobs: "CREATE TABLE mine (id INT); CREATE INDEX blob_parts ON mine (id)",
  };
  const nameIn = (clash: string): string =>
    /(?:TABLE|VIEW|TYPE|SEQUENCE|INDEX) (?!mine)(\w+)/.exec(clash)?.[1] ?? "";

  test("for every component", async () => {
    expect(Object.keys(clashes)).toEqual(all.map(({ component }) => component));
    const url = await server.createDatabase();
    const sql = await postgresSql({ url, connect, connections: 2 });
    for (const schema of all) {
      const clash = clashes[schema.component] ?? "";
      // Our tables exist, but not those of the component.
      await server.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public", nameOf(url));
      const shop = { component: "shop", migrations: [() => ["CREATE TABLE items (id BIGINT)"]] };
      await migrate(sql, [shop], 1);
      await server.run(clash, nameOf(url));
      const relations = { text: sql.dialect.relations, values: [] };
      const before = await sql.query(relations);
      const refused = await rejection(migrate(sql, [schema], 1));
      expect(refused).toBeInstanceOf(ForeignTables);
      expect(refused).toMatchObject({ tables: [nameIn(clash)] });
      expect(await sql.query(relations)).toEqual(before);
    }
    await sql.close();
  });

  test.each([
    ["a table", "CREATE TABLE limit_counters (name TEXT)", "limit_counters"],
    [
      "an index",
      "CREATE TABLE a (b INT); CREATE INDEX limit_counters_by_end ON a (b)",
      "limit_counters_by_end",
    ],
  ])("for the counters: %s", async (_what, clash, name) => {
    const url = await server.createDatabase();
    const sql = await postgresSql({ url, connect, connections: 2 });
    await migrate(sql, schemas, 1);
    await server.run(clash, nameOf(url));
    const refused = await rejection(sql.counters.setUp());
    expect(refused).toBeInstanceOf(ForeignTables);
    expect(refused).toMatchObject({ tables: [name] });
    const [row] = await server.run(
      "SELECT count(*)::int AS count FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
      nameOf(url),
    );
    expect(row?.["count"]).toBe(0);
    await sql.close();
  });

  test("the sequence of a numbered table", async () => {
    const url = await server.createDatabase();
    const sql = await postgresSql({ url, connect, connections: 2 });
    await migrate(
      sql,
      [{ component: "shop", migrations: [() => ["CREATE TABLE items (id INT)"]] }],
      1,
    );
    await server.run("CREATE TABLE events_seq_seq (id INT)", nameOf(url));
    expect(await rejection(migrate(sql, schemas, 1))).toMatchObject({ tables: ["events_seq_seq"] });
    await sql.close();
  });
});
