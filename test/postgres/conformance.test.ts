import { afterAll, beforeAll, describe, test } from "bun:test";
import { join } from "node:path";

import manifest from "../../package.json";
import { connect, type Connection } from "../../server/listeners/socket.ts";
import { compiled, SERVE_ARGS } from "../conformance/compiled.ts";
import { descriptionCases } from "../conformance/cases/description.ts";
import { everyOperation } from "../conformance/cases/every-operation.ts";
import { wire } from "../conformance/cases/wire.ts";
import { table } from "../conformance/table.ts";
import { torture } from "../helpers/chance.ts";
import { useExecutable } from "../helpers/executable.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import type { Program } from "../helpers/process.ts";

await useExecutable();
const { startProgram } = await import("../helpers/process.ts");

/** These are the same over any database; `test/conformance/compiled.test.ts` runs them over SQLite. */
const beforeTheStore = new Set([...everyOperation, ...wire, ...descriptionCases]);

describe("the program on PostgreSQL, over HTTP", () => {
  let postgres: TestPostgres;
  let program: Program;
  let operator: Connection;

  beforeAll(async () => {
    postgres = await startPostgres();
    const env = {
      PETSTORE_DATABASE_URL: await postgres.createDatabase(),
      PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    program = await startProgram({ args: SERVE_ARGS, env });
    const connection = await connect(join(program.dataDir, "petstore.sock"), manifest.version);
    if (connection === undefined) throw new Error("the program does not listen on its socket");
    operator = connection;
  });

  afterAll(async () => {
    await operator.close();
    await program[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  for (const [index, one] of table.entries()) {
    const { id, sentence, needs, run } = one;
    if (needs === "clock" || needs === "faults") continue;
    if (!torture && beforeTheStore.has(one)) continue;
    // Each case uses its own address and accounts, so they do not interfere.
    const address = `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
    test.concurrent(`${id}: ${sentence}`, () => run(compiled(program, operator.client, address)));
  }
});
