import { afterAll, beforeAll, expect, test } from "bun:test";

import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { readPostgres } from "../../adapters/postgres/reader.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import { UnfinishedImport } from "../../lib/sql/sql.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { schemas } from "../../server/data/storage.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { exportInstallation, importInstallation } from "../../server/data/transfer.ts";
import { putting } from "../../transfer/blobs.ts";
import type { EmptyDatabase } from "../../transfer/copy.ts";
import { writeExport } from "../../transfer/export.ts";
import { checkExport, openExport, writeImport, type ImportTarget } from "../../transfer/import.ts";
import { beginImport, markDatabase, removeTables } from "../../transfer/marks.ts";
import { postgresSnapshot } from "../../transfer/postgres-snapshot.ts";
import { created, tablesOf } from "../../transfer/tables.ts";
import { filesIn, shelter } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { chance } from "../helpers/chance.ts";
import { databasesOf, drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { runProgram, startProgram } from "../helpers/process.ts";
import { rejection } from "../helpers/rejection.ts";
import { contentsOf, empty, exported, filled, importing } from "../transfer/fixture.ts";
import { run, sameKey, SINCE, sinceIn } from "../transfer/stores.ts";

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server[Symbol.asyncDispose]());

const nothing = (): void => {};

test.each(Object.entries(drivers))(
  "by %s, an export of SQLite is imported into PostgreSQL, which continues its numbers and exports the same",
  async (_driver, connect) => {
    const here = await filled(chance());
    await addLongTexts(here);
    const from = await exported(here);
    const { url, giveBack } = await databasesOf(server).take();
    const sql = await postgresSql({ url, connect, connections: 4 });
    const whole = await openExport(from, schemas, nothing);
    await checkExport(whole, nothing);
    const read = async () => postgresSnapshot(await readPostgres({ url, connect }));
    expect(await beginImport(sql, 1)).toBe(true);
    let opened: unknown;
    await writeImport(whole, importInto({ sql, read }), (step) => {
      if (step === "copying rows") opened ??= rejection(migrate(sql, schemas, 1));
    });
    await markDatabase(sql, undefined, 1);
    // Until the last batch, no program opens the database.
    expect(await opened).toBeInstanceOf(UnfinishedImport);
    await migrate(sql, schemas, 2);
    expect(await beginImport(sql, 2)).toBe(false);
    // Only what is marked as incomplete is removed.
    expect(await removeTables(sql, created, { kind: "unfinished" })).toBe(false);

    const to = join(await scratch(), "export");
    const add =
      "INSERT INTO feed (topic, subject, written_at) VALUES ('key', 'a', 1) RETURNING seq";
    const source = {
      snapshot: await read(),
      tables: await tablesOf(schemas, "export"),
      blobs: memoryBlobs(),
      files: new Map(),
    };
    const last = whole.manifest.tables.find(({ name }) => name === "feed")?.lastNumber ?? 0;
    let added: ReturnType<typeof sql.batch> | undefined;
    const about = { ...whole.manifest, at: 3 };
    const { manifest } = await writeExport(to, source, about, () => {
      // A row that is written meanwhile is not part of the instant.
      added ??= sql.batch([{ text: add, values: [] }], () => true);
    });
    const written = await added;
    expect(written?.ok && written.value[0]?.[0]?.["seq"]).toBe(last + 1);
    // Sequences belong to no instant: it is read before the row is written, or after.
    const lastNumber = manifest.tables.find(({ name }) => name === "feed")?.lastNumber ?? 0;
    expect([last, last + 1]).toContain(lastNumber);
    expect(manifest.tables).toEqual(
      whole.manifest.tables.map((table) =>
        table.name === "feed" ? { ...table, lastNumber } : table,
      ),
    );
    expect(await filesOf(to)).toEqual(await filesOf(from));
    await sql.close();
    await giveBack();
  },
);

/** An import into a database that keeps the files of sites elsewhere. */
function importInto(database: EmptyDatabase): ImportTarget {
  const kept = { keepBlob: putting(memoryBlobs()), keepFile: async () => {} };
  return { database, schemas, ...kept, gap: undefined, at: 1 };
}

/** The files of an export by name, without its manifest, and without the record of earlier exports. */
async function filesOf(path: string): Promise<readonly unknown[]> {
  const files = [...(await contentsOf(path))].filter(([name]) => name !== "manifest.json");
  const recorded = /^.*"type":"installation\.exported".*\n/gm;
  return files.map(([name, content]) => [name, content.replaceAll(recorded, "")]);
}

