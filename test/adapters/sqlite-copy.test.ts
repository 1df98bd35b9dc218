import { describe, expect, test } from "bun:test";

import { readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

import { openSqliteSql } from "../../adapters/sqlite/open.ts";
import { migrate, type Migration, type Schema } from "../../lib/sql/migrate.ts";
import { type Sql, StoreUnavailable } from "../../lib/sql/sql.ts";
import { manualClock, type ManualClock } from "../../testing/clock.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch, sqliteHandles } from "../helpers/sqlite.ts";

const file = scratch();

const NOON = Date.UTC(2026, 6, 1, 12);

const shop: readonly Migration[] = [
  () => ["CREATE TABLE items (id BIGINT PRIMARY KEY)", "INSERT INTO items (id) VALUES (1)"],
  () => ["ALTER TABLE items ADD COLUMN name TEXT"],
  () => ["UPDATE items SET name = 'a'"],
];
const desk: readonly Migration[] = [() => ["CREATE TABLE desks (id BIGINT PRIMARY KEY)"]];
const broken: readonly Migration[] = [...desk, () => ["NONSENSE"]];

const upTo = (version: number): Schema => ({
  component: "shop",
  migrations: shop.slice(0, version),
});
const desks = (migrations: readonly Migration[]): Schema => ({ component: "desk", migrations });

/** Returns the copies next to `path`, by their suffix, oldest first. */
const copies = (path: string): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith(`${basename(path)}.before`))
    .map((name) => name.slice(basename(path).length))
    .toSorted();

const columns = async (sql: Sql): Promise<readonly unknown[]> =>
  (await sql.query({ text: "SELECT name FROM pragma_table_info('items')", values: [] })).map(
    (row) => row["name"],
  );

describe.each(Object.entries(sqliteHandles))("an upgrade by %s", (_name, handle) => {
  const open = (path: string, clock: ManualClock, onCopy?: (path: string) => void): Sql =>
    openSqliteSql({ path, clock, ...(onCopy === undefined ? {} : { onCopy }) }, handle);

  const made = async (path: string, schemas: readonly Schema[]): Promise<void> => {
    const sql = open(path, manualClock(NOON));
    await migrate(sql, schemas, NOON);
    await sql.close();
  };

  test("copies the database first, once and unchanged, for its owner only", async () => {
    const path = file();
    await made(path, [upTo(1), desks(desk)]);
    expect(copies(path)).toEqual([]);
    const reported: string[] = [];
    const sql = open(path, manualClock(NOON), (copy) => reported.push(copy));
    await migrate(sql, [upTo(2), desks(desk)], NOON);
    await migrate(sql, [upTo(3)], NOON);
    await sql.close();
    const name = ".before-upgrade.20260701T120000000Z.shop-1-to-2";
    expect(copies(path)).toEqual([name]);
    expect(reported).toEqual([path + name]);
    expect(statSync(path + name).mode & 0o777).toBe(0o600);
    const copy = openSqliteSql({ path: path + name, copyBeforeUpgrade: false }, handle);
    expect(await columns(copy)).toEqual(["id"]);
    await copy.close();
  });

  test("copies no database that is new, up to date, or in memory", async () => {
    const path = file();
    await made(path, [upTo(1), desks(desk)]);
    await made(path, [upTo(1), desks(desk)]);
    expect(copies(path)).toEqual([]);
    const memory = open(":memory:", manualClock(NOON));
    await migrate(memory, [upTo(1)], NOON);
    await migrate(memory, [upTo(2)], NOON);
    await memory.close();
  });

  test("keeps the newest three copies and all other files", async () => {
    const path = file();
    await made(path, [upTo(1)]);
    writeFileSync(`${path}.before-lunch`, "mine");
    for (let day = 1; day <= 5; day++) {
      const clock = manualClock(NOON + day * 86_400_000);
      const sql = open(path, clock);
      const extra = Array.from({ length: day }, (_, index) => () => [`CREATE TABLE t${index} (a)`]);
      await migrate(sql, [{ component: "extra", migrations: extra }], clock.now());
      await sql.close();
    }
    expect(copies(path)).toEqual([
      ".before-lunch",
      ".before-upgrade.20260704T120000000Z.extra-2-to-3",
      ".before-upgrade.20260705T120000000Z.extra-3-to-4",
      ".before-upgrade.20260706T120000000Z.extra-4-to-5",
    ]);
  });

  test("never replaces another copy, and is refused if it would have to", async () => {
    const path = file();
    await made(path, [upTo(1)]);
    const taken = `${path}.before-upgrade.20260701T120000000Z.shop-1-to-2`;
    writeFileSync(taken, "older");
    const sql = open(path, manualClock(NOON));
    const refusal = await rejection(migrate(sql, [upTo(2)], NOON));
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    expect(String(refusal)).toContain("is copied before it is upgraded (shop 1 to 2)");
    expect(String(refusal)).toContain("Nothing was changed.");
    expect(await columns(sql)).toEqual(["id"]);
    await sql.close();
    expect(await Bun.file(taken).text()).toBe("older");
    expect(copies(path)).toHaveLength(1);
  });

  test("keeps no copy made after another process has upgraded", async () => {
    const path = file();
    await made(path, [upTo(1)]);
    const reported: string[] = [];
    const slow = open(path, manualClock(NOON), (copy) => reported.push(copy));
    const overtaken: Sql = {
      ...slow,
      // The other process finishes between the version check and the copy.
      beforeMigration: async (planned) => {
        const fast = open(path, manualClock(NOON - 1));
        await migrate(fast, [upTo(2)], NOON - 1);
        await fast.close();
        await slow.beforeMigration?.(planned);
      },
    };
    await migrate(overtaken, [upTo(2)], NOON);
    await slow.close();
    expect(reported).toEqual([]);
    expect(copies(path)).toEqual([".before-upgrade.20260701T115959999Z.shop-1-to-2"]);
  });

  test("leaves all components unchanged if one fails", async () => {
    const path = file();
    await made(path, [upTo(1), desks(desk)]);
    const sql = open(path, manualClock(NOON));
    expect(await rejection(migrate(sql, [upTo(3), desks(broken)], NOON))).toBeInstanceOf(Error);
    expect(await columns(sql)).toEqual(["id"]);
    await sql.close();
    // The program that wrote it can continue to use it.
    const older = open(path, manualClock(NOON));
    await migrate(older, [upTo(1), desks(desk)], NOON);
    await older.close();
  });
});
