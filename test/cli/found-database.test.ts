import { describe, expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { copyFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { faultOfDatabase, type FoundDatabase } from "../../server/data/found-database.ts";
import { createHalf } from "../helpers/half-database.ts";
import { runProgram } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

const path = "/data";

test.each<[FoundDatabase, readonly string[], string | undefined]>([
  ["ours", ["encryption.key"], undefined],
  ["ours", [], undefined],
  ["missing", [], undefined],
  ["empty", [], undefined],
  ["missing", ["encryption.key"], "petstore.db is missing in /data, but encryption.key shows that"],
  [
    "empty",
    ["petstore.lock"],
    "petstore.db is empty (it has no tables) in /data, but petstore.lock",
  ],
  ["missing", ["a", "b", "c"], "but a, b and c show that the directory contained an installation"],
  ["foreign", [], "/data/petstore.db belongs to another program"],
  [{ kind: "unfinished" }, ["encryption.key"], "An import into /data was interrupted"],
  [
    { kind: "copied", id: "1", place: "postgres://db/pets" },
    ["encryption.key"],
    "The move from postgres://db/pets to /data was interrupted before its end. Run it again: petstore migrate postgres-to-sqlite",
  ],
  [
    { kind: "moved", id: "1", place: "postgres://db/pets" },
    ["encryption.key"],
    "The installation in /data was moved to postgres://db/pets. To use it there, set database-url",
  ],
])("the verdict on a database that is %j, next to the files %j", (found, traces, words) => {
  const fault = faultOfDatabase(found, { path, traces });
  if (words === undefined) expect(fault).toBeUndefined();
  else expect(fault).toContain(words);
});

function execute(path: string, text: string): void {
  const database = new Database(path);
  database.exec(text);
  database.close();
}

/** Creates an installation with a command; no process has it open afterwards. */
async function made(env: Record<string, string> = {}) {
  const here = await installation();
  const create = ["accounts", "create", "A", "--data-dir", here.dataDir];
  expect((await runProgram(create, { env })).exitCode).toBe(0);
  return here;
}

describe("a missing or empty database is not replaced by a new one", () => {
  const key = Buffer.alloc(32, 7).toString("base64");

  test("if the key file exists, and the restored database works again", async () => {
    const here = await made();
    const [database, away] = [here.path("petstore.db"), here.path("away")];
    await rename(database, away);
    for (const command of [
      ["serve", "--listen", "127.0.0.1:0"],
      ["accounts", "create", "B"],
    ]) {
      const { exitCode, stderr } = await here.run(...command);
      expect([command, exitCode]).toEqual([command, 3]);
      expect(stderr).toContain(`petstore.db is missing in ${here.dataDir}, but encryption.key`);
      expect(stderr).toContain(`To start over on purpose, move everything out of ${here.dataDir}`);
    }
    expect(existsSync(database)).toBe(false);

    await writeFile(database, "");
    await writeFile(`${database}-wal`, "not read, and not deleted");
    expect((await here.run("accounts", "create", "B")).exitCode).toBe(3);
    expect(statSync(database).size).toBe(0);
    expect(existsSync(`${database}-wal`)).toBe(true);

    execute(database, "PRAGMA journal_mode = WAL");

    expect((await here.run("accounts", "list")).stderr).toContain("it has no tables");

    await copyFile(away, database);
    expect((await here.run("accounts", "list")).stdout).toContain(" A ");
    // Follows the advice of the error message.
    await rename(here.dataDir, join(await scratch(), "old"));
    expect((await here.run("accounts", "create", "B")).exitCode).toBe(0);
  });

  test("if the key comes from the environment", async () => {
    const env = { PETSTORE_ENCRYPTION_KEY: key };
    const here = await made(env);
    rmSync(here.path("petstore.db"));
    const again = ["accounts", "create", "B", "--data-dir", here.dataDir];
    const { exitCode, stderr } = await runProgram(again, { env });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("petstore.lock shows that");
    const listed = await runProgram(["accounts", "list", "--data-dir", here.dataDir], { env });
    expect([listed.exitCode, listed.stderr]).toEqual([3, stderr]);
    const examined = await runProgram(["doctor", "--data-dir", here.dataDir], { env });
    expect(examined.exitCode).toBe(6);
    expect(examined.stdout).toMatch(/^FAIL +database +petstore\.db is missing .* petstore\.lock/m);
    expect(readdirSync(here.dataDir)).toEqual(["petstore.lock"]);
  });

  test("and doctor reports it", async () => {
    const here = await made();
    rmSync(here.path("petstore.db"));
    const { exitCode, stdout } = await here.run("doctor");
    expect(exitCode).toBe(6);
    expect(stdout).toMatch(/^FAIL +database +petstore\.db is missing/m);
  });
});

test("a wrong key prevents the upgrade of an old database", async () => {
  const here = await made();
  execute(here.path("petstore.db"), "DELETE FROM petstore_migrations WHERE component = 'members'");
  const env = { PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString("base64") };
  const listed = await runProgram(["accounts", "list", "--data-dir", here.dataDir], { env });
  expect(listed.exitCode).toBe(3);
  expect(listed.stderr).toContain("The given encryption key is not the key of this database");
  expect(readdirSync(here.dataDir).filter((name) => name.includes("upgrade"))).toEqual([]);
});

test("a database of another program is refused and not changed", async () => {
  const here = await installation();
  mkdirSync(here.dataDir, { mode: 0o700 });
  execute(here.path("petstore.db"), "CREATE TABLE theirs (id)");
  const { exitCode, stderr } = await here.run("accounts", "create", "A");
  expect(exitCode).toBe(3);
  expect(stderr).toContain("belongs to another program");
});

test("a first start that was interrupted before it created the key is completed by the next start", async () => {
  const here = await made();
  rmSync(here.path("encryption.key"));
  rmSync(here.path("petstore.lock"));
  execute(here.path("petstore.db"), "DELETE FROM settings; DELETE FROM accounts");
  expect((await here.run("accounts", "create", "B")).exitCode).toBe(0);
});

describe("a mistyped --data-dir", () => {
  test.each([[["setup-link"]], [["pets", "export", "--account", "acc_123456789012"]]])(
    "creates no files: %j",
    async (args) => {
      const parent = await scratch();
      mkdirSync(join(parent, "petstore-data"));
      writeFileSync(join(parent, "petstore-data", "petstore.db"), "");
      const typed = join(parent, "petstor-data");
      const absent = await runProgram([...args, "--data-dir", typed]);
      expect([absent.exitCode, absent.stdout]).toEqual([3, ""]);
      expect(absent.stderr).toContain(
        `The data directory ${typed} does not exist. Did you mean --data-dir`,
      );
      expect(absent.stderr).toContain(`${join(parent, "petstore-data")}?`);
      expect(existsSync(typed)).toBe(false);

      const elsewhere = await runProgram([...args, "--data-dir", parent]);
      expect([elsewhere.exitCode, elsewhere.stdout]).toEqual([3, ""]);
      expect(elsewhere.stderr).toContain(`${parent} contains no installation`);
      expect(readdirSync(parent)).toEqual(["petstore-data"]);
    },
  );

  test("is named in the error of a command that creates an installation", async () => {
    const here = await installation();
    const { exitCode, stderr } = await here.run("accounts", "create", "A");
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`Created an installation in ${here.dataDir}.`);
    expect((await here.run("accounts", "create", "B")).stderr).toBe("");
  });
});

test("a first start that was killed while SQLite created the file is completed by the next start", async () => {
  const here = await installation();
  mkdirSync(here.dataDir, { mode: 0o700 });
  await createHalf(join(here.dataDir, "petstore.db"));
  const create = ["accounts", "create", "A", "--data-dir", here.dataDir];
  expect(await runProgram(create)).toMatchObject({ exitCode: 0 });
});
