import { expect, test } from "bun:test";

import { bunSqliteSql } from "../../../adapters/sqlite-bun.ts";
import { rotationOf } from "../../../lib/sql/rotation.ts";

test("slices cover each row once per rotation, and then begin again", async () => {
  const sql = await bunSqliteSql({ path: ":memory:" });
  const run = (text: string) => sql.batch([{ text, values: [] }], () => true);
  await run("CREATE TABLE things (id TEXT PRIMARY KEY)");
  const rotation = rotationOf(sql);
  expect(await rotation.next("things")).toMatchObject({ after: "" });
  await run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    INSERT INTO things SELECT 'id' || i FROM n`);
  for (let round = 0; round < 2; round++) {
    const counts: number[] = [];
    for (let slice = 0; slice < 3; slice++) {
      const { after, through } = await rotation.next("things");
      const text = "SELECT COUNT(*) AS n FROM things WHERE id > ? AND id <= ?";
      const [row] = await sql.query({ text, values: [after, through] });
      counts.push(Number(row?.["n"]));
    }
    expect(counts).toEqual([1_000, 1_000, 500]);
  }
  await sql.close();
});
