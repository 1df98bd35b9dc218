import { afterAll, beforeAll, expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { existsSync, statfsSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { readContents, type Contents } from "../../backup/snapshot.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import { schemaVersion } from "../../lib/storage/migrations.ts";
import { schemas } from "../../server/data/storage.ts";
import { dataDirectory, type DataDirectory } from "../../server/data/data-directory.ts";
import { filesOf } from "../../server/data/found-database.ts";
import { schemasAt } from "../../transfer/tables.ts";
import { scratch } from "../cli/installation.ts";
import { ENCRYPTION_KEY } from "../fixtures/database.ts";
import { api } from "../helpers/api.ts";
import { chance, torture } from "../helpers/chance.ts";
import { command, runProgram, startProgram, temporaryDirectory } from "../helpers/process.ts";

const FIXTURE = new URL("../fixtures/2026-11.db.gz", import.meta.url);
/** Printed by the maker of the fixture. */
const KEY = "pet_live_YclVQlewjg_eoKQwY8XI5bWK9iN5QNaMbWRRYC2B3mt42Cwgg";
/** The version of the component `petstore` from which the tests upgrade. */
const OLD = 4;
const STEP = `petstore-${OLD}-to-${schemaVersion}`;
const ANIMALS = 10_000;

let old: Uint8Array;
let oldColumns: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const directory = await scratch();
  const [newer, path] = [join(directory, "newer.db"), join(directory, "old.db")];
  await writeFile(newer, Bun.gunzipSync(await Bun.file(FIXTURE).bytes()));
  const versions = { ...readContents(newer).schemas, petstore: OLD };
  const sql = await bunSqliteSql({ path });
  await migrate(sql, schemasAt(schemas, versions), 0);
  await sql.close();
  using database = new Database(path);
  database.run("PRAGMA journal_mode = DELETE");
  database.run("ATTACH ? AS newer", [newer]);
  for (const [table, columns] of columnsOf(database)) {
    if (table === "petstore_migrations") continue;
    const names = columns.join(", ");
    database.run(`INSERT OR REPLACE INTO ${table} (${names}) SELECT ${names} FROM newer.${table}`);
  }
  database.run("DETACH newer");
  // Enough that a kill can happen in the middle.
  database.run(`
    INSERT INTO pets (catalogue_id, id, name, category_id, status, version, created_at, updated_at)
    WITH RECURSIVE n(id) AS (SELECT 10 UNION ALL SELECT id + 1 FROM n WHERE id < ${ANIMALS})
    SELECT catalogue_id, n.id, 'Zoë ' || n.id, category_id, 'available', 1, created_at, updated_at
    FROM n, (SELECT * FROM pets WHERE id = 1 LIMIT 1)`);
  database.run("VACUUM");
  oldColumns = columnsOf(database);
  old = new Uint8Array(await readFile(path));
});

/** The columns of each table. */
function columnsOf(database: Database): ReadonlyMap<string, readonly string[]> {
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  const columns = database.query<{ name: string }, [string]>(
    "SELECT name FROM pragma_table_info(?, 'main')",
  );
  return new Map(tables.map(({ name }) => [name, columns.all(name).map((one) => one.name)]));
}

/** A data directory as a program of the version `OLD` left it. */
async function leftByOlder(path?: string): Promise<DataDirectory> {
  const directory = dataDirectory(join(path ?? (await scratch()), "data"));
  await mkdir(directory.path, { mode: 0o700, recursive: true });
  await writeFile(directory.encryptionKey, Buffer.from(ENCRYPTION_KEY).toString("base64"), {
    mode: 0o600,
  });
  await writeFile(directory.database, old);
  return directory;
}

/** The contents without what an upgrade changes: new columns, new versions, and what a start writes. */
function lastingOf(path: string): unknown {
  using database = new Database(path, { readonly: true });
  const rows = (query: string): unknown => database.query(query).values();
  const tables = ["pets", "orders", "categories", "events", "accounts"];
  return [
    ...tables.map((table) => {
      const names = oldColumns.get(table)?.join(", ") ?? expect.unreachable();
      return rows(`SELECT ${names} FROM ${table} ORDER BY ${names}`);
    }),
    rows("SELECT id, name, revoked_at FROM api_keys ORDER BY id"),
  ];
}

function versionOf(path: string): number {
  return readContents(path).schemas["petstore"] ?? 0;
}

/**
 * Copies what a killed program left, and has SQLite roll back the unfinished transaction in the copy. The copy spares the
 * original for the next start, and a reader may not roll back: the kill can come before the write-ahead log exists.
 */
async function recoveredCopy({ database }: DataDirectory): Promise<string> {
  const copy = join(await scratch(), "left.db");
  const into = filesOf(copy);
  for (const [index, path] of filesOf(database).entries()) {
    const name = into[index] ?? expect.unreachable();
    if (!path.endsWith("-shm") && existsSync(path)) await copyFile(path, name);
  }
  using recovering = new Database(copy, { readwrite: true });
  recovering.query("SELECT count(*) FROM sqlite_master").values();
  return copy;
}

async function copiesIn({ path }: DataDirectory): Promise<readonly string[]> {
  const names = (await readdir(path)).filter((name) => name.includes(".before-upgrade."));
  return names.map((name) => join(path, name)).toSorted();
}

