import { afterEach, describe, expect, test } from "bun:test";

import { existsSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { ageSealing } from "../../backup/age.ts";
import { toObjects } from "../../backup/destination.ts";
import { directoryObjects } from "../../backup/directory.ts";
import { backupKeys } from "../../backup/keys.ts";
import { makeBackup, sqliteDatabase } from "../../backup/make.ts";
import { placeOf } from "../../backup/place.ts";
import type { Objects } from "../../backup/ports.ts";
import { systemClock } from "../../lib/index.ts";
import { restoreInstallation } from "../../server/backup/restore.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { installation, scratch } from "../cli/installation.ts";
import { api } from "../helpers/api.ts";
import { runProgram } from "../helpers/process.ts";
import { openLive } from "../helpers/sqlite.ts";
import { backUp, contentsOf, filesIn, request, shelter } from "./fixture.ts";
import { folders } from "../helpers/folders.ts";

// A disk of one's own needs the right to mount.
const { disk } = folders();

const small = (await disk("size=2m,mode=700")) ?? "";
const middle = (await disk("size=16m,mode=700")) ?? "";
const large = (await disk("size=128m,mode=700")) ?? "";

/** Fills a disk except for `free` bytes. */
function fill(on: string, free: number): void {
  const { bavail, bsize } = statfsSync(on);
  writeFileSync(join(on, "filler"), new Uint8Array(Math.max(0, bavail * bsize - free)));
}

afterEach(async () => {
  for (const on of [small, middle, large])
    if (on !== "") await rm(join(on, "filler"), { force: true });
});

describe.skipIf(large === "" && process.env["CI"] !== "true")(
  "a full disk (needs the right to mount)",
  () => {
    test("of backups refuses with a sentence, leaves nothing behind, and keeps the older backup", async () => {
      const place = join(small, "backups");
      await mkdir(place);
      const little = await shelter();
      const backup = (to: string) => little.run("backup", to);
      expect(await backup(place)).toMatchObject({ exitCode: 0 });
      const before = await filesIn(place);
      fill(small, 300_000);
      for (const to of [place, join(small, "one.backup")]) {
        const { exitCode, stderr } = await backup(to);
        expect(exitCode).toBe(1);
        expect(stderr).toContain(to);
        expect(stderr).toContain(
          ": no space left on the disk. Free some space there, then try again.",
        );
      }
      expect(await filesIn(place)).toEqual(before);
      expect((await readdir(small)).toSorted()).toEqual(["backups", "filler"]);
      expect(await filesIn(little.dataDir)).not.toContainEqual(
        expect.stringContaining("unfinished"),
      );

      const into = join(small, "data");
      await mkdir(into);
      await cp(little.directory.encryptionKey, join(into, "encryption.key"));
      const restore = await runProgram(["restore", place, "--yes", "--data-dir", into]);
      expect(restore.exitCode).toBe(1);
      expect(restore.stderr).toContain("has no room for this backup: it needs 1 MiB");
      expect(await filesIn(into)).toEqual(["encryption.key", "petstore.lock"]);
    });

    test.each([
      ["while the database is written", 300_000],
      ["while site files are written", 1_600_000],
    ])(
      "in the middle of a restore, %s, leaves an empty installation that can be restored",
      async (_when, bytes) => {
        const here = await shelter(3, 3_000_000);
        const file = join(await scratch(), "one.backup");
        await backUp(here, placeOf(file));
        const directory = dataDirectory(join(middle, `data-${bytes}`));
        await mkdir(directory.path, { mode: 0o700 });
        await cp(here.directory.encryptionKey, directory.encryptionKey);
        const asked = request(placeOf(file), directory);
        let full = false;
        const onProgress = (_step: string, done: number): void => {
          // The backup is read ahead: what counts is that the restore has found enough room and begun to write.
          if (full || done < bytes || !existsSync(directory.restoreScratch)) return;
          full = true;
          fill(middle, 4_096);
        };
        const refused = await restoreInstallation({ ...asked, onProgress }).then(
          () => "restored",
          (error: Error) => error.message,
        );
        expect(refused).toMatch(
          /^\S+restore\.unfinished\S+: no space left on the disk\. Free some space there/,
        );
        expect(await filesIn(directory.path)).toEqual(["encryption.key", "petstore.lock"]);
        await rm(join(middle, "filler"));
        await restoreInstallation(asked);
        expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
        await rm(directory.path, { recursive: true });
      },
    );

    test("of the data directory refuses a backup before it begins, with the space that it needs", async () => {
      const here = await installation(join(large, "refused"));
      await here.json("accounts", "create", "A");
      fill(large, 40 * 1_048_576);
      const { exitCode, stderr } = await here.run("backup", join(await scratch(), "one.backup"));
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /refused has no room for a snapshot of the database: it needs 6\d MiB\./,
      );
      await rm(here.dataDir, { recursive: true });
    });

    test("of the data directory during a backup ends the backup; the server keeps answering", async () => {
      const here = await installation(join(large, "data"));
      const limits = ["--plan", "enterprise", "--per-minute", "10000000", "--per-day", "10000000"];
      const { id } = await here.json<{ id: string }>("accounts", "create", "A", ...limits);
      const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
      await using server = await here.serve();
      const client = api({ base: server.origin, key });
      const add = async (): Promise<number> =>
        (await client.post("/v1/pets", { name: "Rex", categoryId: 1 })).status;
      expect(await add()).toBe(201);
      // Opening it for writing waits for a reader, so that the backup takes as long as it likes.
      const to = join(await scratch(), "one.backup");
      expect(Bun.spawnSync(["mkfifo", `${to}.partial`]).exitCode).toBe(0);
      const backup = here.run("backup", to);
      const { backupScratch } = dataDirectory(here.dataDir);
      while (
        !(await filesIn(backupScratch).catch(() => [])).some((name) => name.endsWith("/partial"))
      ) {
        await Bun.sleep(10);
      }
      expect(await add()).toBe(201);
      fill(large, 16 * 1_048_576);
      const { exitCode, stderr } = await backup;
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`The disk of ${here.dataDir} has less than 32 MB free`);
      expect(stderr).toContain("Free some space there, then try again.");
      for (let index = 0; index < 50; index++) expect(await add()).toBe(201);
      expect((await client.get("/v1/pets?limit=1")).status).toBe(200);
      expect(await filesIn(here.dataDir)).not.toContainEqual(expect.stringContaining("unfinished"));
      expect(await Bun.file(`${to}.partial`).exists()).toBe(false);
    });
  },
);

test("a slow place does not keep the write-ahead log: it can be emptied as soon as the copy is made", async () => {
  const here = await shelter(2_000);
  const { database, blobs, backupScratch } = here.directory;
  const sealing = await ageSealing({ encryptionKey: here.encryptionKey });
  const path = `${await scratch()}/backups`;
  const objects = directoryObjects(path);
  const sizes: number[] = [];
  await using _server = await here.serve();
  const watched: Objects = {
    ...objects,
    put: async (name, content, verify) => {
      // Stands for any time that the place takes.
      using other = openLive(database);
      other.run("UPDATE catalogues SET revision = revision + 1");
      const [outcome] = other.query("PRAGMA wal_checkpoint(TRUNCATE)").values();
      expect(outcome?.[0]).toBe(0);
      sizes.push(statSync(`${database}-wal`).size);
      await objects.put(name, content, verify);
    },
  };
  await makeBackup(
    { database, blobs: { kind: "directory", path: blobs }, files: [], scratch: backupScratch },
    {
      database: sqliteDatabase(database),
      to: await toObjects(watched, { sealing, keys: backupKeys(here.encryptionKey) }),
      version: "1.2.3",
      clock: systemClock,
      onProgress: () => {},
    },
  );
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBe(0);
});
