import { expect, test } from "bun:test";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { recipesWithPackage, RECIPES } from "../helpers/nested.ts";

const TSC = join(import.meta.dir, "../../node_modules/.bin/tsc");

// They install the packages of others.
const lacking = torture ? await recipesWithPackage() : "needs TEST_TORTURE=1";

test.skipIf(lacking !== undefined).each([
  ["Cloudflare Workers", "workers"],
  ["Bun", "bun"],
  ["the packages for Redis", "clients"],
])(
  `the package compiles with the types of %s${lacking === undefined ? "" : ` (${lacking})`}`,
  async (_, config) => {
    const child = Bun.spawn([TSC, "-p", `types/${config}.json`], {
      cwd: RECIPES,
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await new Response(child.stdout).text()).toBe("");
    expect(await child.exited).toBe(0);
  },
);
