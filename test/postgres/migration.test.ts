import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { copyFileSync, existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { readPostgres } from "../../adapters/postgres/reader.ts";
import { postgresSql, type PostgresOptions } from "../../adapters/postgres/sql.ts";
import { placeOf } from "../../backup/place.ts";
import { readContents } from "../../backup/snapshot.ts";
import { migrate, systemClock } from "../../lib/index.ts";
import { restoreInstallation } from "../../server/backup/restore.ts";
import { historyInFile, historyInSql } from "../../server/backup/state.ts";
import { knownSchemas, schemas } from "../../server/data/storage.ts";
import { dataDirectory, type DataDirectory } from "../../server/data/data-directory.ts";
import { filesOf, findFile } from "../../server/data/found-database.ts";
import { openInstallation } from "../../server/data/installation.ts";
import { migrateInstallation } from "../../server/data/migration.ts";
import { importInstallation } from "../../server/data/transfer.ts";
import type { Failure } from "../../settings/failure.ts";
import { loadSettings } from "../../settings/load.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { machine, scriptsOf } from "../backup/commands.ts";
import { filesIn, keyIn, request, shelter, type Shelter } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import { api, type Api } from "../helpers/api.ts";
import { chance, runSeed, torture } from "../helpers/chance.ts";
import { databasesOf, startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { command, startProgram } from "../helpers/process.ts";
import { rejection } from "../helpers/rejection.ts";
import { contentsOf, empty, exported, filled, importing, live, open } from "../transfer/fixture.ts";
import {
  exportedFrom,
  move,
  moving,
  run,
  sameKey,
  settingsOf,
  SINCE,
  sinceIn,
} from "../transfer/stores.ts";

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server[Symbol.asyncDispose]());

const connect: PostgresOptions["connect"] = (options) => new Bun.SQL(options);

/** The tables of SQLite that a move carries. */
const MOVED = (await tablesOf(schemas, "move")).map(({ name }) => name);

/** The rows and checksums of the tables of SQLite that a move carries. */
function rowsIn({ database }: DataDirectory): object {
  const { tables } = readContents(database);
  return Object.fromEntries(MOVED.map((name) => [name, tables[name]]));
}

const seeds = Array.from({ length: torture ? 20 : 1 }, (_, index) => runSeed + index);

test.each(seeds)(
  "after a random history (seed %d), a move to PostgreSQL and back changes no row, and keys and numbers continue",
  async (seed) => {
    const here = await empty();
    const opened = await open(here);
    const {
      keys: [key = ""],
    } = await live(opened, chance(seed));
    const { day } = await limitsOf(opened.production(key));
    expect(day.remaining).toBeLessThan(day.limit);
    await opened.close();
    await addSession(here);
    const url = await server.createDatabase();
    const [rows, before] = [rowsIn(here), await contentsOf(await exported(here))];

    const there = await move("postgres", here, url);
    expect(there.copied?.tables.find(({ name }) => name === "member-sessions")?.rows).toBe(1);
    await rm(here.blobs, { recursive: true });
    expect(await contentsOf(await exportedFrom(url, here))).toEqual(before);
    expect([...before.keys()].filter((name) => name.startsWith("blobs/")).length).toBeGreaterThan(
      0,
    );
    const env = { PETSTORE_DATABASE_URL: url };
    {
      await using serving = await startProgram({ dataDir: here.path, env });
      const client = api({ base: serving.origin, key });
      expect((await limitsOf(client)).day).toEqual(day);
      expect((await client.get("/v1/pets?limit=1")).status).toBe(200);
      expect(await serving.end()).toBe(0);
    }
    const served = await contentsOf(await exportedFrom(url, here));

    const back = await move("sqlite", here, url);
    expect(back.copied).toBeDefined();
    expect(await contentsOf(await exported(here))).toEqual(served);
    // A server renews counters, times of use and leases, writes the audit log of the history, and changes nothing else.
    const changed = Object.entries(rowsIn(here)).filter(
      ([name, sum]) => !Bun.deepEquals(sum, (rows as Record<string, unknown>)[name]),
    );
    const allowed = [
      "audit_log",
      "counters",
      "api_keys",
      "usage_minutes",
      "usage_days",
      "setup_links",
      "settings",
    ];
    for (const [name] of changed) expect(allowed).toContain(name);

    await using local = await startProgram({ dataDir: here.path });
    const client = api({ base: local.origin, key });
    expect((await limitsOf(client)).day).toEqual({ ...day, remaining: day.remaining - 1 });
    expect((await client.get("/v1/pets?limit=1")).status).toBe(200);
  },
);

interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

/** Reads the limits of a key, which costs nothing. */
async function limitsOf(client: Api): Promise<{ readonly day: Window }> {
  return (await client.get<{ readonly day: Window }>("/v1/rate-limit")).body;
}

/** A member who has signed in. */
async function addSession({ database }: DataDirectory): Promise<void> {
  const file = new Database(database);
  const columns = file
    .query<{ name: string; type: string }, []>(
      "SELECT name, type FROM pragma_table_info('member_sessions')",
    )
    .all();
  const values = columns.map(({ type }) => (type === "TEXT" ? "a\u0000b" : 2 ** 31 - 1));
  file.run(`INSERT INTO member_sessions VALUES (${columns.map(() => "?").join(", ")})`, values);
  file.close();
}

test.each(torture ? ["public", "My-Shop"] : ["My-Shop"])(
  "every value of every table survives both ways, in the schema %s",
  async (schema) => {
    const here = await filled(chance(), "move");
    // Completes the searchable names.
    await (await open(here)).close();
    const url = await server.createDatabase(schema === "public" ? undefined : schema);
    const rows = rowsIn(here);
    await move("postgres", here, url);
    expect(await sinceIn(server, url)).toMatchObject(SINCE);
    await move("sqlite", here, url);
    expect(rowsIn(here)).toEqual(rows);
  },
);

describe("the commands", () => {
  let here: Shelter;
  let url: string;

  beforeAll(async () => {
    here = await shelter(200);
    url = await server.createDatabase();
  });

  const migrated = (to: string, ...args: readonly string[]) =>
    run(here.directory, url, "migrate", to, ...args);

  test("refuse a running server, whose move they can rehearse, and then move it; the old database does not start", async () => {
    {
      await using serving = await here.serve();
      const refused = await migrated("sqlite-to-postgres");
      expect([refused.exitCode, refused.stderr]).toEqual([75, expect.stringContaining("--check")]);
      const rehearsed = await migrated("sqlite-to-postgres", "--check");
      expect(rehearsed).toMatchObject({ exitCode: 0 });
      expect(rehearsed.stdout).toMatch(
        /^Copied [\d,]+ rows and \d+ files of sites from .* removed the copy in [\d.]+ s\. The move takes/,
      );
      await serving.end();
    }
    expect(await relationsIn(url)).toEqual([]);

    const moved = await migrated("sqlite-to-postgres");
    expect(moved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(moved.stdout).toMatch(
      /^Moved [\d,]+ rows and \d+ files of sites from .*petstore\.db on .* to postgres:.* in [\d.]+ s\. Every table is the same in both\.\nSet database-url/,
    );

    const refusals = [
      ["serve", "--listen", "127.0.0.1:0"],
      ["accounts", "list"],
      ["backup", "x"],
      ["export", "--all", "x"],
      ["doctor"],
    ].map(async (args) => {
      const { exitCode, stdout, stderr } = await run(here.directory, undefined, ...args);
      expect([args[0], exitCode, stdout + stderr]).toEqual([
        args[0],
        args[0] === "doctor" ? 6 : 3,
        expect.stringContaining(`was moved to postgres://127.0.0.1:${server.port}/`),
      ]);
    });
    await Promise.all(refusals);
    const wrong = await run(here.directory, await server.createDatabase(), "accounts", "list");
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      3,
      expect.stringMatching(/was moved to postgres:.* postgres:\S+ is empty\./),
    ]);
    const again = await migrated("sqlite-to-postgres");
    expect(again.stdout).toStartWith("Completed the move from ");

    await using serving = await startProgram({
      dataDir: here.dataDir,
      env: { PETSTORE_DATABASE_URL: url },
    });
    const client = api({ base: serving.origin, key: here.key });
    const { body } = await client.post("/v1/pets", { name: "New", categoryId: 1 });
    expect(body).toMatchObject({ id: 201 });
  });

  test("refuse a server elsewhere on PostgreSQL, and move back, also with what was added", async () => {
    const other = await sameKey(here.directory);
    {
      await using serving = await startProgram({
        dataDir: other.path,
        env: { PETSTORE_DATABASE_URL: url },
      });
      const refused = await migrated("postgres-to-sqlite");
      expect([refused.exitCode, refused.stderr]).toEqual([
        75,
        expect.stringContaining("is in use by a server or another command"),
      ]);
      const rehearsed = await migrated("postgres-to-sqlite", "--check", "--json");
      expect(JSON.parse(rehearsed.stdout)).toMatchObject({
        moved: false,
        tables: { pets: { rows: 201 } },
      });
      await serving.end();
    }
    const moved = await migrated("postgres-to-sqlite", "--json");
    expect(moved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(moved.stdout)).toMatchObject({
      moved: true,
      tables: { pets: { rows: 201 } },
    });
    const old = await run(other, url, "accounts", "list");
    expect([old.exitCode, old.stderr]).toEqual([3, expect.stringContaining("petstore.db on ")]);
    expect((await run(other, url, "doctor")).stdout).toContain("was moved to ");
    await using serving = await here.serve();
    const listed = await api({ base: serving.origin, key: here.key }).get("/v1/pets?limit=1");
    expect(listed.body).toMatchObject([{ id: 201, name: "New" }]);
    await serving.end();
    // What was moved away is not overwritten.
    const forth = await migrated("sqlite-to-postgres");
    expect([forth.exitCode, forth.stderr]).toEqual([3, expect.stringContaining("was moved to ")]);
  });
});