/** Starts the program and expects every animal in a walk of its pages. */
async function expectUpgraded(directory: DataDirectory): Promise<string> {
  await using server = await startProgram({ dataDir: directory.path });
  const client = api({ base: server.origin, key: KEY });
  let next: string | undefined = "/v1/pets?sort=id&limit=100";
  const walked: number[] = [];
  while (next !== undefined) {
    const { body, headers }: Awaited<ReturnType<typeof client.get>> = await client.get(next);
    // The test reads its own animals.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    walked.push(...(body as { id: number }[]).map(({ id }) => id));
    const url: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    next = url === undefined ? undefined : url.slice(url.indexOf("/v1/"));
  }
  expect(walked).toEqual([
    1,
    2,
    3,
    ...Array.from({ length: ANIMALS - 9 }, (_, index) => index + 10),
  ]);
  expect(versionOf(directory.database)).toBe(schemaVersion);
  using database = new Database(directory.database, { readonly: true });
  expect(database.query("SELECT count(*) FROM pets WHERE folded_name IS NULL").values()).toEqual([
    [0],
  ]);
  return server.output();
}

test("an older database is upgraded; the log names a copy, which is what the older program left", async () => {
  const directory = await leftByOlder();
  const before = lastingOf(directory.database);
  const output = await expectUpgraded(directory);
  const [copy = "", ...more] = await copiesIn(directory);
  expect(more).toEqual([]);
  expect(copy).toContain(STEP);
  expect(output).toContain(copy);
  expect(versionOf(copy)).toBe(OLD);
  expect(readContents(copy)).toEqual(contentsOf(old, await scratch()));
  expect(lastingOf(directory.database)).toEqual(before);
});

function contentsOf(bytes: Uint8Array, directory: string): Contents {
  const path = join(directory, "one.db");
  writeFileSync(path, bytes);
  return readContents(path);
}

test("an upgrade whose last migration fails leaves the old database to the older program", async () => {
  const directory = await leftByOlder();
  {
    using database = new Database(directory.database);
    // The last migration fails, after the earlier ones.
    database.run(`CREATE TRIGGER refuse AFTER INSERT ON petstore_migrations
      WHEN NEW.component = 'petstore' AND NEW.version = ${schemaVersion}
      BEGIN SELECT RAISE(ABORT, 'the last migration fails'); END`);
  }
  const before = readContents(directory.database);
  for (let attempt = 0; attempt < 2; attempt++) {
    const { exitCode, stderr } = await runProgram([
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--data-dir",
      directory.path,
    ]);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("the last migration fails");
    expect(stderr).toContain(STEP);
    expect(readContents(directory.database)).toEqual(before);
  }
  const copies = await copiesIn(directory);
  expect(copies).toHaveLength(2);
  for (const copy of copies) expect(readContents(copy)).toEqual(before);
});

test("kill -9 at any point of an upgrade leaves the old database, or the new one; the next start completes it", async () => {
  const random = chance();
  const before = lastingOf((await leftByOlder()).database);
  const serve = (path: string) => {
    const args = [...command, "serve", "--listen", "127.0.0.1:0", "--data-dir", path];
    return Bun.spawn(args, { stdio: ["ignore", "ignore", "pipe"] });
  };
  const seen = { old: 0, new: 0 };
  for (let round = 0; round < (torture ? 100 : 3); round++) {
    const directory = await leftByOlder();
    // From the first sign of the copy on, so that short rounds hit the upgrade, too.
    const child = serve(directory.path);
    while ((await copiesIn(directory)).length === 0) await Bun.sleep(1);
    await Bun.sleep(random.between(0, 60));
    child.kill("SIGKILL");
    await child.exited;
    const left = await recoveredCopy(directory);
    const version = versionOf(left);
    seen[version === OLD ? "old" : "new"]++;
    expect([OLD, schemaVersion]).toContain(version);
    expect(lastingOf(left)).toEqual(before);
    await expectUpgraded(directory);
    const copies = await copiesIn(directory);
    expect(copies.filter((copy) => copy.includes(".unfinished"))).toEqual([]);
    for (const copy of copies) expect(lastingOf(copy)).toEqual(before);
    await rm(directory.path, { recursive: true });
  }
  if (torture) expect(Math.min(seen.old, seen.new)).toBeGreaterThan(0);
}, 600_000);

// A disk of one's own needs the right to mount.
const small = await temporaryDirectory();
const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", small]);
afterAll(async () => {
  Bun.spawnSync(["umount", "--lazy", small]);
  await rm(small, { recursive: true });
});

test.skipIf(mounted.exitCode !== 0 && process.env["CI"] !== "true")(
  "a disk that is full in the middle of an upgrade leaves the old database, and the next start completes it (needs the right to mount)",
  async () => {
    const directory = await leftByOlder(small);
    const before = readContents(directory.database);
    // Room for the copy, but not for the log of the upgrade as well.
    const filler = join(small, "filler");
    const { bavail, bsize } = statfsSync(small);
    await writeFile(filler, new Uint8Array(bavail * bsize - old.length - 120_000));
    const { exitCode, stderr } = await runProgram([
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--data-dir",
      directory.path,
    ]);
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining("has no space left on its disk"),
    ]);
    expect(stderr).toContain(directory.path);
    expect(readContents(directory.database)).toEqual(before);
    await rm(filler);
    await expectUpgraded(directory);
  },
);
