import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { hostsWithPackage } from "../helpers/nested.ts";
import { checks, rolesFor, runCheck } from "./checks.ts";
import { listHosts, readHost } from "./host.ts";
import { placeHost } from "./install.ts";
import { startHost, type Running } from "./running.ts";

// `npm run hosts` runs the same checks against all hosts, and more.

const lacking = await hostsWithPackage();

for (const name of ["node", "express", "fastify", "hono"]) {
  const host = await readHost(name);
  describe.skipIf(lacking !== undefined)(`${host.title}${lacking ? ` (${lacking})` : ""}`, () => {
    let running: Running;

    beforeAll(async () => {
      running = await startHost(host, await placeHost(host));
    });

    afterAll(() => running[Symbol.asyncDispose]());

    for (const check of checks.toSorted((a, b) => Number(a.ends ?? 0) - Number(b.ends ?? 0))) {
      if (rolesFor(check, host).length === 0) continue;
      const excuse = host.excused[check.name];
      test(`${check.name}${excuse === undefined ? "" : `: not here, because ${excuse}`}`, async () => {
        const passed = runCheck(check, host, running);
        if (excuse === undefined) await passed;
        else await expect(passed).rejects.toThrow();
      });
    }
  });
}

test("all hosts are declared with known mounts, exact versions and a start", async () => {
  const pinned = (await Bun.file(`${import.meta.dir}/../node/project/package.json`).json())
    .dependencies;
  for (const { name, mounts, packages } of await listHosts()) {
    expect([name, mounts.plain !== undefined]).toEqual([name, true]);
    if (!["node", "express", "fastify", "hono"].includes(name)) continue;
    // These run with the packages of the project there.
    expect([name, pinned]).toEqual([name, expect.objectContaining(packages)]);
  }
});
