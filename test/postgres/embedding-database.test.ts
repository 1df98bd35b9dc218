import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { MissingMigrations, sqlStore } from "../../lib/index.ts";
import { sqlTokenStore } from "../../lib/management/index.ts";
import { sqlProjectStore } from "../../lib/publishing/index.ts";
import { codeIn, fromSource } from "../helpers/manual-code.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { rejection } from "../helpers/rejection.ts";

const ROOT = join(import.meta.dir, "../..");
const [open = "", script = "", later = ""] = await codeIn("embedding-database.md", "js");
const [grants = "", rename = ""] = await codeIn("embedding-database.md", "sql");

let server: TestPostgres;
let folder: string;
beforeAll(async () => {
  server = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), "beside-"));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

/** Runs code of the manual in an empty folder, and returns what it prints. */
async function run(code: string, url: string): Promise<string> {
  const file = join(folder, "host.ts");
  const driver = Bun.resolveSync("postgres", ROOT);
  await Bun.write(file, fromSource(code).replace('from "postgres"', `from "${driver}"`));
  const child = Bun.spawn([process.execPath, file], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, err]).toEqual([0, err]);
  return out;
}

test("the manual's petstore is beside the tables of its host", async () => {
  const url = await server.createDatabase();
  await server.run(
    "CREATE TABLE accounts (id INT); CREATE TABLE schema_migrations (v INT)",
    nameOf(url),
  );
  const use = `console.log((await petstore.client.pets.create({ name: "Rex", categoryId: 1 })).ok);
    await petstore.close(); await sql.close();`;
  expect(await run(`${open}${use}`, url)).toBe("true\n");
  const [row] = await server.run(
    "SELECT (SELECT count(*)::int FROM petstore.pets) AS pets, (SELECT count(*)::int FROM public.accounts) AS accounts",
    nameOf(url),
  );
  expect(row).toEqual({ pets: 1, accounts: 0 });
});

test("the manual's migrations are complete, and its rights suffice", async () => {
  const url = await server.createDatabase();
  const files = async (): Promise<readonly string[]> =>
    (await readdir(join(folder, "db/migrations"))).toSorted();
  // The host's own, which end like those of the script.
  for (const name of ["rate_limits", "petstore"]) {
    const own = join(folder, `db/migrations/20200101000000_${name}_0.sql`);
    await Bun.write(own, "-- migrate:up\nSELECT 1;\n-- migrate:down\n");
  }
  await run(script, url);
  const written = await files();
  expect(written[2]).toMatch(/^\d{14}_petstore_petstore_0\.sql$/);
  for (const file of written) {
    const text = await Bun.file(join(folder, "db/migrations", file)).text();
    const [, up = ""] = /^-- migrate:up\n(.*)\n-- migrate:down\n$/s.exec(text) ?? [];
    await server.run(`BEGIN; ${up} COMMIT`, nameOf(url));
  }
  await run(script, url);
  expect(await files()).toEqual(written);

  await server.run(`CREATE ROLE app LOGIN; ${grants}`, nameOf(url));
  expect(later).toContain('schema: "petstore", migrate: false');
  const sql = await postgresSql({
    url: url.replace("postgres@", "app@"),
    connect: postgres,
    schema: "petstore",
    migrate: false,
  });
  await sqlStore({ sql });
  await sqlProjectStore({ sql });
  await sql.counters.setUp();
  // The script has no migrations of this store.
  expect(await rejection(sqlTokenStore({ sql }))).toBeInstanceOf(MissingMigrations);
  await sql.close();
});

test("the manual's way to free the old name leads to tables that open", async () => {
  const url = await server.createDatabase();
  const reopen = async (): Promise<void> => {
    const sql = await postgresSql({ url, connect: postgres });
    await sqlStore({ sql });
    await sql.close();
  };
  await reopen();
  await server.run("ALTER TABLE petstore_migrations RENAME TO schema_migrations", nameOf(url));
  await reopen();
  await server.run(rename, nameOf(url));
  await reopen();
  const [row] = await server.run(
    "SELECT to_regclass('schema_migrations')::text AS found",
    nameOf(url),
  );
  expect(row).toEqual({ found: null });
});
