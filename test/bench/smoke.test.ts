import { expect, test } from "bun:test";

import { join } from "node:path";

import { rows } from "../../bench/rows.ts";
import { useExecutable } from "../helpers/executable.ts";

await useExecutable();
const { command } = await import("../helpers/process.ts");

test("everything that the bench measures starts and responds correctly", async () => {
  const script = join(import.meta.dir, "../../bench/run.ts");
  const options = ["--smoke", "--executable", ...command];
  const child = Bun.spawn([process.execPath, script, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(await child.exited, complaint).toBe(0);
  for (const { name } of rows) {
    expect(output).toContain(`${name}: answers rightly`);
  }
});
