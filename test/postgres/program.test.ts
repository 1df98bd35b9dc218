import { afterAll, beforeAll, expect, test } from "bun:test";

import { join } from "node:path";

import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { selfSigned } from "../helpers/openssl.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { runProgram, startProgram } from "../helpers/process.ts";
import { longTest } from "../helpers/long.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER_KEY = Buffer.alloc(32, 8).toString("base64");

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** The program over a database. Commands find it by the environment. */
async function program(url: string, dataDir?: string, key: string | undefined = KEY) {
  const directory = dataDir ?? join(await scratch(), "data");
  const env = {
    PETSTORE_DATABASE_URL: url,
    ...(key === undefined ? {} : { PETSTORE_ENCRYPTION_KEY: key }),
  };
  const run = (...args: readonly string[]) =>
    runProgram([...args, "--data-dir", directory], { env });
  return {
    directory,
    env,
    run,
    json: async (...args: readonly string[]) => {
      const { exitCode, stdout, stderr } = await run(...args, "--json");
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    serve: () => startProgram({ dataDir: directory, env }),
  };
}

const pets = (origin: string, token: string) =>
  api({ base: origin, fetch: (request) => fetch(request) }).as(token);

test("an installation keeps everything in PostgreSQL", async () => {
  const url = await postgres.createDatabase();
  const { run, json, serve, directory } = await program(url);
  const { id } = await json("accounts", "create", "Happy Tails");
  const { key } = await json("keys", "create", "--account", id);

  await using first = await serve();
  const created = await pets(first.origin, key).post("/v1/pets", { name: "Rex", categoryId: 1 });
  expect(created.status).toBe(201);
  // A command talks to the server, which uses the same database.
  expect(await json("accounts", "list")).toEqual([expect.objectContaining({ id })]);
  expect(await first.end()).toBe(0);
  expect(await Bun.file(join(directory, "petstore.db")).exists()).toBe(false);

  // Another machine needs only the address and the key.
  const elsewhere = await program(url);
  await using second = await elsewhere.serve();
  const listed = await pets(second.origin, key).get("/v1/pets");
  expect(listed.body).toEqual([expect.objectContaining({ name: "Rex" })]);

  const { stdout } = await run("doctor");
  expect(stdout).toMatch(/^ok +database +postgres:\/\/127\.0\.0\.1:\d+\/test_1, schema version/m);
});

// Starts the program eight times. The adapter's tests of schemas are short.
longTest(
  "two installations are in schemas of one database, and one is restored into a third",
  async () => {
    const url = await postgres.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await postgres.run("CREATE TABLE accounts (id INT)", name);
    const within = async (schema: string) => {
      const at = await program(url);
      const env = { ...at.env, PETSTORE_DATABASE_SCHEMA: schema };
      return (...command: readonly string[]) =>
        runProgram([...command, "--data-dir", at.directory], { env });
    };
    const [one, two, three] = [await within("one"), await within("two"), await within("three")];
    for (const [run, account] of [
      [one, "First"],
      [two, "Second"],
    ] as const) {
      expect(await run("accounts", "create", account)).toMatchObject({ exitCode: 0 });
    }
    const listed = async (run: typeof one): Promise<string> =>
      (await run("accounts", "list", "--json")).stdout;
    expect(await listed(one)).toContain("First");
    expect(await listed(one)).not.toContain("Second");
    const file = join(await scratch(), "one.backup");
    expect(await one("backup", file)).toMatchObject({ exitCode: 0 });
    expect(await three("restore", file, "--yes")).toMatchObject({ exitCode: 0 });
    expect(await listed(three)).toBe(await listed(one));
    expect((await two("doctor")).stdout).toContain(`/${name} (schema two), schema version`);
    const [row] = await postgres.run(
      "SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'",
      name,
    );
    expect(row).toEqual({ count: 1 });
  },
);

test("an installation is in a schema whose name needs quotes, and is backed up", async () => {
  const { run, json, serve } = await program(await postgres.createDatabase("My-Shop"));
  await using server = await serve();
  const { id } = await json("accounts", "create", "Happy Tails");
  await server.end();
  expect(await json("accounts", "list")).toEqual([expect.objectContaining({ id })]);
  const saved = await run("backup", join(await scratch(), "one.backup"));
  expect(saved).toMatchObject({ exitCode: 0 });
  expect((await run("doctor")).stdout).toMatch(/^ok +database /m);
});

test("a new database needs a given key, and an existing one its own", async () => {
  const url = await postgres.createDatabase();
  const keyless = await (await program(url, undefined, "")).run("accounts", "create", "A");
  expect(keyless).toMatchObject({ exitCode: 3 });
  expect(keyless.stderr).toContain("set PETSTORE_ENCRYPTION_KEY");

  await (await program(url)).json("accounts", "create", "Happy Tails");
  const other = await (await program(url, undefined, OTHER_KEY)).run("accounts", "list");
  expect(other).toMatchObject({ exitCode: 3 });
  expect(other.stderr).toContain("The given encryption key is not the key of this database.");
});

test("doctor names what is wrong with the key, the database or the way to it", async () => {
  const url = await postgres.createDatabase();
  const { directory, json } = await program(url);
  await json("accounts", "create", "Happy Tails");
  const failures = async (at: string, key?: string): Promise<readonly string[]> => {
    const { exitCode, stdout } = await (await program(at, directory, key)).run("doctor");
    expect(exitCode).toBe(6);
    return stdout.split("\n").filter((line) => line.startsWith("FAIL"));
  };
  expect(await failures(url, "")).toEqual([
    "FAIL  encryption key   None: PostgreSQL needs a key that every process uses. Set encryption-key.",
  ]);
  expect(await failures(url, OTHER_KEY)).toEqual([
    "FAIL  encryption key   The option is not the key of this database",
  ]);
  expect(await failures(url.replace(/:\d+\//, ":1/"))).toEqual([
    "FAIL  database         127.0.0.1:1 cannot be reached: Failed to connect.",
  ]);
  const name = new URL(url).pathname.slice(1);
  await postgres.run("INSERT INTO petstore_migrations VALUES ('petstore', 99, 1)", name);
  const [newer = "", ...others] = await failures(url);
  expect(others).toEqual([]);
  expect(newer).toStartWith("FAIL  database         postgres://127.0.0.1:");
  expect(newer).toContain(" has schema version 99, but this program supports ");
  expect(newer).toEndWith(". Run the newer program that wrote it.");
  // During a rolling upgrade, the older program still runs.
  await postgres.run("INSERT INTO petstore_migrations VALUES ('petstore 99 since', 1, 1)", name);
  const during = await (await program(url, directory)).run("doctor");
  expect(during.exitCode).toBe(0);
  expect(during.stdout).toMatch(/^ok +database .*schema version 99$/m);
});

test("commands that only read create nothing in an empty database", async () => {
  const url = await postgres.createDatabase();
  const name = new URL(url).pathname.slice(1);
  const { run } = await program(url);
  const refused = await run("accounts", "list");
  expect(refused).toMatchObject({ exitCode: 3 });
  expect(refused.stderr).toContain(`/${name} contains no installation: it is empty.`);
  expect(
    await postgres.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", name),
  ).toHaveLength(0);
  const { stderr } = await run("accounts", "create", "Happy Tails");
  expect(stderr).toContain(
    `Created an installation in postgres://127.0.0.1:${postgres.port}/${name}.`,
  );
});

test("an empty database does not hide an installation in the data directory", async () => {
  const directory = join(await scratch(), "data");
  await runProgram(["accounts", "create", "Happy Tails", "--data-dir", directory]);
  const { run } = await program(await postgres.createDatabase(), directory, "");
  const refused = await run("accounts", "list");
  expect(refused).toMatchObject({ exitCode: 3 });
  expect(refused.stderr).toContain("petstore.db holds an installation, and postgres://");
});

test("the tables of another program are refused", async () => {
  const url = await postgres.createDatabase();
  await postgres.run("CREATE TABLE invoices (id INTEGER)", new URL(url).pathname.slice(1));
  const refused = await (await program(url)).run("accounts", "list");
  expect(refused).toMatchObject({ exitCode: 3 });
  expect(refused.stderr).toContain("tables of another program, such as invoices");
});

test("a database that does not answer is reported without its password", async () => {
  const { run } = await program("postgres://shelter:pa55word@127.0.0.1:1/pets");
  const refused = await run("accounts", "list");
  expect(refused).toMatchObject({ exitCode: 75 });
  expect(refused.stderr).toContain("Cannot use postgres://127.0.0.1:1/pets");
  const shown = await run("config", "print");
  for (const text of [refused.stderr, shown.stdout]) expect(text).not.toContain("pa55word");
});

test("whatever happens to the database, callers get 503 until it is mended", async () => {
  const url = await postgres.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await postgres.run("CREATE ROLE shelter LOGIN; GRANT ALL ON SCHEMA public TO shelter", name);
  const { json, serve } = await program(url.replace("postgres@", "shelter@"));
  const { id } = await json("accounts", "create", "Happy Tails", "--plan", "business");
  const { key } = await json("keys", "create", "--account", id);
  await using server = await serve();
  const client = pets(server.origin, key);
  const create = () => client.post("/v1/pets", { name: "Rex", categoryId: 1 });
  /** A request may share a connection attempt that began before the remedy. */
  const recovered = async (): Promise<number> => {
    for (;;) {
      const { status } = await create();
      if (status !== 503) return status;
    }
  };
  const disconnect =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shelter'";

  const troubles: readonly (readonly [string, string])[] = [
    ["REVOKE UPDATE ON catalogues FROM shelter", "GRANT UPDATE ON catalogues TO shelter"],
    ["ALTER ROLE shelter NOLOGIN", "ALTER ROLE shelter LOGIN"],
    ["ALTER ROLE shelter CONNECTION LIMIT 0", "ALTER ROLE shelter CONNECTION LIMIT -1"],
    [
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
      `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
    ],
    [
      `CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER fill BEFORE INSERT ON pets EXECUTE FUNCTION fill()`,
      "DROP TRIGGER fill ON pets",
    ],
  ];
  for (const [trouble, remedy] of troubles) {
    const altered = trouble.startsWith("ALTER");
    const where = altered ? "postgres" : name;
    await postgres.run(trouble, where);
    if (altered) await postgres.run(disconnect);
    const refused = await create();
    expect([trouble, refused.status, refused.body]).toMatchObject([
      trouble,
      503,
      { code: "unavailable" },
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect([200, 503]).toContain((await client.get("/v1/pets")).status);
    await postgres.run(remedy, where);
    expect([trouble, await recovered()]).toEqual([trouble, 201]);
  }
  expect(server.output()).toContain("permission denied for table catalogues");

  let disconnecting = true;
  const disconnected = (async () => {
    for (; disconnecting; await Bun.sleep(20)) await postgres.run(disconnect);
  })();
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const replies = await Promise.all([create(), create(), client.get("/v1/pets?sort=id")]);
    for (const { status } of replies) statuses.add(status);
  }
  disconnecting = false;
  await disconnected;
  expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
  expect(await recovered()).toBe(201);
});

test("commands and doctor open at most two connections", async () => {
  const url = await postgres.createDatabase();
  const name = new URL(url).pathname.slice(1);
  const { json, run } = await program(url);
  await json("accounts", "create", "Happy Tails");
  const sessions = async (): Promise<number> => {
    // They are counted when they end.
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`;
    while ((await postgres.run(open)).length > 0) await Bun.sleep(10);
    const [row] = await postgres.run(
      `SELECT sessions::int AS sessions FROM pg_stat_database WHERE datname = '${name}'`,
    );
    return Number(row?.["sessions"]);
  };
  const used = async (...args: readonly string[]): Promise<number> => {
    const before = await sessions();
    await run(...args);
    return (await sessions()) - before;
  };
  expect(await used("accounts", "list")).toBeLessThanOrEqual(2);
  expect(await used("doctor")).toBeLessThanOrEqual(2);
});

test("a wrong certificate of the database is a mistake in the configuration", async () => {
  const { certificate, key } = await selfSigned();
  const files = { "server.crt": certificate, "server.key": key };
  const settings = ["ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key"];
  await using server = await startPostgres({ files, settings });
  const directory = await scratch();
  const file = async (name: string, content: string): Promise<string> => {
    await Bun.write(join(directory, name), content);
    return join(directory, name);
  };
  const right = await file("right.pem", certificate);
  const wrong = await file("wrong.pem", (await selfSigned()).certificate);
  const using = async (host: string, mode: string, ca?: string) => {
    const { exitCode, stderr } = await runProgram(["accounts", "list", "--data-dir", directory], {
      env: {
        PETSTORE_DATABASE_URL: `postgres://postgres@${host}:${server.port}/postgres?sslmode=${mode}`,
        PETSTORE_ENCRYPTION_KEY: KEY,
        ...(ca === undefined ? {} : { PETSTORE_DATABASE_CA_FILE: ca }),
      },
    });
    return `${exitCode} ${stderr}`;
  };
  expect(await using("localhost", "verify-full", right)).toStartWith(
    "3 petstore: postgres://localhost",
  );
  const outcomes = await Promise.all([
    using("localhost", "verify-full", wrong),
    using("127.0.0.1", "verify-full", right),
    using("localhost", "verify-full", join(directory, "none.pem")),
    using("localhost", "verify-full", await file("text.pem", "hello")),
    using("localhost", "require", right),
  ]);
  const expected = [
    `3 petstore: The certificate of localhost:${server.port} is from an unknown authority.`,
    `3 petstore: The certificate of 127.0.0.1:${server.port} is for another host.`,
    `3 petstore: database-ca-file ${directory}/none.pem: `,
    `3 petstore: database-ca-file ${directory}/text.pem contains no certificates (PEM).`,
    "3 petstore: database-ca-file needs sslmode=verify-full",
  ];
  for (const [index, outcome] of outcomes.entries()) {
    expect(outcome).toStartWith(expected[index] ?? "");
  }
});
