import { expect, test } from "bun:test";
import { system } from "../../../lib/model/actor.ts";
import { openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import { migrate, opens } from "../../../lib/sql/migrate.ts";
import { migrations, storeSchema } from "../../../lib/storage/migrations.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { START } from "../../../testing/shelter.ts";

test("the remaining rows of an account deleted in schema version 1 are purged after an upgrade", async () => {
  const sql = sqliteSql({ database: openBunSqlite(":memory:") });
  await migrate(sql, [{ component: "petstore", migrations: migrations.slice(0, 1) }], START);
  const event = "INSERT INTO events (type, account_id, occurred_at, data) VALUES (?, ?, ?, '{}')";
  await sql.batch(
    [
      { text: event, values: ["key.created", "acc_gone", START] },
      { text: event, values: ["key.created", "acc_here", START] },
      {
        text: "INSERT INTO departed_catalogues (catalogue_id, account_id) VALUES (7, 'acc_gone')",
        values: [],
      },
      {
        text: `INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
          VALUES ('acc_here', 'Here', 'free', 60, 1000, 0)`,
        values: [],
      },
    ],
    () => true,
  );
  const store = await sqlStore({ sql });
  const purge = {
    kind: "purge",
    now: START,
    deletedBefore: 0,
    adoptersBefore: 0,
    eventsBefore: 0,
    limit: 10,
  } as const;
  expect(await store.commit([purge], system)).toEqual({ ok: true, value: [1] });
  const left = await store.events.after(0, 10);
  expect(left.map(({ accountId }) => accountId)).toEqual(["acc_here"]);
  expect(await sql.query({ text: "SELECT * FROM departed_catalogues", values: [] })).toEqual([]);
  await store.close();
});

test("any number of animals from an older version are found by name after an upgrade", async () => {
  const sql = sqliteSql({ database: openBunSqlite(":memory:") });
  await migrate(sql, [{ component: "petstore", migrations: migrations.slice(0, 4) }], START);
  const text = `INSERT INTO pets
    (catalogue_id, id, name, category_id, status, version, created_at, updated_at)
    VALUES (1, ?, ?, 1, 'available', 1, 0, 0)`;
  const steps = Array.from({ length: 2_500 }, (_, index) => ({
    text,
    values: [index + 1, `Zoë ${index + 1}`],
  }));
  await sql.batch(steps, () => true);
  const store = await sqlStore({ sql });
  const [last] = await store.pets.list(1, { name: "zoe 2500" }, { limit: 9, order: "asc" });
  expect(last).toMatchObject({ id: 2_500, name: "Zoë 2500" });
  expect(await store.pets.count(1, { name: "ZOE" })).toBe(2_500);
  await store.close();
});

test("events of the previous version, and of actors that only a later one knows, have no actor", async () => {
  const sql = sqliteSql({ database: openBunSqlite(":memory:") });
  const store = await sqlStore({ sql });
  const values = (type: string) => [type, "acc_one", 1, START, "{}"];
  await sql.batch(
    [
      {
        text: "INSERT INTO events (type, account_id, catalogue_id, occurred_at, data) VALUES (?, ?, ?, ?, ?)",
        values: values("pet.created"),
      },
      {
        text: "INSERT INTO events (type, account_id, catalogue_id, occurred_at, data, actor) VALUES (?, ?, ?, ?, ?, 'robot:7')",
        values: values("pet.updated"),
      },
    ],
    () => true,
  );
  const events = await store.events.after(0, 10);
  expect(events.map((event) => [event.type, "actor" in event])).toEqual([
    ["pet.created", false],
    ["pet.updated", false],
  ]);
  await store.close();
});

test("programs of the previous version may open the tables of this one on PostgreSQL", () => {
  const { component, migrations: all, since } = storeSchema;
  const versions = new Map([
    [component, all.length],
    [`${component} ${all.length} since`, since ?? all.length],
  ]);
  expect(opens(6, component, versions)).toBe(true);
  expect(opens(5, component, versions)).toBe(false);
});
