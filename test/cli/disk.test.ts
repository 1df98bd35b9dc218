import { afterAll, describe, expect, test } from "bun:test";

import { statfsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { api } from "../helpers/api.ts";
import { temporaryDirectory } from "../helpers/process.ts";
import { installation } from "./installation.ts";

// A disk of one's own needs the right to mount.
const mounts: string[] = [];

async function disk(options: string): Promise<string | undefined> {
  const directory = await temporaryDirectory();
  mounts.push(directory);
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", directory]);
  return mounted.exitCode === 0 ? directory : undefined;
}

afterAll(async () => {
  for (const directory of mounts) {
    Bun.spawnSync(["umount", "--lazy", directory]);
    await rm(directory, { recursive: true });
  }
});

const small = await disk("size=16m,mode=700");
const sealed = await disk("size=1m,ro");
const sealable = await disk("size=16m");

describe.skipIf(small === undefined && process.env["CI"] !== "true")(
  "a disk of 16 MB (needs the right to mount)",
  () => {
    test("that is full refuses writes with 503, goes on reading, and loses nothing", async () => {
      if (small === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(small, "data"));
      await using server = await here.serve();
      const { id } = await here.json<{ id: string }>("accounts", "create", "Full", "--plan", "pro");
      const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
      const asked = api({ base: server.origin, key });
      const add = (name: string) => asked.post("/v1/pets", { name, categoryId: 1 });
      expect((await add("Before")).status).toBe(201);

      const filler = join(small, "filler");
      const { bavail, bsize } = statfsSync(small);
      await writeFile(filler, new Uint8Array(bavail * bsize));
      let refused = await add("During");
      // What is left of the last page may take a few more.
      let added = 0;
      while (refused.status === 201 && added++ < 200) refused = await add("During");
      expect(refused.status).toBe(503);
      expect(refused.body).toMatchObject({ code: "unavailable", status: 503 });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await asked.get("/v1/pets?sort=id&limit=1")).body).toMatchObject([
        { name: "Before" },
      ]);
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);

      await rm(filler);
      expect((await add("After")).status).toBe(201);
      const all = await asked.get("/v1/pets?limit=100&count=true");
      expect(all.headers.get("x-total-count")).toBe(String(added + 2));
    }, 120_000);
  },
);

describe.skipIf(sealed === undefined && process.env["CI"] !== "true")(
  "a disk that is read-only (needs the right to mount)",
  () => {
    test("is refused at the start with exit 3 and a sentence", async () => {
      if (sealed === undefined) throw new Error("no disk could be mounted");
      const here = await installation(join(sealed, "data"));
      const { exitCode, stderr } = await here.run("serve", "--listen", "127.0.0.1:0");
      expect(exitCode).toBe(3);
      expect(stderr).toContain("cannot be used");
      expect(stderr).not.toContain("    at ");
    });

    test("is a failure to doctor", async () => {
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
