import { afterAll, beforeAll, expect, test } from "bun:test";

import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { placeOf, type Place } from "../../backup/place.ts";
import type { BackupReport } from "../../backup/job.ts";
import { silentLog } from "../../lib/base/log.ts";
import { migrate, systemClock, type Sql } from "../../lib/index.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { createBackups, jobOf } from "../../server/backup/backups.ts";
import { asOnlyBackup, backUpAlone, claim, runJob } from "../../server/backup/postgres.ts";
import { restoreInstallation } from "../../server/backup/restore.ts";
import { historyInSql } from "../../server/backup/state.ts";
import { blobPlaceOf, blobSchemasOf } from "../../server/data/blobs.ts";
import { knownSchemas, openStorage, schemas } from "../../server/data/storage.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { FINGERPRINT, fingerprintOf } from "../../server/data/encryption-key.ts";
import { loadSettings } from "../../settings/load.ts";
import type { Settings } from "../../settings/options.ts";
import { schemasAt } from "../../transfer/tables.ts";
import { scriptsOf } from "../backup/commands.ts";
import { contentsOf, filesIn, noise, request } from "../backup/fixture.ts";
import { deploy, visit } from "../backup/sites.ts";
import { installation, scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { chance } from "../helpers/chance.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { command, startProgram } from "../helpers/process.ts";
import { rejection } from "../helpers/rejection.ts";
import { empty, filled, KEY, open } from "../transfer/fixture.ts";
import { move, SINCE, sinceIn } from "../transfer/stores.ts";

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server[Symbol.asyncDispose]());

const connected = (url: string): Promise<Sql> =>
  postgresSql({ url, connect: (options) => new Bun.SQL(options), connections: 4 });

async function settingsOf(
  url: string | undefined,
  flags: Readonly<Record<string, string>> = {},
): Promise<Settings> {
  const environment = { PETSTORE_DATABASE_URL: url };
  return (await loadSettings({ flags, environment })).settings;
}

/** Backs up in this process, as a command does without a server. */
async function backUp(url: string | undefined, directory: DataDirectory): Promise<Place> {
  const to = placeOf(join(await scratch(), "one.backup"));
  const settings = await settingsOf(url);
  const asked = { settings, directory, encryptionKey: KEY, version: "1.2.3", rehearse: true };
  const job = await jobOf(to, asked);
  const report = await backUpAlone({ settings, directory }, () =>
    runJob(job, systemClock, () => {}),
  );
  expect(report).toMatchObject({ to: to.path, rehearsed: true });
  return to;
}

async function restore(from: Place, url: string | undefined): Promise<DataDirectory> {
  const directory = await empty();
  const settings = await settingsOf(url);
  const blobs = blobPlaceOf(settings, directory);
  await restoreInstallation({ ...request(from, directory), settings, blobs });
  return directory;
}

test("a backup of SQLite restores into PostgreSQL, its backup into both, and every value survives", async () => {
  const here = await filled(chance(), "move");
  // Completes the searchable names.
  await (await open(here)).close();
  const before = contentsOf(here);
  const url = await server.createDatabase();
  const there = await restore(await backUp(undefined, here), url);
  expect(await filesIn(there.path)).not.toContain("petstore.db");
  expect(await sinceIn(server, url)).toMatchObject(SINCE);

  const from = await backUp(url, there);
  const back = contentsOf(await restore(from, undefined));
  // Kept in the database, which remembers its backups.
  expect(withoutHistory(back)).toEqual(withoutHistory(before));
  const other = await server.createDatabase();
  const copy = await restore(from, other);
  const again = contentsOf(await restore(await backUp(other, copy), undefined));
  expect(withoutHistory(again)).toEqual(withoutHistory(before));
});

test("a backup succeeds while other processes write", async () => {
  const here = await filled(chance(), "move");
  await (await open(here)).close();
  const url = await server.createDatabase();
  const there = await restore(await backUp(undefined, here), url);
  const sql = await connected(url);
  const notice = "INSERT INTO feed (topic, subject, written_at) VALUES ('key', 'a', 1)";
  let ended = false;
  let written = 0;
  const writing = (async () => {
    for (; !ended; written++) await sql.batch([{ text: notice, values: [] }], () => true);
  })();
  try {
    await backUp(url, there);
  } finally {
    ended = true;
    await writing;
    await sql.close();
  }
  expect(written).toBeGreaterThan(1);
});

