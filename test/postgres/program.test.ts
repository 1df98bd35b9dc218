import { afterAll, beforeAll, expect, test } from "bun:test";

import { join } from "node:path";

import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { runProgram, startProgram } from "../helpers/process.ts";

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

test("a new database needs a given key, and an existing one its own", async () => {
  const url = await postgres.createDatabase();
  const keyless = await (await program(url, undefined, "")).run("accounts", "list");
  expect(keyless).toMatchObject({ exitCode: 3 });
  expect(keyless.stderr).toContain("set PETSTORE_ENCRYPTION_KEY");

  await (await program(url)).json("accounts", "create", "Happy Tails");
  const other = await (await program(url, undefined, OTHER_KEY)).run("accounts", "list");
  expect(other).toMatchObject({ exitCode: 3 });
  expect(other.stderr).toContain("The given encryption key is not the key of this database.");
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

test("backups are refused and point to the tools of PostgreSQL", async () => {
  const { run, directory } = await program(await postgres.createDatabase());
  const refused = await run("backup", join(directory, "pets.backup"));
  expect(refused).toMatchObject({ exitCode: 3 });
  expect(refused.stderr).toContain("such as pg_basebackup");
});
