import { afterAll, beforeAll } from "bun:test";

import { startPostgres, type TestPostgres } from "./postgres.ts";

let server: Promise<TestPostgres> | undefined;
type Environment = Readonly<Record<string, string>>;

const settings = new Map<string, Promise<Environment>>();

function environmentOf(url: string): Environment {
  const key = Buffer.alloc(32, 7).toString("base64");
  return { PETSTORE_DATABASE_URL: url, PETSTORE_ENCRYPTION_KEY: key };
}

/** Keeps the installations of a test file in PostgreSQL. Call it before its tests are declared. */
export function onPostgres(): void {
  beforeAll(() => {
    process.env["TEST_DATABASE"] = "postgres";
  });
  afterAll(async () => {
    delete process.env["TEST_DATABASE"];
    await (await server)?.[Symbol.asyncDispose]();
    server = undefined;
    settings.clear();
  });
}

/** Starts the PostgreSQL server of the test file, unless it runs. */
function postgresServer(): Promise<TestPostgres> {
  server ??= startPostgres();
  return server;
}

/** Keeps the records of a data directory in this database. */
export function keepIn(url: string, dataDir: string): void {
  settings.set(dataDir, Promise.resolve(environmentOf(url)));
}

/** Returns the environment that keeps the records of a data directory in a database, by default one of its own. */
export function settingsOf(dataDir: string): Promise<Environment> {
  let found = settings.get(dataDir);
  if (found === undefined) {
    found = (async () => environmentOf(await (await postgresServer()).createDatabase()))();
    settings.set(dataDir, found);
  }
  return found;
}
