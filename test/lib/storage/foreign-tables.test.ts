import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";

import { bunSqliteSql, bunSqliteStore } from "../../../adapters/sqlite/bun.ts";
import { sqlDomainStore } from "../../../domains/index.ts";
import { ForeignTables, migrate, sqlStore, StoreUnavailable } from "../../../lib/index.ts";
import { sqlAuditStore } from "../../../lib/audit/index.ts";
import { sqlEnquiryStore } from "../../../lib/enquiries/index.ts";
import { sqlImportStore } from "../../../lib/import/index.ts";
import { sqlMailStore } from "../../../lib/mail/index.ts";
import { sqlTokenStore } from "../../../lib/management/index.ts";
import { sqlMemberStore } from "../../../lib/members/index.ts";
import { system } from "../../../lib/model/actor.ts";
import { sqlProjectStore } from "../../../lib/publishing/index.ts";
import { sqlRequestStore } from "../../../lib/requests/index.ts";
import type { Sql } from "../../../lib/sql/sql.ts";
import { sqlWebhookStore } from "../../../lib/webhooks/index.ts";
import { schemas } from "../../../server/data/storage.ts";
import { rejection } from "../../helpers/rejection.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

/** Creates a database of a host with these tables, and returns its path. */
function hostWith(...statements: readonly string[]): string {
  const path = file();
  const database = new Database(path, { create: true });
  for (const statement of statements) database.run(statement);
  database.run("CREATE TABLE notes (text TEXT)");
  database.run("INSERT INTO notes VALUES ('mine')");
  database.close();
  return path;
}

/** Returns the bytes of the database and the names of the files that belong to it. */
function tracesOf(path: string): unknown {
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
  return { bytes: readFileSync(path).toString("base64"), names };
}

const versions = "CREATE TABLE petstore_migrations (version VARCHAR(128) PRIMARY KEY)";

const stores: readonly (readonly [string, string, (sql: Sql) => Promise<unknown>])[] = [
  ["sqlStore", "accounts", (sql) => sqlStore({ sql })],
  ["sqlProjectStore", "projects", (sql) => sqlProjectStore({ sql })],
  ["sqlTokenStore", "management_tokens", (sql) => sqlTokenStore({ sql })],
  ["sqlMemberStore", "members", (sql) => sqlMemberStore({ sql })],
  ["sqlDomainStore", "domains", (sql) => sqlDomainStore({ sql })],
  ["sqlDomainStore", "leases", (sql) => sqlDomainStore({ sql })],
  ["sqlImportStore", "imports", (sql) => sqlImportStore({ sql })],
  ["sqlMailStore", "mail_queue", (sql) => sqlMailStore({ sql })],
  ["sqlEnquiryStore", "enquiries", (sql) => sqlEnquiryStore({ sql })],
  ["sqlWebhookStore", "webhooks", (sql) => sqlWebhookStore({ sql })],
  ["sqlAuditStore", "audit_log", (sql) => sqlAuditStore({ sql })],
  ["sqlRequestStore", "request_log", (sql) => sqlRequestStore({ sql })],
];

describe("a database of the host is refused without a trace if it has", () => {
  const cases = stores.flatMap(([maker, table, open]) => [
    [`the table ${table}`, maker, `CREATE TABLE ${table} (id INTEGER)`, table, open] as const,
    ["another petstore_migrations", maker, versions, "petstore_migrations", open] as const,
  ]);
  test.each(cases)("%s: %s", async (_what, _maker, statement, table, open) => {
    const path = hostWith(statement);
    const before = tracesOf(path);
    const sql = await bunSqliteSql({ path });
    const refused = await rejection(open(sql));
    await sql.close();
    expect(refused).toBeInstanceOf(ForeignTables);
    expect(refused).toMatchObject({ tables: [table] });
    expect(String(refused)).toContain(`whose names Petstore needs: ${table}. Nothing was changed.`);
    expect(tracesOf(path)).toEqual(before);
  });

  test.each([
    ["a view", "CREATE VIEW accounts AS SELECT 1"],
    ["an index", "CREATE TABLE mine (a INTEGER); CREATE INDEX pets_by_status ON mine (a)"],
    ["a table whose name differs in case", "CREATE TABLE Accounts (id INTEGER)"],
  ])("%s of that name", async (_what, statements) => {
    const path = hostWith(...statements.split("; "));
    const before = tracesOf(path);
    expect(await rejection(bunSqliteStore({ path }))).toBeInstanceOf(ForeignTables);
    expect(tracesOf(path)).toEqual(before);
  });

  test("tables that clash with any of the schemas that are migrated together", async () => {
    const path = hostWith(...stores.map(([, table]) => `CREATE TABLE ${table} (id INTEGER)`));
    const before = tracesOf(path);
    const sql = await bunSqliteSql({ path });
    const refused = await rejection(migrate(sql, schemas, 1));
    await sql.close();
    expect(refused).toMatchObject({ tables: stores.map(([, table]) => table).toSorted() });
    expect(tracesOf(path)).toEqual(before);
  });
});

test("a table that an upgrade would create is refused, and the version stays", async () => {
  const path = file();
  const sql = await bunSqliteSql({ path });
  const one = { component: "shop", migrations: [() => ["CREATE TABLE items (id BIGINT)"]] };
  const two = { ...one, migrations: [...one.migrations, () => ["CREATE TABLE notes (id BIGINT)"]] };
  await migrate(sql, [one], 1);
  await sql.batch([{ text: "CREATE TABLE notes (text TEXT)", values: [] }], () => true);
  expect(await rejection(migrate(sql, [two], 2))).toMatchObject({ tables: ["notes"] });
  await migrate(sql, [one], 3);
  await sql.close();
});

test("other tables of the host stay beside ours, its schema_migrations too", async () => {
  const theirs = "CREATE TABLE schema_migrations (version VARCHAR(128) PRIMARY KEY)";
  const path = hostWith("CREATE TABLE users (id INTEGER)", theirs);
  {
    using database = new Database(path);
    database.run("INSERT INTO schema_migrations VALUES ('20261126')");
  }
  for (let start = 0; start < 2; start++) {
    const sql = await bunSqliteSql({ path, copyBeforeUpgrade: false });
    for (const [, , open] of stores) await open(sql);
    const read = async (text: string) => sql.query({ text, values: [] });
    expect(await read("SELECT text FROM notes")).toEqual([{ text: "mine" }]);
    expect(await read("SELECT * FROM schema_migrations")).toEqual([{ version: "20261126" }]);
    await sql.close();
  }
});

test("in a shared file, a transaction of the host makes our writes unavailable, and nothing is lost", async () => {
  const path = hostWith("CREATE TABLE users (id INTEGER)");
  const store = await bunSqliteStore({ path, copyBeforeUpgrade: false });
  const save = (value: string): Promise<unknown> =>
    store.commit([{ kind: "setting.save", name: "a", value }], system);
  await save("1");
  using host = new Database(path);
  host.run("BEGIN IMMEDIATE");
  host.run("INSERT INTO users VALUES (1)");
  expect(await rejection(save("2"))).toBeInstanceOf(StoreUnavailable);
  expect(await store.settings.get("a")).toBe("1");
  host.run("COMMIT");
  await save("3");
  expect(await store.settings.get("a")).toBe("3");
  await store.close();
});
