import { writeSync } from "node:fs";
import { join } from "node:path";

import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { fileSink } from "../../../server/data/files.ts";
import { newTokenFile } from "../../../cli/token-file.ts";
import { migrate } from "../../../lib/index.ts";
import { manualClock } from "../../../testing/clock.ts";

/** Runs in its own process: performs commands' durable writes and reports each. */
const [root = ""] = process.argv.slice(2);
const done = (what: string): void => void writeSync(1, `DONE ${what}\n`);

const token = await newTokenFile(join(root, "token"));
await token.write("pet_manage_1");
done("token");

const sink = await fileSink(join(root, "export.csv"));
await sink.write("id,name\n");
await sink.finish();
done("export");

const options = {
  path: join(root, "shop.db"),
  clock: manualClock(Date.UTC(2026, 6, 1, 12)),
  onCopy: () => done("copy"),
};
const [one, two] = [() => ["CREATE TABLE items (id)"], () => ["CREATE TABLE more (id)"]];
for (const migrations of [[one], [one, two]]) {
  const sql = await bunSqliteSql(options);
  await migrate(sql, [{ component: "shop", migrations }], 0);
  await sql.close();
}
