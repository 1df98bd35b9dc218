import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";

import { connect, type Connection } from "../../server/listeners/socket.ts";
import { scopes } from "../../lib/model/scope.ts";
import manifest from "../../package.json";
import { api } from "../helpers/api.ts";
import { useExecutable } from "../helpers/executable.ts";
import type { Program } from "../helpers/process.ts";
import { compiled, SERVE_ARGS } from "./compiled.ts";
import { table } from "./table.ts";

await useExecutable();
const { runProgram, startProgram } = await import("../helpers/process.ts");

describe("compiled, over HTTP", () => {
  let program: Program;
  let operator: Connection;

  beforeAll(async () => {
    program = await startProgram({ args: SERVE_ARGS });
    const connection = await connect(join(program.dataDir, "petstore.sock"), manifest.version);
    if (connection === undefined) throw new Error("the program does not listen on its socket");
    operator = connection;
  });

  afterAll(async () => {
    await operator.close();
    await program[Symbol.asyncDispose]();
  });

  test("an account and a key created by commands work for a request", async () => {
    const command = async (...args: readonly string[]): Promise<unknown> => {
      const { exitCode, stdout, stderr } = await runProgram([
        ...args,
        ...["--json", "--data-dir", program.dataDir],
      ]);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      return JSON.parse(stdout);
    };
    const account = (await command("accounts", "create", "Happy Tails")) as { readonly id: string };
    const granted = scopes.flatMap((scope) => ["--scope", scope]);
    const issued = await command("keys", "create", "--account", account.id, ...granted);
    const { key } = issued as { readonly key: string };
    const speaking = api({ base: program.origin, key });
    expect((await speaking.post("/v1/pets", { name: "Rex", categoryId: 1 })).status).toBe(201);
  });

  test("a browser can sign in with a passkey, which needs a lazily loaded library", async () => {
    const origin = program.origin.replace("127.0.0.1", "localhost");
    const answer = await fetch(`${origin}/manage/v1/sessions/passkey/options`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: "{}",
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { rpId: "localhost" }]);
  });

  for (const [index, { id, sentence, needs, run }] of table.entries()) {
    if (needs === "clock" || needs === "faults") continue;
    // Each case uses its own address and accounts, so they do not interfere.
    const address = `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
    test.concurrent(`${id}: ${sentence}`, () => run(compiled(program, operator.client, address)));
  }
});