describe("a move is refused, and changes nothing,", () => {
  let here: DataDirectory;

  beforeAll(async () => {
    here = await filled(chance());
    // Completes the searchable names.
    await (await open(here)).close();
  });

  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");

  test.each<[string, () => Promise<Record<string, string>>, Failure["exit"], string]>([
    ["without an address", async () => ({}), "configuration", "Set database-url to the address"],
    [
      "to an address that does not answer",
      async () => ({ PETSTORE_DATABASE_URL: "postgres://pets:secret@127.0.0.1:1/pets" }),
      "tryLater",
      "Cannot use postgres://127.0.0.1:1/pets",
    ],
    [
      "to a database with an installation",
      async () => {
        const url = await server.createDatabase();
        const sql = await postgresSql({ url, connect });
        await migrate(sql, schemas, 1);
        await sql.close();
        return { PETSTORE_DATABASE_URL: url };
      },
      "configuration",
      "is not empty. Create a new database.",
    ],
    [
      "to a database of another program",
      async () => {
        const url = await server.createDatabase();
        await server.run("CREATE TABLE invoices (id INTEGER)", databaseOf(url));
        return { PETSTORE_DATABASE_URL: url };
      },
      "configuration",
      "tables of another program, such as invoices",
    ],
    [
      "by a user without rights",
      async () => {
        const url = await server.createDatabase();
        await server.run("CREATE ROLE guest LOGIN", databaseOf(url));
        return { PETSTORE_DATABASE_URL: url.replace("postgres@", "guest@") };
      },
      "configuration",
      "may not create tables",
    ],
    [
      "with another key",
      async () => ({
        PETSTORE_DATABASE_URL: await server.createDatabase(),
        PETSTORE_ENCRYPTION_KEY: key(9),
      }),
      "configuration",
      "is not the key of this database",
    ],
  ])("%s", async (_what, prepare, exit, words) => {
    const before = rowsIn(here);
    const { settings } = await loadSettings({
      flags: {},
      environment: { PETSTORE_ENCRYPTION_KEY: key(7), ...(await prepare()) },
    });
    const failure = await rejection(migrateInstallation(moving("postgres", here, settings)));
    expect(failure).toMatchObject({ exit, message: expect.stringContaining(words) });
    expect(String(failure)).not.toContain("secret");
    expect(rowsIn(here)).toEqual(before);
    expect(findFile(here)).toBe("ours");
  });

  test("into a directory with a database in use, and from a newer one", async () => {
    const url = await server.createDatabase();
    const source = await filled(chance());
    await move("postgres", source, url);
    const before = rowsIn(here);
    expect(await rejection(move("sqlite", here, url))).toMatchObject({
      exit: "configuration",
      message: expect.stringContaining("petstore.db is not empty. Choose another directory"),
    });
    expect(rowsIn(here)).toEqual(before);
    const version = (knownSchemas.get("petstore") ?? 0) + 1;
    await server.run(
      `INSERT INTO petstore_migrations VALUES ('petstore', ${version}, 1)`,
      databaseOf(url),
    );
    expect(await rejection(move("sqlite", source, url))).toMatchObject({
      exit: "configuration",
      message: expect.stringContaining("newer program"),
    });
  });
});

