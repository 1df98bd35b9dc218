import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { placeOf, type Place } from "../../backup/place.ts";
import { checkRestore, restoreInstallation } from "../../server/backup/restore.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { chance, torture } from "../helpers/chance.ts";
import { command, startProgram, type Program } from "../helpers/process.ts";
import { contentsOf, emptyWith, filesIn, request, shelter } from "./fixture.ts";
import { createHistory, type History } from "./history.ts";

const ROUNDS = torture ? 100 : 3;
const WRITERS = torture ? 64 : 16;
const KEEP = 2;

/** The backups of a directory, newest first. */
async function idsIn(path: string): Promise<readonly string[]> {
  const names = await readdir(join(path, "backups")).catch(() => []);
  const ids = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5));
  return ids.toSorted().toReversed();
}

/** The process that makes the backup of a server; undefined if none runs. */
async function childOf({ pid }: Program): Promise<number | undefined> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const [child] = list.trim().split(" ").filter(Boolean);
  return child === undefined ? undefined : Number(child);
}

function animalsIn({ database: path }: DataDirectory): { id: number; name: string }[] {
  using database = new Database(path, { readonly: true });
  return database
    .query<{ id: number; name: string }, []>("SELECT id, name FROM pets ORDER BY id")
    .all();
}

/** Restores a backup into a new directory, and compares it with what its writers know. */
async function expectHistory(
  from: Place,
  id: string,
  key: Uint8Array,
  history: History,
): Promise<DataDirectory> {
  const directory = await emptyWith(key);
  const { manifest } = await restoreInstallation({ ...request(from, directory), id });
  const animals = animalsIn(directory);
  // Numbered from 1 without gaps: a snapshot of one instant.
  expect(animals.map((animal) => animal.id)).toEqual(animals.map((_, index) => index + 1));
  expect(history.contradictions(animals, Date.parse(manifest.madeAt))).toEqual([]);
  return directory;
}

test(
  `kill -9 of server, backup or command in ${ROUNDS} rounds under ${WRITERS} writers leaves every finished backup whole`,
  async () => {
    const random = chance();
    const here = await shelter(0);
    const path = join(await scratch(), "backups");
    const place = placeOf(`${path}/`);
    const options = ["--backup-to", path, "--backup-keep", String(KEEP)];
    const history = createHistory();
    let known: readonly string[] = [];
    let killed = 0;
    let full = 1_000;

    const write = (server: Program): { readonly end: () => Promise<void> } => {
      const stopped = { yes: false };
      const client = api({ base: server.origin, key: here.key });
      const writers = Array.from({ length: WRITERS }, () => history.write(client, stopped));
      return {
        end: async () => {
          stopped.yes = true;
          await Promise.all(writers);
        },
      };
    };

    for (let round = 0; round <= ROUNDS; round++) {
      // Without its history the next backup is due at once.
      await rm(here.directory.backupState, { force: true });
      const server = await here.serve(...options);
      const startedAt = performance.now();
      const writers = write(server);
      const isDone = async (): Promise<boolean> => Bun.file(here.directory.backupState).exists();
      const last = round === ROUNDS;
      const victim = round === 0 || last ? "none" : random.pick(["server", "backup", "command"]);
      const after = random.between(0, Math.ceil(full * 1.1));
      if (victim === "none") {
        while (!(await isDone())) await Bun.sleep(10);
        full = performance.now() - startedAt;
      } else {
        if (victim === "command") {
          const args = [...command, "backup", `${path}/`, "--data-dir", here.dataDir];
          const child = Bun.spawn(args, { stdio: ["ignore", "ignore", "ignore"] });
          await Bun.sleep(after);
          child.kill("SIGKILL");
          await child.exited;
        } else {
          await Bun.sleep(after);
          const child = await childOf(server);
          if (victim === "backup" && child !== undefined) process.kill(child, "SIGKILL");
          if (child !== undefined && !(await isDone())) killed++;
        }
      }
      await server.end("SIGKILL");
      await writers.end();

      const ids = await idsIn(path);
      const added = ids.filter((id) => !known.includes(id));
      // Retention removes others only, and several at once if it was killed before.
      const newest = [...known, ...added].toSorted().toReversed().slice(0, KEEP);
      expect(ids).toEqual(expect.arrayContaining(newest));
      for (const id of ids) {
        await checkRestore({ ...request(place, here.directory), id });
        if (added.includes(id)) {
          const restored = await expectHistory(place, id, here.encryptionKey, history);
          await rm(restored.path, { recursive: true });
        }
      }
      known = ids;
    }

    expect(known.length).toBe(KEEP);
    expect((await filesIn(path)).filter((name) => name.endsWith(".partial"))).toEqual([]);
    expect((await filesIn(here.dataDir)).filter((name) => name.includes("unfinished"))).toEqual([]);
    if (torture) expect(killed).toBeGreaterThan(ROUNDS / 4);
    // A walk of every page of the newest, through its API.
    const directory = await expectHistory(place, known[0] ?? "", here.encryptionKey, history);
    const rows = animalsIn(directory);
    await using restored = await startProgram({ dataDir: directory.path });
    const client = api({ base: restored.origin, key: here.key });
    const walked: { id: number; name: string }[] = [];
    let next: string | undefined = "/v1/pets?sort=id&limit=100";
    while (next !== undefined) {
      const { body, headers }: Awaited<ReturnType<typeof client.get>> = await client.get(next);
      // The test reads its own animals.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      walked.push(...(body as { id: number; name: string }[]));
      const url: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      next = url === undefined ? undefined : url.slice(url.indexOf("/v1/"));
    }
    expect(walked.map(({ id, name }) => ({ id, name }))).toEqual(rows);
  },
  torture ? 3_000_000 : 600_000,
);

test("restore --check writes nothing, whenever it is killed", async () => {
  const random = chance();
  const here = await shelter(500);
  const path = `${await scratch()}/backups/`;
  expect((await here.run("backup", path)).exitCode).toBe(0);
  const before = [contentsOf(here.directory), await filesIn(here.dataDir), await filesIn(path)];
  for (let round = 0; round < (torture ? 100 : 3); round++) {
    const args = [...command, "restore", path, "--check", "--data-dir", here.dataDir];
    const child = Bun.spawn(args, { stdio: ["ignore", "ignore", "ignore"] });
    await Bun.sleep(random.between(0, 400));
    child.kill("SIGKILL");
    await child.exited;
  }
  expect([contentsOf(here.directory), await filesIn(here.dataDir), await filesIn(path)]).toEqual(
    before,
  );
}, 600_000);
