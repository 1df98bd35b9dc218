import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";

import { migrations } from "../../adapters/migrations.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { migrate, MissingMigrations, sqlStore, storeSchema } from "../../lib/index.ts";
import { schemas } from "../../server/data/storage.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch } from "../helpers/sqlite.ts";

const file = scratch();

function declarationsIn(path: string): readonly unknown[] {
  using database = new Database(path, { readonly: true });
  return database.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").values();
}

test("the SQL for SQLite creates what opening the stores creates, and opening finds it done", async () => {
  const opened = file();
  const made = await bunSqliteSql({ path: opened });
  await migrate(made, schemas, 1);
  await made.close();

  const applied = file();
  {
    using database = new Database(applied, { create: true });
    for (const { sql } of migrations({ dialect: "sqlite", schemas })) {
      database.transaction(() => database.run(sql))();
    }
  }
  expect(declarationsIn(applied)).toEqual(declarationsIn(opened));
  const sql = await bunSqliteSql({ path: applied, migrate: false });
  await migrate(sql, schemas, 1);
  const store = await sqlStore({ sql });
  expect(await store.accounts.list()).toEqual([]);
  await store.close();
});

test("a SQLite file that lacks migrations is refused and not changed, if the host runs them", async () => {
  const path = file();
  const sql = await bunSqliteSql({ path, migrate: false });
  const refused = await rejection(sqlStore({ sql }));
  expect(refused).toBeInstanceOf(MissingMigrations);
  const { component, migrations: steps } = storeSchema;
  expect(refused).toMatchObject({ missing: [{ component, from: 0, to: steps.length }] });
  expect(String(refused)).toContain(
    `(petstore 0 to ${steps.length}), and the option migrate is false`,
  );
  await sql.close();
  expect(declarationsIn(path)).toEqual([]);
});

test("names are those of migrations, each once, and stay the same", () => {
  const names = migrations({ dialect: "sqlite", schemas }).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^\w+_\d+$/.test(name))).toEqual([]);
  expect(names.slice(0, 3)).toEqual(["petstore_0", "petstore_1", "petstore_2"]);
  expect(names).toContain("petstore_enquiries_1");
});

test.each([
  [{ schemas }, "the option dialect must be one of"],
  [{ dialect: "mysql", schemas }, "the option dialect must be one of"],
  [{ dialect: "postgres", schemas }, "the option schema must be the name of a PostgreSQL schema"],
  [{ dialect: "postgres", schemas, schema: "pg_a" }, "and not beginning with pg_"],
  [{ dialect: "sqlite", schemas, schema: "pets" }, "the option schema must be absent with SQLite"],
  [
    { dialect: "sqlite", schemas, counters: true },
    "the option counters must be absent with SQLite",
  ],
  [{ dialect: "sqlite", schemas: [] }, "the option schemas must be a list of at least 1"],
  [{ dialect: "sqlite", schemas: [{}] }, "the option schemas must be a list"],
  [{ dialect: "sqlite", schemas, schemes: 1 }, "Did you mean schemas?"],
  [undefined, "takes an object of options"],
])("wrong options are a TypeError: %p", (options, message) => {
  expect(() => migrations(options as never)).toThrow(TypeError);
  expect(() => migrations(options as never)).toThrow(message);
});