test("what a killed move leaves in a file is removed by another move, and never by a restore or an import", async () => {
  const here = await filled(chance());
  const backup = join(await scratch(), "one.backup");
  expect((await run(here, undefined, "backup", backup)).exitCode).toBe(0);
  const from = await exported(here);
  const url = await server.createDatabase();
  await move("postgres", here, url);

  const killed = await sameKey(here);
  const stopped = new Error("killed");
  const failure = await rejection(
    migrateInstallation({
      ...moving("sqlite", here, await settingsOf(url, here)),
      onProgress: (step) => {
        if (step !== "comparing rows") return;
        for (const file of filesOf(here.database)) {
          if (existsSync(file)) copyFileSync(file, join(killed.path, basename(file)));
        }
        throw stopped;
      },
    }),
  );
  expect(String(failure)).toContain("killed");
  // Those of the installation in PostgreSQL.
  await mkdir(killed.blobs);
  for (const path of [join(killed.blobs, "one"), killed.caRoot, killed.caKey]) {
    await writeFile(path, "in use");
  }
  const before = await filesIn(killed.path);
  for (const refused of [
    () => restoreInstallation(request(placeOf(backup), killed)),
    () => importInstallation(importing(from, killed)),
  ]) {
    expect(await rejection(refused())).toMatchObject({
      exit: "configuration",
      message: expect.stringContaining("is not empty: it contains blobs, internal-ca."),
    });
  }
  expect(await filesIn(killed.path)).toEqual(expect.arrayContaining([...before]));
  expect((await move("sqlite", killed, url)).copied).toBeDefined();
  expect(await readFile(killed.caKey, "utf8")).toBe("in use");
  expect(await filesIn(killed.blobs)).toContain("one");
});

