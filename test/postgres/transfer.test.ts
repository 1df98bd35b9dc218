import { afterAll, beforeAll, expect, test } from "bun:test";

import { join } from "node:path";

import { number, text } from "../../lib/sql/rows.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import type { Sql, SqlRow, SqlValue } from "../../lib/sql/sql.ts";
import { UnfinishedImport } from "../../lib/sql/sql.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { schemas } from "../../server/compose.ts";
import { writeExport, type Snapshot } from "../../transfer/export.ts";
import { checkExport, openExport, writeImport } from "../../transfer/import.ts";
import { tablesOf, type Table } from "../../transfer/tables.ts";
import { scratch } from "../cli/installation.ts";
import { chance } from "../helpers/chance.ts";
import { databasesOf, drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { rejection } from "../helpers/rejection.ts";
import { contentsOf, exported, filled } from "../transfer/fixture.ts";

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
}, 60_000);

afterAll(() => server[Symbol.asyncDispose]());

test.each(Object.entries(drivers))(
  "by %s, an export of SQLite is imported into PostgreSQL, which continues its numbers and exports the same",
  async (_driver, connect) => {
    const from = await exported(await filled(chance()));
    const sql = await databasesOf(server).open(connect);
    const nothing = (): void => {};
    const whole = await openExport(from, schemas, nothing);
    await checkExport(whole, nothing);
    const target = {
      sql,
      schemas,
      blobs: memoryBlobs(),
      keepFile: async () => {},
      gap: undefined,
      at: 1,
    };
    let opened: unknown;
    await writeImport(whole, target, (what) => {
      if (what === "importing rows") opened ??= rejection(migrate(sql, schemas, 1));
    });
    // Until the last batch, no program opens the database.
    expect(await opened).toBeInstanceOf(UnfinishedImport);
    await migrate(sql, schemas, 2);
    expect(await rejection(writeImport(whole, target, nothing))).toMatchObject({
      message: "The database is not empty. Import into an empty one.",
    });

    const to = join(await scratch(), "export");
    const source = {
      snapshot: snapshotOf(sql),
      tables: await tablesOf(schemas),
      blobs: memoryBlobs(),
      files: new Map(),
    };
    await writeExport(to, source, { ...whole.manifest, at: 3 }, nothing);
    expect(await contentsOf(to)).toEqual(await contentsOf(from));
    const last = whole.manifest.tables.find(({ name }) => name === "feed")?.lastNumber ?? 0;
    const add =
      "INSERT INTO feed (topic, subject, written_at) VALUES ('key', 'a', 1) RETURNING seq";
    const added = await sql.batch([{ text: add, values: [] }], () => true);
    expect(added.ok && added.value[0]?.[0]?.["seq"]).toBe(last + 1);
    await sql.close();
  },
  60_000,
);

/** Reads a database that nothing else writes to. */
function snapshotOf(sql: Sql): Snapshot {
  const query = async (
    query: string,
    values: readonly SqlValue[] = [],
  ): Promise<readonly SqlRow[]> => sql.query({ text: query, values });
  return {
    rows: async function* ({ name, columns, key }: Table) {
      const members = columns.map((column) => `${column.name} AS "${column.member}"`).join(", ");
      yield* await query(`SELECT ${members} FROM ${name} ORDER BY ${key.join(", ")}`);
    },
    lastNumber: async ({ name, numbered = "" }) => {
      const [row] = await query(
        `SELECT COALESCE(pg_sequence_last_value(CAST(pg_get_serial_sequence('${name}', '${numbered}') AS regclass)), 0) AS last`,
      );
      return row === undefined ? 0 : number(row, "last");
    },
    blobs: async function* () {
      for (const row of await query("SELECT DISTINCT sha256 FROM deploy_blobs ORDER BY sha256")) {
        yield text(row, "sha256");
      }
    },
    close: () => {},
  };
}
