import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { getRandomValues } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { scratch } from "../cli/installation.ts";
import { torture } from "../helpers/chance.ts";
import { command } from "../helpers/process.ts";
import { contentsOf, emptyWith, shelter, type Shelter } from "./fixture.ts";

const MAX_MB = 150;
const ANIMALS = torture ? 1_000_000 : 20_000;
/** In the short form one blob alone is larger than what a process has left of its memory. */
const BLOBS = torture
  ? [...Array.from({ length: 7 }, () => 256), ...Array.from({ length: 256 }, () => 1)]
  : [96];

/** Adds animals and blobs without the service, which would take longer. */
async function fill({ directory }: Shelter): Promise<void> {
  const blobs = directoryBlobs({ path: directory.blobs });
  using database = new Database(directory.database);
  database.run(
    `INSERT INTO pets
      (catalogue_id, id, name, category_id, status, version, created_at, updated_at, folded_name)
    WITH RECURSIVE n(id) AS (SELECT 10 UNION ALL SELECT id + 1 FROM n WHERE id < ?)
    SELECT catalogue_id, n.id, 'Animal ' || n.id, category_id, status, 1, created_at, updated_at,
      'ANIMAL ' || n.id
    FROM n, (SELECT * FROM pets WHERE id = 1)`,
    [ANIMALS],
  );
  for (const megabytes of BLOBS) {
    const { sha256 } = await blobs.put(randomBytes(megabytes));
    database.run("INSERT INTO deploy_blobs SELECT deploy_id, ? FROM deploy_blobs LIMIT 1", [
      sha256,
    ]);
  }
}

function randomBytes(megabytes: number): ReadableStream<Uint8Array> {
  let left = megabytes;
  return new ReadableStream({
    pull: (controller) => {
      if (left-- === 0) controller.close();
      else {
        const parts = Array.from({ length: 16 }, () => getRandomValues(new Uint8Array(65_536)));
        controller.enqueue(Buffer.concat(parts));
      }
    },
  });
}

/** Returns the most memory that a process has used so far, in megabytes; 0 if it has ended. */
async function peakOf(pid: number | string): Promise<number> {
  // What a child reports at its end includes what its parent used when it was forked.
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** Runs a command; returns the most memory that it used, in megabytes. */
async function memoryOf(...args: readonly string[]): Promise<number> {
  const child = Bun.spawn([...command, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  const complaint = new Response(child.stderr).text();
  let most = 0;
  while (child.exitCode === null) {
    most = Math.max(most, await peakOf(child.pid));
    await Bun.sleep(5);
  }
  expect([child.exitCode, await complaint]).toEqual([0, expect.any(String)]);
  expect(most).toBeGreaterThan(20);
  return most;
}

/** Waits for the scheduled backup of a server; returns the most memory that its process used, in megabytes. */
async function memoryOfScheduled(here: Shelter, to: string): Promise<number> {
  await using server = await here.serve("--backup-to", to);
  let most = 0;
  for (;;) {
    const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
    const [child = ""] = children.trim().split(" ");
    most = Math.max(most, await peakOf(child));
    const state = await readFile(here.directory.backupState, "utf8").catch(() => "{}");
    const { good, failed } = JSON.parse(state) as { good?: { to: string }; failed?: unknown };
    expect(failed).toBeUndefined();
    if (good?.to === to) return most;
    await Bun.sleep(20);
  }
}

test(
  `${ANIMALS.toLocaleString("en")} animals and ${BLOBS.reduce((a, b) => a + b)} MB of files are backed up, checked and restored within ${MAX_MB} MB`,
  async () => {
    const here = await shelter();
    await fill(here);
    const place = await scratch();
    const [file, many] = [join(place, "one.backup"), join(place, "many/")];
    const data = ["--data-dir", here.dataDir];
    const used: Record<string, number> = {};
    used["backup to a file"] = await memoryOf("backup", file, ...data);
    const directory = await emptyWith(here.encryptionKey);
    used["restore"] = await memoryOf("restore", file, "--yes", "--data-dir", directory.path);
    expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
    await rm(directory.path, { recursive: true });
    if (torture) {
      used["restore --check"] = await memoryOf("restore", file, "--check", ...data);
      used["backup to a directory"] = await memoryOf("backup", many, ...data);
      used["restore --check of it"] = await memoryOf("restore", many, "--check", ...data);
      used["scheduled backup with a trial"] = await memoryOfScheduled(here, join(place, "again"));
    }
    if (torture) console.log(JSON.stringify(used));
    expect(Object.entries(used).filter(([, megabytes]) => !(megabytes <= MAX_MB))).toEqual([]);
  },
  torture ? 3_000_000 : 600_000,
);
