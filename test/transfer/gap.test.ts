import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { schemas } from "../../server/data/storage.ts";
import { advanceNumbers } from "../../transfer/copy.ts";
import { gapOf } from "../../transfer/model/gap.ts";
import { sqliteSnapshot } from "../../transfer/sqlite-snapshot.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { shelter } from "../backup/fixture.ts";

test("the gap grows with the age of the copy, and a clock that was set back does not shrink it", () => {
  const now = 1_795_000_000_000;
  expect(gapOf(now, now)).toEqual({ ids: 1_000_000, numbers: 1_000_000, revision: now });
  expect(gapOf(now - DAY_MS, now)).toEqual({
    ids: 1_864_000,
    numbers: 8_641_000_000,
    revision: now,
  });
  expect(gapOf(now + DAY_MS, now).ids).toBe(1_000_000);
  // Six years still fit into 32 bits.
  expect(gapOf(now - 6 * 365 * DAY_MS, now).ids).toBeLessThan(2 ** 31);
});

test("every counter of every catalogue is advanced, also of tables without rows, and none beyond what JSON carries", async () => {
  const { directory } = await shelter();
  const database = new Database(directory.database);
  const last = Number.MAX_SAFE_INTEGER - 5;
  database.run("UPDATE catalogues SET next_order_id = ? WHERE environment = 'staging'", [last]);
  database.run("DELETE FROM sqlite_sequence WHERE name = 'domains'");
  const numbersOf = () => {
    using rows = database.prepare<Record<string, unknown>, []>(
      "SELECT * FROM catalogues ORDER BY id",
    );
    using names = database.prepare("SELECT name, seq FROM sqlite_sequence ORDER BY name");
    return { catalogues: rows.all(), sequences: names.values() };
  };
  const before = numbersOf();
  const sql = await bunSqliteSql({ path: directory.database });
  const gap = { ids: 1_000, numbers: 5_000, revision: 99 };
  const read = () => sqliteSnapshot(directory.database);
  await advanceNumbers({ sql, read }, await tablesOf(schemas, "move"), gap);
  await sql.close();
  const after = numbersOf();
  database.close();
  for (const [index, catalogue] of before.catalogues.entries()) {
    for (const [name, value] of Object.entries(catalogue)) {
      if (!name.startsWith("next_")) continue;
      const expected = value === last ? last : Number(value) + 1_000;
      expect([name, after.catalogues[index]?.[name]]).toEqual([name, expected]);
    }
    expect(after.catalogues[index]?.["revision"]).toBe(99);
  }
  const sequences = new Map(after.sequences.map(([name, seq]) => [name, seq]));
  expect(sequences.get("domains")).toBe(5_000);
  for (const [name, seq] of before.sequences) {
    expect([name, sequences.get(name)]).toEqual([name, Number(seq) + 5_000]);
  }
});
