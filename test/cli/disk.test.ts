import { describe, expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { statfsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { api } from "../helpers/api.ts";
import { installation } from "./installation.ts";
import { folders } from "../helpers/folders.ts";

// A separate disk needs permission to mount.
const { disk } = folders();

/** Fills a disk except for `free` bytes; resolves with the file to remove again. */
async function fill(on: string, free = 0): Promise<string> {
  const filler = join(on, "filler");
  const { bavail, bsize } = statfsSync(on);
  await writeFile(filler, new Uint8Array(bavail * bsize - free)).catch((error: unknown) => {
    // A server may have written meanwhile. Then the file has the rest of the disk.
    if (free > 0 || !String(error).includes("ENOSPC")) throw error;
  });
  return filler;
}

const small = await disk("size=16m,mode=700");
const sealed = await disk("size=1m,ro");
const sealable = await disk("size=16m");

describe.skipIf(small === undefined && process.env["CI"] !== "true")(
  "a disk of 16 MB (needs the right to mount)",
  () => {
    test("that is full refuses writes with 503, still reads, and loses nothing", async () => {
      if (small === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(small, "data"));
      await using server = await here.serve();
      const { id } = await here.json<{ id: string }>("accounts", "create", "Full", "--plan", "pro");
      const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
      const shop = api({ base: server.origin, key });
      const add = (name: string) => shop.post("/v1/pets", { name, categoryId: 1 });
      expect((await add("Before")).status).toBe(201);

      const filler = await fill(small);
      let refused = await add("During");
      // The rest of the last page may have room for a few more.
      let added = 0;
      while (refused.status === 201 && added++ < 200) refused = await add("During");
      expect(refused.status).toBe(503);
      expect(refused.body).toMatchObject({ code: "unavailable", status: 503 });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await shop.get("/v1/pets?sort=id&limit=1")).body).toMatchObject([{ name: "Before" }]);
      const [began, before] = [performance.now(), server.output().length];
      for (let attempt = 0; attempt < 100; attempt++) {
        expect((await add("During")).status).toBe(503);
        expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
      }
      const seconds = Math.ceil((performance.now() - began) / 1_000);
      const outageLines =
        server.output().slice(before).split("the store is unavailable").length - 1;
      expect(outageLines).toBeLessThanOrEqual(seconds + 1);

      await rm(filler);
      expect((await add("After")).status).toBe(201);
      const all = await shop.get("/v1/pets?limit=100&count=true");
      expect(all.headers.get("x-total-count")).toBe(String(added + 2));
      while ((await fetch(`${server.origin}/readyz`)).status !== 200) await Bun.sleep(50);
    });

    test("that is full is reported at the start, and no data is lost", async () => {
      if (small === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(small, "begun"));
      await here.json("accounts", "create", "A");
      const fresh = await installation(join(small, "fresh"));
      const filled = await fill(small);
      for (const { run } of [here, fresh]) {
        const { exitCode, stderr } = await run("serve", "--listen", "127.0.0.1:0");
        expect(exitCode).toBe(3);
        expect(stderr).toMatch(/The disk is full \(\d+ KiB free\)|no space left on/);
        expect(stderr).not.toContain("    at ");
      }
      await rm(filled);
      expect(await here.json("accounts", "list")).toMatchObject([{ name: "A" }]);
      expect((await fresh.run("accounts", "create", "B")).exitCode).toBe(0);
    });

    test("that has no room for the copy before an upgrade keeps the old database", async () => {
      if (small === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(small, "old"));
      await here.json("accounts", "create", "A");
      const path = here.path("petstore.db");
      const database = new Database(path);
      const [version] = database
        .query("DELETE FROM petstore_migrations WHERE component = 'members' RETURNING version")
        .values()
        .map(([found]) => Number(found))
        .toSorted((a, b) => b - a);
      const tables = database
        .query("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'member%'")
        .values()
        .map(([name]) => String(name));
      for (const name of tables) database.run(`DROP TABLE ${name}`);
      database.close();
      const before = await readFile(path);
      const filled = await fill(small, 128 * 1_024);
      const { exitCode, stderr } = await here.run("serve", "--listen", "127.0.0.1:0");
      expect(exitCode).toBe(3);
      expect(stderr).toContain(`is copied before it is upgraded (members 0 to ${version})`);
      expect(stderr).toContain("Nothing was changed. Free 1 MiB next to it");
      expect((await readFile(path)).equals(before)).toBe(true);
      expect((await readdir(here.dataDir)).filter((name) => name.includes("upgrade"))).toEqual([]);
      await rm(filled);
    });
  },
);

describe.skipIf(sealed === undefined && process.env["CI"] !== "true")(
  "a disk that is read-only (needs the right to mount)",
  () => {
    test("fails the start with exit code 3 and a message", async () => {
      if (sealed === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(sealed, "data"));
      const { exitCode, stderr } = await here.run("serve", "--listen", "127.0.0.1:0");
      expect(exitCode).toBe(3);
      expect(stderr).toContain("cannot be used");
      expect(stderr).not.toContain("    at ");
    });

    test("is reported as a failure by doctor", async () => {
      if (sealable === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(sealable, "data"));
      await here.json("accounts", "create", "A");
      Bun.spawnSync(["mount", "-o", "remount,ro", sealable]);
      const { exitCode, stdout } = await here.run("doctor");
      expect(exitCode).toBe(6);
      expect(stdout).toMatch(/^FAIL +data directory/m);
    });
  },
);