/** The settings are rows that differ by the history of backups. */
function withoutHistory(contents: object): object {
  const { tables, ...rest } = contents as { readonly tables: Record<string, unknown> };
  const { settings: _, petstore_migrations: __, ...others } = tables;
  return { ...rest, tables: others };
}

/** A machine over a database, in a directory with the options in files. */
async function machine(url: string) {
  const home = await scratch();
  const dataDir = join(home, "petstore-data");
  const env = {
    PETSTORE_DATABASE_URL_FILE: join(home, "database-url"),
    PETSTORE_ENCRYPTION_KEY_FILE: join(home, "encryption.key"),
  };
  await Bun.write(env.PETSTORE_DATABASE_URL_FILE, url);
  await Bun.write(env.PETSTORE_ENCRYPTION_KEY_FILE, Buffer.from(KEY).toString("base64"));
  const here = await installation(dataDir, env);
  return {
    home,
    run: here.run,
    json: here.json,
    serve: (at: string = dataDir) => startProgram({ dataDir: at, env }),
    /** Runs a script, which must succeed; returns its output. */
    script: async (text: string): Promise<string> => {
      const petstore = `petstore() { ${command.join(" ")} "$@"; }`;
      const child = Bun.spawn(["sh", "-e", "-c", `${petstore}\n${text}`], {
        cwd: home,
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["ignore", "pipe", "ignore"],
      });
      const output = await new Response(child.stdout).text();
      expect(await child.exited).toBe(0);
      return output;
    },
  };
}

test("the commands of docs/scaling.md back up while servers run, and restore into an empty database only", async () => {
  const url = await server.createDatabase();
  const here = await machine(url);
  await using serving = await here.serve();
  const { id } = await here.json<{ id: string }>("accounts", "create", "Happy Tails");
  const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
  const { slug } = await here.json<{ slug: string }>("projects", "create", "S", "--account", id);
  await deploy(here, "Animals", { "photo.bin": noise(900_000) }, slug);
  const client = api({ base: serving.origin, key });
  for (const name of ["Rex", "Bello"]) await client.post("/v1/pets", { name, categoryId: 1 });

  const [before = "", after = ""] = await scriptsOf("postgres-backup", "scaling");
  const first = await here.script(before);
  expect(first).toContain("2 site files, ");
  expect(first).toContain("The backup is sound: 1 account");
  // From another machine, whose server does not run.
  const to = join(here.home, "backups/");
  const other = await machine(url);
  const second = await other.json<BackupReport>("backup", to);
  // The site files are stored once.
  expect([second.blobs, second.bytes - second.writtenBytes > 800_000]).toEqual([2, true]);
  const { stdout } = await here.run("doctor");
  expect(stdout).toMatch(/^- +backups +Not scheduled; the last one by hand: /m);
  const refused = await other.run("restore", to, "--yes");
  expect([refused.exitCode, refused.stderr]).toEqual([
    3,
    expect.stringContaining("is not empty. Create a new database."),
  ]);

  await Bun.write(join(here.home, "new-database-url"), await server.createDatabase());
  const restored = await here.script(after);
  expect(restored).toContain(`Restored into postgres://127.0.0.1:${server.port}/`);
  expect(restored).not.toContain("FAIL");
  await Bun.write(join(here.home, "database-url"), Bun.file(join(here.home, "new-database-url")));
  await using copy = await here.serve(join(here.home, "new-data"));
  const there = api({ base: copy.origin, key });
  expect((await there.get("/v1/pets")).body).toMatchObject([{ name: "Bello" }, { name: "Rex" }]);
  // Numbers that the lost database may have assigned are not assigned again.
  const created = await there.post<{ id: number }>("/v1/pets", { name: "New", categoryId: 1 });
  expect(created.body.id).toBeGreaterThan(1_000_000);
  const photo = await visit(copy, slug, "/photo.bin");
  expect(Buffer.compare(await photo.bytes(), noise(900_000))).toBe(0);
});

