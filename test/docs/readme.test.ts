import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { freePort } from "../helpers/free-ports.ts";
import { startPostgres } from "../helpers/postgres.ts";

const root = new URL("../..", import.meta.url).pathname;
const readme = await Bun.file(join(root, "README.md")).text();

/** The shell blocks in order. Blocks that are only shown have no language. */
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);

const START = "npm ci && npm start\n";
let clone = "";
let port = 0;
/** Replaces the ports of the second server in the page. */
const others = new Map<string, number>();
/** Where the reader keeps the records. Default: SQLite. */
let database: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), "petstore-readme-"));
  port = await freePort();
  for (const written of [":8090", ":8443"]) others.set(written, await freePort());
  await run(
    `git -C '${root}' ls-files -co --exclude-standard -z | tar -C '${root}' --null -T - -cf - | tar -xf -`,
  );
  // It takes as long as all the rest, and CI begins with it.
  if (torture) await run("npm ci --no-audit --no-fund");
  else symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
}, 600_000);

afterAll(() => rmSync(clone, { recursive: true, force: true }));

async function tour(): Promise<void> {
  // In a process group of its own: npm may end before the server.
  const server = Bun.spawn(["setsid", "npm", "start"], {
    cwd: clone,
    env: environment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = new Response(server.stderr).text();
  const ended = server.exited.then(async (code): Promise<never> => {
    throw new Error(`npm start ended with ${code}:\n${await complaint}`);
  });
  ended.catch(() => undefined);
  try {
    await Promise.race([answering(`http://127.0.0.1:${port}/readyz`), ended]);
    await visit();
  } finally {
    if (server.exitCode === null) process.kill(-server.pid, "SIGTERM");
    await server.exited;
    while (await isListening()) await Bun.sleep(50);
  }
}

async function visit(): Promise<void> {
  // On the laptop is another installation. With the variable it would be a second node of this one.
  const laptop = "env -u PETSTORE_DATABASE_URL ./dist/petstore serve --data-dir ./laptop";
  const typed = blocks.slice(1).join("\n");
  const output = await run(typed.replace("./dist/petstore serve --data-dir ./laptop", laptop));
  expect(output).toContain("201 Created");
  expect(output).toContain('{"id":1,"name":"Rex","categoryId":1,"status":"available"');
  expect(output).toContain('"remaining":');
  expect(output).toContain('{"id":1,"name":"Rex","categoryId":1,"status":"sold"');
  expect(output).toContain('"petId":1,"status":"placed"');
  expect(output).toContain('Did you mean \\"name\\"?');
  expect(output).toContain('"name":"Minka"');
  // The site lists the waiting animal but not the adopted one.
  const page = output.slice(output.indexOf("<!doctype html>"));
  expect(page).toContain("Minka");
  expect(page).not.toContain("Rex");
  expect(output).toMatch(/^ {2}Value {2}[\da-f]{32}\.cname\.localhost$/m);
  const secured = await Bun.file(join(clone, "laptop.json")).json();
  expect(secured.servers[0].url).toMatch(/^https:\/\/localhost:/);
}

test("every command of the README works unchanged", async () => {
  expect(blocks[0]).toBe(START);
  await tour();
}, 600_000);

// It takes half a minute.
if (torture) {
  test("every command works with the records in PostgreSQL", async () => {
    await using postgres = await startPostgres();
    database = {
      PETSTORE_DATABASE_URL: await postgres.createDatabase(),
      PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    for (const left of ["petstore-data", "laptop", "laptop.json"]) {
      rmSync(join(clone, left), { recursive: true, force: true });
    }
    await tour();
    expect(await Bun.file(join(clone, "petstore-data/petstore.db")).exists()).toBe(false);
  }, 600_000);
}

test("every page linked from the README exists", async () => {
  for (const [, page = ""] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
    expect([page, await Bun.file(join(root, page)).exists()]).toEqual([page, true]);
  }
});

/** The environment without the test run's own variables. */
function environment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  return { ...Object.fromEntries(kept), PETSTORE_LISTEN: `127.0.0.1:${port}`, ...database };
}

async function run(script: string): Promise<string> {
  let free = script.replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`);
  for (const [written, other] of others) free = free.replaceAll(written, `:${other}`);
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", free], {
    cwd: clone,
    env: environment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${script}\n${output}\n${complaint}`);
  return output;
}

function isListening(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    () => true,
    () => false,
  );
}

/** The caller's deadline ends a wait in vain. */
async function answering(url: string): Promise<void> {
  while ((await fetch(url).catch(() => undefined))?.ok !== true) await Bun.sleep(100);
}
