import { beforeAll, expect, test } from "bun:test";

import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { faultsOf, readContents } from "../../backup/snapshot.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { machine, scriptsOf } from "../backup/commands.ts";
import { emptyWith, shelter, type Shelter } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { chance, torture } from "../helpers/chance.ts";
import { createHalf } from "../helpers/half-database.ts";
import { command, runProgram, startProgram } from "../helpers/process.ts";
import { contentsOf, exported } from "./fixture.ts";

let here: Shelter;

beforeAll(async () => {
  here = await shelter(torture ? 50_000 : 1_000);
});

test("the commands of docs/operating.md move an installation, whose keys and numbers continue", async () => {
  const [script = ""] = await scriptsOf("move");
  const { here: mine, path, run } = await machine();
  const output = await run(script);
  expect(output).toContain("The export is sound: ");
  expect(output).toContain("Imported into ");
  expect(output).not.toContain("FAIL");
  expect(output).toContain(mine.account);
  const moved = dataDirectory(path("new-data"));
  expect(await contentsOf(await exported(moved))).toEqual(
    await contentsOf(await exported(mine.directory)),
  );
  await using server = await startProgram({ dataDir: moved.path });
  const { body } = await api({ base: server.origin, key: mine.key }).post("/v1/pets", {
    name: "First",
    categoryId: 1,
  });
  expect(body).toMatchObject({ id: 4 });
});

test("an export while 16 writers write has everything acknowledged before it, and its import leaves a gap in the ids", async () => {
  await using server = await here.serve();
  const client = api({ base: server.origin, key: here.key });
  let writing = true;
  const acknowledged: number[] = [];
  const writers = Array.from({ length: 16 }, async () => {
    while (writing) {
      const { status, body } = await client.post("/v1/pets", { name: "Late", categoryId: 1 });
      if (status === 201) acknowledged.push((body as { id: number }).id);
    }
  });
  while (acknowledged.length < 200) await Bun.sleep(5);
  const before = acknowledged.length;
  const to = join(await scratch(), "export");
  const made = await here.run("export", "--all", to);
  writing = false;
  await Promise.all(writers);
  expect([made.exitCode, made.stderr]).toEqual([
    0,
    expect.stringContaining("A server was running"),
  ]);

  const directory = await emptyWith(here.encryptionKey);
  const result = await runProgram(["import", "--all", to, "--data-dir", directory.path, "--json"]);
  expect([result.exitCode, result.stderr]).toEqual([0, ""]);
  const { serving, tables } = JSON.parse(result.stdout);
  expect(serving).toBe(true);
  const last = Math.max(...acknowledged);
  expect(tables.pets).toBeGreaterThanOrEqual(
    acknowledged.toSorted((a, b) => a - b)[before - 1] ?? 0,
  );
  expect(tables.pets).toBeLessThanOrEqual(last);
  expect(faultsOf(directory.database)).toBeUndefined();
  await using second = await startProgram({ dataDir: directory.path });
  const there = api({ base: second.origin, key: here.key });
  const { body } = await there.post<{ id: number }>("/v1/pets", { name: "New", categoryId: 1 });
  expect(body.id).toBeGreaterThan(last);
  expect(body.id).toBeGreaterThan(1_000_000);
});

test("the ids of what was written after a backup are not assigned again after a restore", async () => {
  const file = join(await scratch(), "one.backup");
  expect((await here.run("backup", file)).exitCode).toBe(0);
  const add = async (dataDir: string) => {
    await using server = await startProgram({ dataDir });
    const client = api({ base: server.origin, key: here.key });
    const pet = await client.post<{ id: number }>("/v1/pets", {
      name: "Sold",
      categoryId: 1,
      status: "sold",
    });
    const category = await client.post<{ id: number }>("/v1/categories", {
      name: `C ${pet.body.id}`,
    });
    const orders = await client.get<readonly { id: number }[]>("/v1/store/orders?limit=1");
    return [pet.body.id, category.body.id, orders.body[0]?.id ?? 0] as const;
  };
  const lost = await add(here.dataDir);
  const events = readContents(here.directory.database).tables["events"]?.rows ?? 0;
  const directory = await emptyWith(here.encryptionKey);
  const args = ["restore", file, "--yes", "--data-dir", directory.path];
  expect((await runProgram(args)).exitCode).toBe(0);
  const made = await add(directory.path);
  for (const [index, id] of made.entries())
    expect(id).toBeGreaterThan(1_000_000 + (lost[index] ?? 0) - 2);
  expect(made[0]).toBeLessThan(2 ** 31);
  const newest = (await exportedEvents(directory.path)).at(-1) ?? 0;
  expect(newest).toBeGreaterThan(1_000_000 + events);
});

