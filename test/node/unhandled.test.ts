import { expect, test } from "bun:test";
import { join } from "node:path";

import { hostsWithPackage } from "../helpers/nested.ts";
import { endHost } from "../helpers/process.ts";

const NODE = join(import.meta.dir, "project/node_modules/node24/bin/node");
const runtimes = { Node: NODE, Bun: process.execPath };

const lacking = await hostsWithPackage();

for (const [runtime, by] of Object.entries(runtimes)) {
  test.skipIf(lacking !== undefined)(
    `a host on ${runtime} that leaves an error unhandled fails its test${lacking ? ` (${lacking})` : ""}`,
    async () => {
      const outcomeOf = async (code: string): Promise<unknown> => {
        const child = Bun.spawn([by, "-e", code], { stdio: ["ignore", "ignore", "pipe"] });
        const errors = new Response(child.stderr).text();
        await child.exited;
        return endHost(child, errors).catch((error: unknown) => String(error));
      };
      for (const code of ['Promise.reject(new Error("lost"))', 'throw new Error("lost")']) {
        expect(await outcomeOf(code)).toMatch(
          /The host ended with 1 and left an error unhandled[^]*lost/,
        );
      }
      expect(await outcomeOf('console.error("a warning")')).toBeUndefined();
    },
  );
}
