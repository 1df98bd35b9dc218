import { expect } from "bun:test";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { recipesWithPackage, RECIPES } from "../helpers/nested.ts";
import { longTest } from "../helpers/long.ts";

const ROOT = join(import.meta.dir, "../..");
const TSC = join(ROOT, "node_modules/.bin/tsc");
const HOSTS = join(ROOT, "test/node/project");

// They install the packages of others.
const lacking = torture ? await recipesWithPackage() : "needs TEST_TORTURE=1";

async function compiled(config: string, cwd: string, tsc = TSC): Promise<void> {
  const child = Bun.spawn([tsc, "-p", `types/${config}.json`], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(await new Response(child.stdout).text()).toBe("");
  expect(await child.exited).toBe(0);
}

const suffix = lacking === undefined ? "" : ` (${lacking})`;

longTest.skipIf(lacking !== undefined).each([
  ["Cloudflare Workers", "workers"],
  ["Bun", "bun"],
  ["the packages for Redis", "clients"],
])(`the package compiles with the types of %s${suffix}`, async (_, config) =>
  compiled(config, RECIPES),
);

longTest.skipIf(lacking !== undefined).each(["without-node", "without-dom", "tsconfig"])(
  `TypeScript 5.9 compiles it too: %s.json${suffix}`,
  async (config) => compiled(config, HOSTS, join(RECIPES, "node_modules/typescript5/bin/tsc")),
);