test("a move leaves no half behind: the internal CA, where files are, and the last backup", async () => {
  const here = await empty();
  await (await open(here)).close();
  const elsewhere = dataDirectory(join(await scratch(), "elsewhere"));
  const key = Buffer.from(await keyIn(here)).toString("base64");
  const args = ["--listen-https=127.0.0.1:0", "--acme=internal"];
  const rootIn = (directory: DataDirectory): Promise<string> => readFile(directory.caRoot, "utf8");
  const serve = async (directory: DataDirectory, url?: string): Promise<string> => {
    const database = url === undefined ? {} : { PETSTORE_DATABASE_URL: url };
    const env = { ...database, PETSTORE_ENCRYPTION_KEY: key };
    await using program = await startProgram({ dataDir: directory.path, args, env });
    expect(await program.end()).toBe(0);
    return rootIn(directory);
  };
  const root = await serve(here);
  const backups = historyInFile(here);
  const good = { at: 1_000, to: "/backups", bytes: 1, rehearsed: true };
  await backups.write({ good, failures: 0 });

  const url = await server.createDatabase();
  await move("postgres", here, url);
  // A node on another machine, which has never seen the root, is the first to start.
  expect(await serve(elsewhere, url)).toBe(root);
  expect(await serve(here, url)).toBe(root);
  const sql = await postgresSql({ url, connect, connections: 2 });
  expect(await historyInSql(sql).read()).toEqual({ good, failures: 0 });
  const later = { good: { ...good, at: 2_000 }, failures: 0 };
  await historyInSql(sql).write(later);
  await sql.close();

  // As if the directory had had its files in a bucket before.
  await writeFile(here.blobsUrl, "s3://old-bucket\n");
  await move("sqlite", here, url);
  expect(await backups.read()).toEqual(later);
  expect(await serve(here)).toBe(root);
});

test("the commands of docs/scaling.md move an installation to PostgreSQL and back", async () => {
  const { here, path, run: runScript } = await machine();
  const rows = rowsIn(here.directory);
  await Bun.write(path("database-url"), await server.createDatabase());
  const scripts = (await scriptsOf("move", "scaling")).join("\n");
  const output = await runScript(
    scripts.replaceAll("/etc/petstore/database-url", path("database-url")),
  );
  expect(output.match(/^(?:Copied|Moved) .*? rows and \d+ files of sites from/gm)).toHaveLength(3);
  expect(output).not.toContain("FAIL");
  expect(output.match(/^ok +database +\S+/gm)?.map((line) => line.split(/ +/)[2])).toEqual([
    expect.stringContaining("postgres://127.0.0.1"),
    expect.stringContaining("petstore.db"),
  ]);
  expect(rowsIn(here.directory)).toEqual(rows);
});

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Returns the tables, indexes and sequences of a database. */
async function relationsIn(url: string): Promise<readonly unknown[]> {
  return server.run(
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    databaseOf(url),
  );
}

