import { beforeAll, expect, test } from "bun:test";

import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { placeOf } from "../../backup/place.ts";
import { checkRestore, restoreInstallation } from "../../server/backup/restore.ts";
import { scratch } from "../cli/installation.ts";
import { chance, torture } from "../helpers/chance.ts";
import { command } from "../helpers/process.ts";
import {
  backUp,
  contentsOf,
  emptyWith,
  filesIn,
  neededFilesOf,
  request,
  shelter,
  type Shelter,
} from "./fixture.ts";

let here: Shelter;

beforeAll(async () => {
  here = await shelter(2_000);
});

/** Runs a command, and kills it after `ms` if it still runs; returns its exit code. */
async function run(args: readonly string[], ms?: number): Promise<number> {
  const child = Bun.spawn([...command, ...args], {
    stdio: ["ignore", "ignore", "ignore"],
    ...(ms === undefined ? {} : { timeout: Math.max(1, ms), killSignal: "SIGKILL" }),
  });
  return child.exited;
}

/** Runs a command to its end; returns how long it took, in milliseconds. */
async function timeOf(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  expect(await run(args)).toBe(0);
  return performance.now() - startedAt;
}

const rounds = torture ? 100 : 5;

test("kill -9 at any point leaves no file, or a whole backup, and the installation as it was", async () => {
  const random = chance();
  const directory = await scratch();
  const before = contentsOf(here.directory);
  const to = (name: string): readonly string[] => [
    "backup",
    join(directory, name),
    "--data-dir",
    here.dataDir,
  ];
  const full = await timeOf(to("undisturbed"));
  for (let round = 0; round < rounds; round++) {
    const name = `round-${round}`;
    await run(to(name), random.between(0, Math.ceil(full * 1.1)));
    if ((await readdir(directory)).includes(name)) {
      await checkRestore(request(placeOf(join(directory, name)), here.directory));
    }
  }
  await timeOf(to("afterwards"));
  await checkRestore(request(placeOf(join(directory, "afterwards")), here.directory));
  expect(contentsOf(here.directory)).toEqual(before);
  expect(await filesIn(here.dataDir)).not.toContainEqual(expect.stringContaining("unfinished"));
  // Each run removes the partial file of the one before, wherever that was.
  expect((await readdir(directory)).filter((name) => name.endsWith(".partial"))).toEqual([]);
}, 600_000);

test("kill -9 at any point of a backup to a directory leaves every earlier backup whole", async () => {
  const random = chance();
  const directory = `${await scratch()}/backups/`;
  const args = ["backup", directory, "--data-dir", here.dataDir];
  const full = await timeOf(args);
  for (let round = 0; round < rounds; round++) {
    await run(args, random.between(0, Math.ceil(full * 1.1)));
    await checkRestore(request(placeOf(directory), here.directory));
  }
  await timeOf(args);
  await checkRestore(request(placeOf(directory), here.directory));
  expect((await filesIn(directory)).filter((name) => name.endsWith(".partial"))).toEqual([]);
}, 600_000);

test("kill -9 at any point of a restore leaves nothing that starts, or everything; a second restore completes it", async () => {
  const random = chance();
  const file = join(await scratch(), "one.backup");
  await backUp(here, placeOf(file));
  const expected = contentsOf(here.directory);
  const args = (path: string): readonly string[] => ["restore", file, "--yes", "--data-dir", path];
  const whole = await emptyWith(here.encryptionKey);
  const full = await timeOf(args(whole.path));
  for (let round = 0; round < rounds; round++) {
    const directory = await emptyWith(here.encryptionKey);
    await run(args(directory.path), random.between(0, Math.ceil(full * 1.1)));
    if (!(await readdir(directory.path)).includes("petstore.db")) {
      await restoreInstallation(request(placeOf(file), directory));
    }
    expect(contentsOf(directory)).toEqual(expected);
    expect(await filesIn(directory.blobs)).toEqual(neededFilesOf(here.directory));
  }
}, 600_000);
