import { expect, test } from "bun:test";

import { scratch } from "../cli/installation.ts";
import { api, type Reply } from "../helpers/api.ts";
import { startPostgres } from "../helpers/postgres.ts";
import { runProgram, startProgram } from "../helpers/process.ts";

interface Attempt {
  readonly name: string;
  readonly reply: Reply<{ readonly id: number; readonly code?: string }>;
}

const WRITERS = 16;
/** More than they create before the crash. */
const MOST = 5_000;

test("a crash of PostgreSQL loses and doubles nothing, and the program reconnects", async () => {
  await using postgres = await startPostgres();
  const dataDir = await scratch();
  const env = {
    PETSTORE_DATABASE_URL: await postgres.createDatabase(),
    PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const json = async (...args: readonly string[]) => {
    const run = await runProgram([...args, "--json", "--data-dir", dataDir], { env });
    expect(run.exitCode, run.stderr).toBe(0);
    return JSON.parse(run.stdout);
  };
  const plan = ["--plan=enterprise", "--per-minute=1000000", "--per-day=1000000"];
  const { id } = await json("accounts", "create", "Happy Tails", ...plan);
  const { key } = await json("keys", "create", "--account", id);
  await using program = await startProgram({ dataDir, env });
  const client = api({ base: program.origin, key });
  const isReady = async (): Promise<boolean> => (await fetch(`${program.origin}/readyz`)).ok;
  const create = async (name: string): Promise<Attempt> => {
    const headers = { "idempotency-key": name };
    const body = { name, categoryId: 1 };
    const reply = await client.post<{ id: number; code?: string }>("/v1/pets", body, { headers });
    return { name, reply };
  };

  const attempts: Attempt[] = [];
  let number = 0;
  let refused = 0;
  const writers = Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (number < MOST) {
        const attempt = await create(`pet-${number++}`);
        attempts.push(attempt);
        if (attempt.reply.status !== 201) {
          refused++;
          return;
        }
      }
    }),
  );
  while (attempts.length < WRITERS) await Bun.sleep(1);
  await postgres.stop("SIGQUIT");
  await writers;
  expect(refused).toBeGreaterThan(0);
  expect(attempts.length).toBeGreaterThan(refused);

  const failed = attempts.flatMap(({ reply }) => (reply.status === 201 ? [] : [reply]));
  failed.push((await create(`pet-${number}`)).reply);
  for (const reply of failed) {
    expect(reply).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(await isReady()).toBe(false);

  await postgres.start();
  while (!(await isReady())) await Bun.sleep(50);
  const acknowledged = new Map<string, number>();
  for (const { name, reply } of attempts) {
    const again = reply.status === 201 ? reply : (await create(name)).reply;
    expect(again.status, again.text).toBe(201);
    acknowledged.set(name, again.body.id);
  }
  const found: { readonly id: number; readonly name: string }[] = [];
  for (let path: string | undefined = "/v1/pets?limit=100"; path !== undefined;) {
    const page: Reply<typeof found> = await client.get<typeof found>(path);
    found.push(...page.body.filter(({ name }) => acknowledged.has(name)));
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    path = next?.slice(program.origin.length);
  }
  expect(new Map(found.map(({ name, id: petId }) => [name, petId]))).toEqual(acknowledged);
  expect(found).toHaveLength(acknowledged.size);

  const logged = program.output();
  expect(logged.match(/the store does not accept writes/g)).toHaveLength(1);
  expect(logged.match(/the store accepts writes again/g)).toHaveLength(1);
}, 60_000);