describe("an exclusive reader", () => {
  test("leaves a database to which a process that had lost its connections does not write", async () => {
    const here = await filled(chance());
    const url = await server.createDatabase();
    const name = databaseOf(url);
    await server.run("CREATE ROLE pets LOGIN; GRANT ALL ON SCHEMA public TO pets", name);
    const asPets = url.replace("postgres@", "pets@");
    await move("postgres", here, asPets);
    // This process is not taken for another one.
    const sql = await postgresSql({ url: asPets, connect });
    const values = ["key", "a", 1];
    const add = { text: "INSERT INTO feed (topic, subject, written_at) VALUES (?, ?, ?)", values };
    expect((await sql.batch([add], () => true)).ok).toBe(true);
    await move("sqlite", here, asPets);
    expect(await rejection(sql.batch([add], () => true))).toMatchObject({
      message: expect.stringContaining("lacks a right"),
    });
    await sql.close();
    expect((await move("sqlite", here, asPets)).copied).toBeUndefined();
  });

  test("makes writers wait, and marks the database only if no other process has it open", async () => {
    const { url, giveBack } = await databasesOf(server).take();
    const sql = await postgresSql({ url, connect });
    await sql.batch(
      [{ text: "CREATE TABLE schema_migrations (component TEXT, version INTEGER)", values: [] }],
      () => true,
    );
    const reader = await readPostgres({ url, connect }, { exclusive: true });
    let written = false;
    const add = { text: "INSERT INTO schema_migrations VALUES (?, 1)", values: ["a"] };
    const writing = sql.batch([add], () => true).then(() => (written = true));
    const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    while ((await server.run(waiting)).length === 0) await Bun.sleep(5);
    expect(written).toBe(false);
    const name = databaseOf(url);
    const other = new Bun.SQL({
      url,
      max: 1,
      connection: { application_name: "petstore other" },
    });
    await other.unsafe("SELECT 1");
    const mark = { text: "INSERT INTO schema_migrations VALUES (?, 2)", values: ["b"] };
    expect(await reader.writeLast([mark])).toBe(false);
    await other.end();
    while (
      (await server.run("SELECT 1 FROM pg_stat_activity WHERE application_name = 'petstore other'"))
        .length > 0
    )
      await Bun.sleep(5);
    await reader.close();
    await writing;
    const second = await readPostgres({ url, connect }, { exclusive: true });
    expect(await second.writeLast([mark])).toBe(true);
    await second.close();
    expect(
      await server.run("SELECT component FROM schema_migrations ORDER BY 1", name),
    ).toMatchObject([{ component: "a" }, { component: "b" }]);
    await sql.close();
    await giveBack();
  });
});