test("transfer/tables.ts has a line for each table and sequence of an installation in PostgreSQL, and no other", async () => {
  const url = await server.createDatabase();
  const made = await run(await empty(), url, "accounts", "create", "A");
  expect(made).toMatchObject({ exitCode: 0 });
  const named = async (kind: string): Promise<readonly string[]> => {
    const rows = await server.run(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = '${kind}'
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'i')`,
      new URL(url).pathname.slice(1),
    );
    return rows.map(({ relname }) => String(relname)).toSorted();
  };
  expect(await named("r")).toEqual([...created.tables].toSorted());
  expect(await named("S")).toEqual([...created.sequences]);
});

/** Adds rows that are too long for a page of many. */
async function addLongTexts({ database }: DataDirectory): Promise<void> {
  const sql = await bunSqliteSql({ path: database });
  const text = "INSERT INTO deploy_manifests (deploy_id, manifest) VALUES (?, ?)";
  const values = [1, 2, 3].map((id) => [`long ${id}`, "é".repeat(id * 300_000)]);
  await sql.batch(
    values.map((row) => ({ text, values: row })),
    () => true,
  );
  await sql.close();
}

test("an installation goes by commands from SQLite to PostgreSQL and back, and its keys and numbers continue", async () => {
  const here = await shelter(300);
  await writeFile(here.directory.caRoot, "a root");
  const url = await server.createDatabase();
  const there = await sameKey(here.directory);
  const env = { PETSTORE_DATABASE_URL: url };
  const first = await exported(here.directory);

  const imported = await run(there, url, "import", "--all", first);
  expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
  expect(imported.stdout).toContain(`Imported into postgres://127.0.0.1:${server.port}/`);
  expect(await sinceIn(server, url)).toMatchObject(SINCE);
  const again = await run(await sameKey(here.directory), url, "import", "--all", first);
  expect(again).toMatchObject({ exitCode: 3 });
  expect(again.stderr).toContain("is not empty. Create a new database.");
  const second = join(await scratch(), "export");
  expect(await run(there, url, "export", "--all", second)).toMatchObject({ exitCode: 0 });
  expect(await filesOf(second)).toEqual(await filesOf(first));
  // The files of sites are in the database.
  expect(JSON.parse(await Bun.file(join(second, "manifest.json")).text()).blobs).toMatchObject({
    count: expect.any(Number),
    missing: 0,
  });
  expect(await Bun.file(join(second, "blobs.ndjson")).text()).not.toBe("");
  expect(await filesIn(there.path)).not.toContain("blobs");

  await using serving = await startProgram({ dataDir: there.path, env });
  const client = api({ base: serving.origin, key: here.key });
  const { body } = await client.post("/v1/pets", { name: "New", categoryId: 1 });
  expect(body).toMatchObject({ id: 301 });
  const live = join(await scratch(), "export");
  const running = await run(there, url, "export", "--all", live);
  expect([running.exitCode, running.stderr]).toEqual([
    0,
    expect.stringContaining("A server was running"),
  ]);
  // A command with another directory does not reach the server, but sees it in the database.
  const elsewhere = join(await scratch(), "export");
  const beside = await run(await sameKey(here.directory), url, "export", "--all", elsewhere);
  expect([beside.exitCode, beside.stderr]).toEqual([
    0,
    expect.stringContaining("A server was running"),
  ]);
  await serving.end();

  const back = await sameKey(here.directory);
  const restored = await runProgram(["import", "--all", live, "--data-dir", back.path]);
  expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
  await using local = await startProgram({ dataDir: back.path });
  const listed = await api({ base: local.origin, key: here.key }).get("/v1/pets?limit=2");
  expect(listed.body).toMatchObject([{ id: 301, name: "New" }, { id: 300 }]);
});

test("an import that was interrupted is replaced by the next one, which never removes anything else", async () => {
  const from = await exported(await filled(chance()));
  const url = await server.createDatabase();
  const options = async (databaseUrl: string, directory?: DataDirectory) => {
    const { settings, ...rest } = importing(from, directory ?? (await empty()));
    return { ...rest, settings: { ...settings, databaseUrl } };
  };
  // What a killed import leaves.
  const sql = await postgresSql({ url, connect: (given) => new Bun.SQL(given) });
  const whole = await openExport(from, schemas, nothing);
  const stopped = new Error("killed");
  await beginImport(sql, 1);
  const read = (): never => expect.unreachable();
  const unfinished = writeImport(whole, importInto({ sql, read }), (step, done) => {
    if (step === "copying rows" && done > 40) throw stopped;
  });
  expect(await rejection(unfinished)).toBe(stopped);
  await sql.close();
  const used = await filled(chance());
  const before = await filesIn(used.path);
  const besides = await rejection(importInstallation(await options(url, used)));
  expect(String(besides)).toContain("petstore.db exists. Import into PostgreSQL with a new");
  // Reading leaves an empty log.
  const kept = (await filesIn(used.path)).filter((name) => !/-(?:shm|wal)$/.test(name));
  expect(kept).toEqual([...before, "petstore.lock"].toSorted());

  const directory = await empty();
  await importInstallation(await options(url, directory));
  const to = join(await scratch(), "export");
  const made = { to, kept: undefined, serving: false, version: "1.2.3" };
  await exportInstallation({ ...(await options(url, directory)), ...made });
  expect(await filesOf(to)).toEqual(await filesOf(from));
});
