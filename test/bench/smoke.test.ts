import { expect, test } from "bun:test";

import { join } from "node:path";

test("everything that the bench measures starts and answers rightly", async () => {
  const script = join(import.meta.dir, "../../bench/run.ts");
  const child = Bun.spawn([process.execPath, script, "--smoke"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(await child.exited, complaint).toBe(0);
  for (const row of ["list", "create", "peers", "depth", "admission", "static", "start"]) {
    expect(output).toContain(`${row}: answers rightly`);
  }
}, 120_000);
