import { afterAll, beforeAll, describe, test } from "bun:test";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { inManagement } from "./in-management.ts";
import { inProcess } from "./in-process.ts";
import { table } from "./table.ts";

const stores: readonly (readonly [name: string, make: () => Store | Promise<Store>])[] = [
  ["in memory", memoryStore],
  ["on SQLite", () => bunSqliteStore({ path: ":memory:" })],
];

for (const [name, make] of stores) {
  describe(`in process, ${name}`, () => {
    for (const { id, sentence, needs, run } of table) {
      if (needs === "socket") continue;
      test(`${id}: ${sentence}`, async () => {
        const { env, close } = inProcess(await make());
        try {
          await run(env);
        } finally {
          await close();
        }
      });
    }
  });
}

describe("in the management API", () => {
  let opened: Awaited<ReturnType<typeof inManagement>>;
  // Each case has an account of its own.
  beforeAll(async () => {
    opened = await inManagement();
  });
  afterAll(() => opened.close());

  for (const { id, sentence, both, run } of table) {
    if (both === true) test(`${id}: ${sentence}`, () => run(opened.env));
  }
});