async function exportedEvents(dataDir: string): Promise<readonly number[]> {
  const to = join(await scratch(), "export");
  expect((await runProgram(["export", "--all", to, "--data-dir", dataDir])).exitCode).toBe(0);
  const text = await Bun.file(join(to, "tables/events.ndjson")).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
}

/** Runs a command, and kills it once `when` resolves if it still runs; returns its exit code. */
async function run(args: readonly string[], when?: () => Promise<void>): Promise<number> {
  const child = Bun.spawn([...command, ...args], { stdio: ["ignore", "ignore", "ignore"] });
  void when?.().then(() => child.kill("SIGKILL"));
  return child.exited;
}

test.each([
  ["created the file", async (path: string) => writeFile(path, "")],
  ["began its journal", async (path: string) => createHalf(path).then(() => truncate(path))],
  ["wrote its first pages", createHalf],
])("an import that was killed while SQLite %s is completed by a second one", async (_, leave) => {
  const from = await exported(here.directory);
  const directory = await emptyWith(here.encryptionKey);
  await leave(directory.database);
  const args = ["import", "--all", from, "--data-dir", directory.path];
  expect(await runProgram(args)).toMatchObject({ exitCode: 0 });
  expect(faultsOf(directory.database)).toBeUndefined();
});

const rounds = torture ? 100 : 2;
const LIMIT_MS = torture ? 3_000_000 : 600_000;

test(
  "kill -9 at any point of an import leaves nothing that starts, or everything; a second import completes it",
  async () => {
    const random = chance();
    const from = await exported(here.directory);
    const args = (path: string): readonly string[] => ["import", "--all", from, "--data-dir", path];
    const whole = await emptyWith(here.encryptionKey);
    const startedAt = performance.now();
    expect(await run(args(whole.path))).toBe(0);
    const full = performance.now() - startedAt;
    const expected = await contentsOf(await exported(whole));
    let interrupted = 0;
    for (let round = 0; round < rounds; round++) {
      const directory = await emptyWith(here.encryptionKey);
      const begun = async (): Promise<void> => {
        while (!(await readdir(directory.blobs).catch(() => [])).length) await Bun.sleep(1);
      };
      const later = (): Promise<void> => Bun.sleep(random.between(full / 3, full));
      // The first third starts the program and reads; the rest writes.
      await run(args(directory.path), round === 0 ? begun : later);
      if ((await readdir(directory.path)).includes("petstore.db")) {
        const listed = await runProgram(["accounts", "list", "--data-dir", directory.path]);
        if (listed.exitCode !== 0) {
          interrupted++;
          expect([listed.exitCode, listed.stderr]).toEqual([
            3,
            expect.stringMatching(/An import into .* was interrupted|petstore\.db is empty/),
          ]);
          const served = await runProgram([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--data-dir",
            directory.path,
          ]);
          expect(served.exitCode).toBe(3);
          expect(
            await run([
              "export",
              "--all",
              join(await scratch(), "x"),
              "--data-dir",
              directory.path,
            ]),
          ).toBe(3);
          expect(await run(args(directory.path))).toBe(0);
        }
      } else expect(await run(args(directory.path))).toBe(0);
      expect(await contentsOf(await exported(directory))).toEqual(expected);
    }
    expect(interrupted).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test(
  "kill -9 at any point of an export leaves nothing that an import accepts, or everything",
  async () => {
    const random = chance();
    const args = (to: string): readonly string[] => [
      "export",
      "--all",
      to,
      "--data-dir",
      here.dataDir,
    ];
    const startedAt = performance.now();
    expect(await run(args(join(await scratch(), "whole")))).toBe(0);
    const full = performance.now() - startedAt;
    for (let round = 0; round < rounds; round++) {
      const to = join(await scratch(), "export");
      await run(args(to), () => Bun.sleep(random.between(full / 3, full)));
      await mkdir(to, { recursive: true });
      const check = ["import", "--all", to, "--check", "--data-dir", here.dataDir];
      const isWhole = (await readdir(to)).includes("manifest.json");
      expect(await run(check)).toBe(isWhole ? 0 : 6);
    }
  },
  LIMIT_MS,
);