test("a restore that fails leaves an empty database, and one that was interrupted can be repeated", async () => {
  const here = await filled(chance());
  await (await open(here)).close();
  const from = await backUp(undefined, here);
  const damaged = join(await scratch(), "damaged.backup");
  const bytes = await Bun.file(from.path).bytes();
  bytes[bytes.length - 70_000] = (bytes.at(-70_000) ?? 0) ^ 1;
  await Bun.write(damaged, bytes);
  const url = await server.createDatabase();
  const name = new URL(url).pathname.slice(1);
  const tables = () => server.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", name);
  expect(String(await rejection(restore(placeOf(damaged), url)))).toContain("is damaged");
  expect(await tables()).toHaveLength(0);

  // What a killed restore leaves.
  await server.run(
    `CREATE TABLE schema_migrations (component TEXT, version INTEGER, applied_at BIGINT);
      INSERT INTO schema_migrations VALUES ('unfinished import', 1, 1); CREATE TABLE pets (id BIGINT)`,
    name,
  );
  const { run } = await machine(url);
  const refused = await run("accounts", "list");
  expect([refused.exitCode, refused.stderr]).toEqual([
    3,
    expect.stringMatching(/ restore or .* migrate/),
  ]);
  await restore(from, url);
  expect((await run("accounts", "list")).exitCode).toBe(0);
});

test("rows that PostgreSQL does not accept fail a restore and a move with their table, and leave an empty database", async () => {
  const here = await filled(chance());
  // SQLite keeps integers of 64 bits in every column.
  const sql = await bunSqliteSql({ path: here.database });
  await sql.batch([{ text: "UPDATE answers SET status = ?", values: [2 ** 40] }], () => true);
  await sql.close();
  const url = await server.createDatabase();
  const refusal = {
    name: "Failure",
    exit: "failed",
    message: expect.stringMatching(
      /^postgres:\/\/\S+ does not accept the rows of the table answers from row 1: .*1099511627776.* out of range/,
    ),
  };
  const from = await backUp(undefined, here);
  expect(await rejection(restore(from, url))).toMatchObject(refusal);
  expect(await rejection(move("postgres", here, url))).toMatchObject(refusal);
  const name = new URL(url).pathname.slice(1);
  const tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'public'";
  expect(await server.run(tables, name)).toHaveLength(0);
});

/** The backups of a server on a database, which the caller closes. */
async function scheduled(sql: Sql, settings: Settings, directory: DataDirectory) {
  return createBackups({
    settings,
    directory,
    encryptionKey: KEY,
    runtime: { clock: systemClock, version: "1.2.3" },
    hold: () => ({ [Symbol.dispose]: () => {} }),
    history: historyInSql(sql),
    log: silentLog,
  });
}

test("of several nodes one makes the scheduled backup, and none beside another backup", async () => {
  const url = await server.createDatabase();
  const here = await filled(chance());
  await (await open(here)).close();
  const directory = await restore(await backUp(undefined, here), url);
  const to = join(await scratch(), "backups");
  const settings = await settingsOf(url, { "backup-to": to });
  const sql = await connected(url);
  const nodes = [
    await scheduled(sql, settings, directory),
    await scheduled(sql, settings, await empty()),
  ];
  const history = historyInSql(sql);
  const place = { settings, directory, history };

  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = asOnlyBackup(place, async () => {
    begun.resolve();
    await gate.promise;
    return undefined;
  });
  await begun.promise;
  for (const { jobs } of nodes) await jobs.tick();
  const asked = await rejection(backUpAlone({ settings, directory }, () => Promise.reject()));
  expect(String(asked)).toContain("Another backup is running. Try again later.");
  // That one is not a failure of theirs.
  expect(await history.read()).toEqual({ failures: 0 });
  gate.resolve();
  await running;

  const started = [
    await scheduled(sql, settings, directory),
    await scheduled(sql, settings, await empty()),
  ];
  await Promise.all(started.map(({ jobs }) => jobs.tick()));
  expect((await readdir(join(to, "backups"))).filter((name) => name.endsWith(".age"))).toHaveLength(
    1,
  );
  expect(await history.read()).toMatchObject({ good: { to, rehearsed: true }, failures: 0 });
  for (const { jobs } of [...nodes, ...started]) await jobs.stop();
  await sql.close();
});