describe("a move that was interrupted", () => {
  /** Replaces the mark of a database. */
  const marks = {
    sqlite: async ({ database }: DataDirectory, component?: string) => {
      const file = new Database(database);
      file.run(
        "DELETE FROM petstore_migrations WHERE component LIKE 'moved %' OR component LIKE 'copied %'",
      );
      if (component !== undefined)
        file.run("INSERT INTO petstore_migrations VALUES (?, 1, 1)", [component]);
      file.close();
    },
    postgres: async (url: string, component?: string) => {
      await server.run(
        `DELETE FROM petstore_migrations WHERE component LIKE 'moved %' OR component LIKE 'copied %';
         ${component === undefined ? "" : `INSERT INTO petstore_migrations VALUES ('${component}', 1, 1)`}`,
        databaseOf(url),
      );
    },
  };
  /** Whether a program opens the installation. */
  const starts = async (directory: DataDirectory, url?: string): Promise<boolean> => {
    const settings = await settingsOf(url, directory);
    const options = { create: false, onCopy: () => {}, clock: systemClock };
    const opened = await openInstallation({ directory, settings, ...options }).catch(
      (error: Failure) => error,
    );
    if (!("storage" in opened)) {
      expect(opened).toMatchObject({ exit: "configuration" });
      return false;
    }
    await opened.close();
    return true;
  };

  test.each(["postgres", "sqlite"] as const)(
    "to %s before or after its source was marked is completed by the next call, and never are both in use",
    async (to) => {
      const here = await filled(chance());
      const url = await server.createDatabase();
      let { from, to: into } = await move("postgres", here, url);
      if (to === "sqlite") ({ from, to: into } = await move("sqlite", here, url));
      const markSource = (component?: string) =>
        to === "postgres" ? marks.sqlite(here, component) : marks.postgres(url, component);
      const markTarget = (component?: string) =>
        to === "postgres" ? marks.postgres(url, component) : marks.sqlite(here, component);
      const [sourceUrl, targetUrl] = to === "postgres" ? [undefined, url] : [url, undefined];

      await markSource(`moved 1-2 ${into}`);
      await markTarget(`copied 1-2 ${from}`);
      expect([await starts(here, sourceUrl), await starts(here, targetUrl)]).toEqual([
        false,
        false,
      ]);
      expect((await move(to, here, url)).copied).toBeUndefined();
      expect([await starts(here, sourceUrl), await starts(here, targetUrl)]).toEqual([false, true]);

      // Another copy than that of the move.
      await markTarget(`copied 3-4 ${from}`);
      expect(String(await move(to, here, url).catch((error: unknown) => error))).toContain(
        "was moved to",
      );

      await markSource();
      expect([await starts(here, sourceUrl), await starts(here, targetUrl)]).toEqual([true, false]);
      expect((await move(to, here, url)).copied).toBeDefined();
      expect([await starts(here, sourceUrl), await starts(here, targetUrl)]).toEqual([false, true]);
    },
  );

  test.each(["postgres", "sqlite"] as const)(
    "to %s by a crash of PostgreSQL leaves the source in use, and the next call starts over",
    async (to) => {
      const here = await filled(chance());
      const url = await server.createDatabase();
      if (to === "sqlite") await move("postgres", here, url);
      const source = to === "postgres" ? undefined : url;
      let stopped: Promise<void> | undefined;
      const failure = await rejection(
        migrateInstallation({
          ...moving(to, here, await settingsOf(url, here)),
          onProgress: () => {
            stopped ??= server.stop("SIGQUIT");
          },
        }),
      );
      expect(failure).toMatchObject({
        exit: "tryLater",
        message: expect.stringContaining("Cannot use postgres://"),
      });
      await stopped;
      await server.start();
      expect(await starts(here, source)).toBe(true);
      expect((await move(to, here, url)).copied).toBeDefined();
      expect(await starts(here, source)).toBe(false);
    },
  );

  test.each(["postgres", "sqlite"] as const)(
    "to %s by kill -9 at any point leaves at most one database that starts; the next call completes it",
    async (to) => {
      const random = chance();
      const { directory } = await shelter(torture ? 20_000 : 300);
      const url = await server.createDatabase();
      const before = await contentsOf(await exported(directory));
      const from = to === "postgres" ? "sqlite" : "postgres";
      const spawn = async (after: number): Promise<number> => {
        const args = ["migrate", `${from}-to-${to}`, "--data-dir", directory.path];
        const env = { PETSTORE_DATABASE_URL: url, PATH: process.env["PATH"] ?? "" };
        const child = Bun.spawn([...command, ...args], { env, stdout: "ignore", stderr: "ignore" });
        void Bun.sleep(after).then(() => child.kill("SIGKILL"));
        return child.exited;
      };
      const rewind = async (): Promise<void> => {
        if (to === "postgres" && !(await starts(directory))) await move("sqlite", directory, url);
        if (to === "sqlite" && (await starts(directory, url))) return;
        // The database that was left is emptied, as an operator does.
        await server.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public", databaseOf(url));
        if (to === "sqlite") await move("postgres", directory, url);
      };
      await rewind();
      const startedAt = performance.now();
      expect(await spawn(60_000)).toBe(0);
      const full = performance.now() - startedAt;
      let interrupted = 0;
      for (let round = 0; round < (torture ? 100 : 10); round++) {
        if (!torture && interrupted > 0) break;
        await rewind();
        // The first third starts the program.
        if ((await spawn(random.between(full / 3, full * 0.9))) !== 0) interrupted++;
        const sides = [await starts(directory), await starts(directory, url)];
        expect(sides.filter(Boolean).length).toBeLessThanOrEqual(1);
        await move(to, directory, url);
        expect([await starts(directory), await starts(directory, url)]).toEqual([
          to === "sqlite",
          to === "postgres",
        ]);
        const whole = await (to === "postgres"
          ? exportedFrom(url, directory)
          : exported(directory));
        expect(await contentsOf(whole)).toEqual(before);
      }
      expect(interrupted).toBeGreaterThan(0);
    },
    torture ? 1_200_000 : 600_000,
  );
});
