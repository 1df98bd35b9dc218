import { describe, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { freePort } from "../helpers/free-ports.ts";
import { hostsWithPackage } from "../helpers/nested.ts";
import { endHost } from "../helpers/process.ts";

const EXAMPLES = join(import.meta.dir, "../../examples");
const HOSTS = join(import.meta.dir, "../node/project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");

const lacking = await hostsWithPackage();

const servers = (await Array.fromAsync(new Bun.Glob("*/server.js").scan(EXAMPLES))).map(dirname);

for (const name of servers.toSorted()) {
  describe(`examples/${name}`, () => {
    test("is at most 30 lines", async () => {
      const text = await Bun.file(join(EXAMPLES, name, "server.js")).text();
      expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
    });

    test.skipIf(lacking !== undefined)(
      `serves the mounted service${lacking ? ` (${lacking})` : ""}`,
      async () => {
        // In the directory with its imported packages; its database is elsewhere.
        const copy = join(HOSTS, "node_modules/.examples", name);
        await cp(join(EXAMPLES, name), copy, { recursive: true });
        const directory = await mkdtemp(join(tmpdir(), "petstore-example-"));
        const port = await freePort();
        const child = Bun.spawn([NODE, join(copy, "server.js")], {
          cwd: directory,
          env: { ...process.env, PORT: String(port) },
          stdio: ["ignore", "inherit", "pipe"],
        });
        const errors = new Response(child.stderr).text();
        try {
          const answer = await firstAnswer(`http://127.0.0.1:${port}/v1/pets`, child);
          expect(answer.status).toBe(401);
          expect(await answer.json()).toMatchObject({ code: "missing_api_key" });
          expect(await readdir(directory)).toContain("pets.sqlite");
          const page = await fetch(`http://127.0.0.1:${port}/`);
          expect(page.status).toBe(200);
          expect(await page.text()).toContain("<title>Dogs</title>");
        } finally {
          await endHost(child, errors);
          await rm(directory, { recursive: true });
        }
      },
    );
  });
}

/** Retries until a server listens or the process has ended. */
async function firstAnswer(url: string, child: Bun.Subprocess): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (child.exitCode !== null) throw error;
      await Bun.sleep(20);
    }
  }
}