test("no node deletes a file of a site while another one reads an older state", async () => {
  const url = await server.createDatabase();
  const blobs = memoryBlobs();
  const storage = await openStorage(await connected(url), () => blobs, [], { id: "a", name: "a" });
  const { sha256 } = await storage.blobs.put(Buffer.from("a photo"));
  const place = { settings: await settingsOf(url), directory: await empty() };
  const [first, second] = [
    await claim(place, { alone: false }),
    await claim(place, { alone: false }),
  ];
  const isDeleted = async (): Promise<boolean> => {
    await storage.blobs.delete(sha256);
    return (await blobs.size(sha256)) === undefined;
  };
  expect(await isDeleted()).toBe(false);
  // Limits are set up and counted meanwhile.
  await storage.counters?.setUp();
  await first?.release();
  expect([await isDeleted(), await second?.holds()]).toEqual([false, true]);
  // A claim ends with its connection, as when its machine is lost, and its holder notices.
  await server.run(
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND objid = 3",
    new URL(url).pathname.slice(1),
  );
  expect([await isDeleted(), await second?.holds()]).toEqual([true, false]);
  await second?.release();
  await storage.close();
});

test("a backup that lacks files of sites, and may have lost them on the way, fails", async () => {
  const url = await server.createDatabase();
  const sql = await connected(url);
  await migrate(sql, schemas, 1);
  const place = { settings: await settingsOf(url), directory: await empty() };
  const history = historyInSql(sql);
  const report = { missingBlobs: ["ab"], at: 1, to: "/mnt", bytes: 1, rehearsed: true };
  const lost = asOnlyBackup({ ...place, history }, async () => {
    await server.run(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4",
      new URL(url).pathname.slice(1),
    );
    // Only these members are read.
    return report as unknown as BackupReport;
  });
  expect(String(await rejection(lost))).toContain("The connection to the database broke");
  expect(await history.read()).toEqual({ failures: 0 });
  await sql.close();
});

test("an upgrade of the tables needs a young backup, which can be made before it and restored after it", async () => {
  const url = await server.createDatabase();
  const sql = await connected(url);
  const known = Object.fromEntries(knownSchemas);
  const older = { ...known, petstore: (known["petstore"] ?? 0) - 1 };
  const settings = await settingsOf(url);
  const place = { settings, directory: await empty() };
  const files = blobSchemasOf(blobPlaceOf(settings, place.directory), place);
  await migrate(sql, [...schemasAt(schemas, older), ...files], 1);
  const fingerprint = [FINGERPRINT, fingerprintOf(KEY)];
  await sql.batch(
    [{ text: "INSERT INTO settings (name, value) VALUES (?, ?)", values: fingerprint }],
    () => true,
  );
  const versions = async () => {
    const text =
      "SELECT MAX(version) AS version FROM petstore_migrations WHERE component = 'petstore'";
    return (await sql.query({ text, values: [] }))[0]?.["version"];
  };
  const { run } = await machine(url);
  const to = `${await scratch()}/`;
  const refused = await run("accounts", "list");
  expect([refused.exitCode, refused.stderr]).toEqual([
    3,
    expect.stringMatching(
      new RegExp(
        `\\(petstore from ${older.petstore} to ${known["petstore"]}\\), but it has no backup, and backup-max-age is 48 hours\\. ` +
          "Nothing was changed\\. Back it up, then start again: .+ backup FILE\\|DIRECTORY\\|s3://…\\. ",
      ),
    ),
  ]);
  const saved = await run("backup", to);
  expect([saved.exitCode, saved.stderr]).toEqual([0, expect.stringContaining("Keep elsewhere")]);
  expect(await versions()).toBe(older.petstore);

  // One that is too old, or from the future, does not count.
  const history = historyInSql(sql);
  const { good } = await history.read();
  if (good === undefined) throw new Error("unreachable: it was remembered");
  for (const at of [good.at - 49 * 3_600_000, good.at + 49 * 3_600_000]) {
    await history.write({ good: { ...good, at }, failures: 0 });
    expect((await run("accounts", "list")).stderr).toContain("but its last backup is of 20");
  }
  expect(await versions()).toBe(older.petstore);
  await history.write({ good, failures: 0 });
  expect((await run("accounts", "list")).exitCode).toBe(0);
  expect(await versions()).toBe(known["petstore"]);

  const target = await server.createDatabase();
  const restored = await machine(target);
  expect(await restored.run("restore", to, "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await restored.run("accounts", "list")).exitCode).toBe(0);
  await sql.close();
});
