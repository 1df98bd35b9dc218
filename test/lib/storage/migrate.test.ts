import { describe, expect, test } from "bun:test";
import { bunSqliteStore, openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import { beginImport, markDatabase, migrate, type Migration } from "../../../lib/sql/migrate.ts";
import { type Sql, NewerSchema, UnfinishedImport } from "../../../lib/sql/sql.ts";
import { schemaVersion } from "../../../lib/storage/migrations.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { rejection } from "../../helpers/rejection.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

const open = (path: string): Sql => sqliteSql({ database: openBunSqlite(path) });

const first: Migration = () => ["CREATE TABLE items (id BIGINT PRIMARY KEY)"];
const second: Migration = () => [
  "ALTER TABLE items ADD COLUMN name TEXT",
  "INSERT INTO items (id, name) VALUES (1, 'a')",
];
const broken: Migration = () => ["INSERT INTO items (id) VALUES (9)", "NONSENSE"];

const names = async (sql: Sql): Promise<readonly unknown[]> =>
  (await sql.query({ text: "SELECT name FROM items", values: [] })).map((row) => row["name"]);

describe("migrate", () => {
  test("applies each migration once, in order", async () => {
    const sql = open(":memory:");
    await migrate(sql, [{ component: "shop", migrations: [first] }], 1);
    await migrate(sql, [{ component: "shop", migrations: [first, second] }], 2);
    await migrate(sql, [{ component: "shop", migrations: [first, second] }], 3);
    expect(await names(sql)).toEqual(["a"]);
    await sql.close();
  });

  test("tracks components separately", async () => {
    const sql = open(":memory:");
    await migrate(sql, [{ component: "shop", migrations: [first] }], 1);
    await migrate(
      sql,
      [{ component: "other", migrations: [() => ["CREATE TABLE others (id BIGINT)"]] }],
      1,
    );
    expect(await sql.query({ text: "SELECT id FROM others", values: [] })).toEqual([]);
    await sql.close();
  });

  test("keeps the previous version complete if a migration fails", async () => {
    const sql = open(":memory:");
    expect(
      await rejection(migrate(sql, [{ component: "shop", migrations: [first, broken] }], 1)),
    ).toBeInstanceOf(Error);
    await migrate(sql, [{ component: "shop", migrations: [first, second] }], 2);
    expect(await names(sql)).toEqual(["a"]);
    await sql.close();
  });

  test("lets programs of an older version open shared tables that they can use", async () => {
    const sql: Sql = { ...open(":memory:"), shared: true };
    const third: Migration = () => ["ALTER TABLE items ADD COLUMN age BIGINT"];
    const old = [{ component: "shop", migrations: [first] }];
    await migrate(sql, old, 1);
    await migrate(sql, [{ component: "shop", migrations: [first, second], since: 1 }], 2);
    await migrate(sql, old, 3);
    expect(await names(sql)).toEqual(["a"]);
    // The third version says nothing about older programs.
    await migrate(sql, [{ component: "shop", migrations: [first, second, third] }], 4);
    expect(await rejection(migrate(sql, old, 5))).toBeInstanceOf(NewerSchema);
    await sql.close();
  });

  test("works for two processes that start at the same time", async () => {
    const path = file();
    const [one, two] = [open(path), open(path)];
    await Promise.all([
      migrate(one, [{ component: "shop", migrations: [first, second] }], 1),
      migrate(two, [{ component: "shop", migrations: [first, second] }], 1),
    ]);
    expect(await names(two)).toEqual(["a"]);
    await one.close();
    await two.close();
  });

  test("refuses a database whose import was interrupted, and an import refuses one with tables", async () => {
    const sql = open(":memory:");
    const shop = [{ component: "shop", migrations: [first] }];
    expect(await beginImport(sql, 1)).toBe(true);
    expect(await beginImport(sql, 1)).toBe(false);
    expect(await rejection(migrate(sql, shop, 1))).toBeInstanceOf(UnfinishedImport);
    await migrate(sql, shop, 1, true);
    await markDatabase(sql, undefined, 2);
    await migrate(sql, shop, 2);
    expect(await beginImport(sql, 2)).toBe(false);
    await sql.close();
  });

  test("refuses a newer program's database, naming both versions, and leaves it unchanged", async () => {
    const path = file();
    const store = await bunSqliteStore({ path });
    await store.close();
    const newer = open(path);
    await newer.batch(
      [
        {
          text: "INSERT INTO petstore_migrations (component, version, applied_at) VALUES (?, ?, ?)",
          values: ["petstore", 1_000, 1],
        },
      ],
      () => true,
    );
    await newer.close();
    const refusal = await rejection(bunSqliteStore({ path }));
    expect(refusal).toBeInstanceOf(NewerSchema);
    expect(String(refusal)).toMatch(new RegExp(`version 1000 .* knows ${schemaVersion} at most`));
  });
});
