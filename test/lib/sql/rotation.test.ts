import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { systemRandom, type Random } from "../../../lib/base/id.ts";
import { rotationOf, type Rotation } from "../../../lib/sql/rotation.ts";

/** Draws the same character each time. */
const always =
  (byte: number): Random =>
  (into) =>
    into.fill(byte);
const FIRST = always(0);
/** `V` of base 62, in the middle of the alphabet. */
const MIDDLE = always(31);

/** A table with IDs `thing_0000` to `thing_zzzz`, spread like random ones. */
async function things(rows: number) {
  const sql = await bunSqliteSql({ path: ":memory:" });
  const run = (text: string) => sql.batch([{ text, values: [] }], () => true);
  await run("CREATE TABLE things (id TEXT PRIMARY KEY)");
  const fill = () =>
    run(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1}),
      b (text) AS (SELECT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
      INSERT INTO things SELECT 'thing_' || substr(text, 1 + i * 62 / ${rows}, 1) || printf('%06d', i) FROM n, b`);
  const idsIn = async (rotation: Rotation): Promise<readonly string[]> => {
    const { after, through } = await rotation.next("things");
    const text = "SELECT id FROM things WHERE id > ? AND id <= ?";
    return (await sql.query({ text, values: [after, through] })).map(({ id }) => String(id));
  };
  return { sql, fill, idsIn };
}

test("slices cover each row once per rotation, and then begin again", async () => {
  const { sql, fill, idsIn } = await things(2_500);
  const rotation = rotationOf(sql, FIRST);
  expect(await rotation.next("things")).toMatchObject({ after: "" });
  await fill();
  for (let round = 0; round < 2; round++) {
    const counts: number[] = [];
    for (let slice = 0; slice < 3; slice++) counts.push((await idsIn(rotation)).length);
    expect(counts).toEqual([1_000, 1_000, 500]);
  }
  await sql.close();
});

test("a rotation begins anywhere, so restarts after one slice each reach every row", async () => {
  const { sql, fill, idsIn } = await things(5_000);
  await fill();
  expect((await idsIn(rotationOf(sql, MIDDLE)))[0]).toStartWith("thing_W");
  const seen = new Set<string>();
  for (let start = 0; start < 200; start++)
    for (const id of await idsIn(rotationOf(sql, systemRandom))) seen.add(id);
  // Each is missed with a chance of 0.8^200, except those before the first thousand, where fewer places lead.
  expect([...seen].filter((id) => id >= "thing_D").length).toBeGreaterThan(3_800);
  expect(seen.size).toBeGreaterThan(4_500);
  await sql.close();
});

test("a slice is looked at again if work stopped before its end", async () => {
  const { sql, fill } = await things(2_500);
  await fill();
  const rotation = rotationOf(sql, FIRST);
  const slices = await rotation.nextOf(["things"]);
  rotation.again(slices);
  expect(await rotation.nextOf(["things"])).toEqual(slices);
  expect(await rotation.nextOf(["things"])).not.toEqual(slices);
  await sql.close();
});
