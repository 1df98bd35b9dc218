import { expect } from "bun:test";

import { rm } from "node:fs/promises";
import { join } from "node:path";

import { longTest } from "../helpers/long.ts";
import { torture } from "../helpers/chance.ts";
import { hostsWithPackage, installedApart } from "../helpers/nested.ts";
import { startPostgres } from "../helpers/postgres.ts";
import { startRedis } from "../helpers/redis.ts";

const ROOT = join(import.meta.dir, "../..");
const HOSTS = join(ROOT, "test/node/project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");
const PACKAGE = join(HOSTS, "node_modules/petstore/dist/npm");

const page = await Bun.file(join(ROOT, "docs/embedding-events.md")).text();
const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);

/** Returns the block of the page that contains the text, with parts replaced. */
function block(part: string, ...replaced: readonly (readonly [string, string])[]): string {
  let code = blocks.find((one) => one.includes(part)) ?? "";
  for (const [from, to] of replaced) {
    expect(code).toContain(from);
    code = code.replace(from, to);
  }
  return code;
}

/** Runs a program with a petstore on Node, next to the packages in `folder`, until it has printed all `wanted` lines. */
async function ran(
  folder: string,
  name: string,
  code: string,
  wanted: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly code: number }> {
  const file = join(folder, `${name}-${process.pid}.mjs`);
  await Bun.write(
    file,
    `import { createPetstore } from ${JSON.stringify(join(PACKAGE, "lib/index.js"))};
import { memoryStore } from ${JSON.stringify(join(PACKAGE, "lib/storage/memory.js"))};
const petstore = createPetstore({ store: memoryStore() });
await petstore.client.accounts.default();
petstore.events.on("pet.created", ({ data }) => console.log("handled", data.pet.name));
${code}
for (const name of ["Rex", "Bo"]) await petstore.client.pets.create({ name, categoryId: 1 });
`,
  );
  const child = Bun.spawn([NODE, file], { cwd: folder, stdout: "pipe", stderr: "inherit" });
  const lines: string[] = [];
  let rest = "";
  let ended = false;
  for await (const chunk of child.stdout) {
    rest += new TextDecoder().decode(chunk);
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    lines.push(...whole);
    const isDone = wanted.every((line) => lines.includes(line));
    if (isDone && !ended) child.kill("SIGTERM");
    ended ||= isDone;
  }
  await child.exited;
  await rm(file);
  return { lines, code: child.exitCode ?? -1 };
}

const lacking = torture ? await hostsWithPackage() : "only with TEST_TORTURE=1";

longTest.skipIf(lacking !== undefined)(
  "BullMQ ticks a petstore, gets its events as jobs once, and the process ends in good order",
  async () => {
    const apart = await installedApart("bullmq", "6.7.0", "ioredis@6.0.0");
    if ("lacking" in apart) throw new Error(apart.lacking);
    await using redis = await startRedis();
    const tick = block("new Queue", ["port: 6379", `port: ${redis.port}`]);
    // Another queue takes the events, so that they are no ticks.
    const events = block("jobId", ["queue.add", "events.add"]);
    const code = `${tick}
const events = new Queue("events", { connection });
const jobs = new Worker("events", async ({ name, data, id }) => {
  console.log("job", name, data.data.pet.name, id === \`event-\${data.seq}\`);
}, { connection });
process.once("SIGTERM", async () => {
  await Promise.all([jobs.close(), events.close(), queue.close()]);
  console.log("closed");
});
${events}`;
    const wanted = [
      ...["handled Rex", "handled Bo"],
      ...["job pet.created Rex true", "job pet.created Bo true"],
    ];
    const ended = await ran(apart.folder, "bullmq", code, wanted);
    expect(ended.lines.toSorted()).toEqual([...wanted, "closed"].toSorted());
    expect(ended.code).toBe(0);
  },
);

longTest.skipIf(lacking !== undefined)("pg-boss ticks a petstore each minute", async () => {
  const apart = await installedApart("pg-boss", "12.38.0");
  if ("lacking" in apart) throw new Error(apart.lacking);
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const tick = block("new PgBoss", ["postgres://app@127.0.0.1/app", url]);
  const code = `${tick}
process.once("SIGTERM", async () => {
  await boss.stop();
  await petstore.close();
  console.log("closed");
});`;
  const wanted = ["handled Rex", "handled Bo"];
  const ended = await ran(apart.folder, "pg-boss", code, wanted);
  expect(ended.lines).toEqual([...wanted, "closed"]);
  expect(ended.code).toBe(0);
});

longTest.skipIf(lacking !== undefined)(
  "a scheduled function on Node handles the events of its absence over PostgreSQL, each in one call",
  async () => {
    await using server = await startPostgres();
    const url = await server.createDatabase();
    const from = (file: string): string => JSON.stringify(join(PACKAGE, file));
    const code = `import { createPetstore } from ${from("lib/index.js")};
import { postgresStore } from ${from("adapters/postgres/sql.js")};
import postgres from ${JSON.stringify(join(ROOT, "node_modules/postgres/src/index.js"))};
const encryptionKey = new Uint8Array(32);
const indexPet = ({ data }) => console.log("indexed", data.pet.name);
${block("async function handler")}
await handler();
const store = await postgresStore({ url: process.env.DATABASE_URL, connect: postgres });
const { client } = createPetstore({ store, encryptionKey });
for (const name of ["Rex", "Bo"]) await client.pets.create({ name, categoryId: 1 });
await handler();
console.log("again");
await handler();
await store.close();
`;
    const file = join(HOSTS, `scheduled-${process.pid}.mjs`);
    await Bun.write(file, code);
    const env = { ...process.env, DATABASE_URL: url };
    const child = Bun.spawn([NODE, file], { env, stdout: "pipe", stderr: "inherit" });
    expect(await new Response(child.stdout).text()).toBe("indexed Rex\nindexed Bo\nagain\n");
    expect(await child.exited).toBe(0);
    await rm(file);
  },
);
