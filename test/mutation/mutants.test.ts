import { describe, expect, test } from "bun:test";

import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { mutants, type Mutant } from "./mutants.ts";

const ROOT = join(import.meta.dir, "../..");
const torture = process.env["TEST_TORTURE"] === "1";

test.each(mutants.map((mutant): [string, Mutant] => [mutant.defect, mutant]))(
  "%s: its line exists exactly once",
  async (_, { file, from }) => {
    const text = await Bun.file(join(ROOT, file)).text();
    expect(text.split(from).length - 1).toBe(1);
  },
);

test("the tests of every mutant exist", () => {
  const named = mutants.flatMap(({ tests }) => tests);
  expect(named.filter((path) => !existsSync(join(ROOT, "test", path)))).toEqual([]);
});

/** Of the repository, what a copy has no use for. `node_modules` is linked. */
const NOT_COPIED: ReadonlySet<string> = new Set([".git", "dist", "node_modules"]);

const allTests = [...new Set(mutants.flatMap(({ tests }) => tests))].toSorted();

if (torture) {
  // Otherwise a test that cannot run in a copy would seem to detect everything.
  describe("in an unchanged copy all tests pass:", () => {
    test.each(allTests)("%s", async (file) => {
      expect(await outcomeIn([file])).toBe("passed");
    });
  });

  describe("a test fails if", () => {
    for (const mutant of mutants) {
      test(mutant.defect, async () => {
        expect(await outcomeIn(mutant.tests, mutant)).toBe("failed");
      });
    }
  });
}

/** Returns the result of the tests on a copy of the project with the mutant. */
async function outcomeIn(tests: readonly string[], mutant?: Mutant): ReturnType<typeof outcomeOf> {
  const copy = await mkdtemp(join(tmpdir(), "mutant-"));
  try {
    for (const name of await readdir(ROOT)) {
      if (NOT_COPIED.has(name)) continue;
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
    if (mutant !== undefined) {
      const path = join(copy, mutant.file);
      await Bun.write(
        path,
        (await Bun.file(path).text()).replace(mutant.from, () => mutant.to),
      );
    }
    return await outcomeOf(copy, tests);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** "passed" means an undetected mutant, "broken" one that does not load. */
async function outcomeOf(
  copy: string,
  tests: readonly string[],
): Promise<"passed" | "failed" | "broken"> {
  const { TEST_TORTURE: _, ...env } = process.env;
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--bail=1",
      "--timeout=120000",
      ...tests.map((one) => `./test/${one}`),
    ],
    { cwd: copy, env, stdio: ["ignore", "ignore", "pipe"] },
  );
  const [report, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (exitCode === 0) return "passed";
  return /^\(fail\)/m.test(report) ? "failed" : "broken";
}
