import { afterEach, beforeEach, expect, test } from "bun:test";

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { dataDirectory } from "../../server/data-directory.ts";
import { scratch } from "../cli/installation.ts";
import { runProgram, startProgram, type Program } from "../helpers/process.ts";
import { startS3, type S3Server } from "../helpers/s3-server.ts";
import { contentsOf, emptyWith, environmentOf, filesIn, keyIn, noise } from "./fixture.ts";

let server: S3Server;
let env: Readonly<Record<string, string>>;
let dataDir: string;

beforeEach(async () => {
  server = await startS3({ buckets: ["pets", "other"] });
  env = { ...environmentOf(server), PETSTORE_BLOBS_URL: "s3://pets/sites/" };
  dataDir = join(await scratch(), "data");
});
afterEach(() => server[Symbol.asyncDispose]());

async function json<Document>(...args: readonly string[]): Promise<Document> {
  const { exitCode, stdout, stderr } = await runProgram(
    [...args, "--data-dir", dataDir, "--json"],
    {
      env,
    },
  );
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

async function project(): Promise<string> {
  const { id } = await json<{ id: string }>("accounts", "create", "A");
  return (await json<{ slug: string }>("projects", "create", "Site", "--account", id)).slug;
}

/** Deploys a site of a page and a file that is too large to be kept in memory. */
async function deploy(slug: string, heading: string, seed: number): Promise<void> {
  const site = await scratch();
  await writeFile(join(site, "index.html"), `<h1>${heading}</h1>`);
  await writeFile(join(site, "large.bin"), noise(3_000_000, seed));
  await json("deploy", site, "--project", slug);
}

const visit = (program: Program, slug: string, path: string) =>
  fetch(program.origin + path, { headers: { host: `${slug}.localhost` } });

async function page(program: Program, slug: string): Promise<string> {
  const response = await visit(program, slug, "/");
  return `${response.status} ${await response.text()}`;
}

test("sites are published, rolled back and served from a bucket, also after a start with an empty cache", async () => {
  const { blobCache, blobs } = dataDirectory(dataDir);
  let program = await startProgram({ dataDir, env });
  const slug = await project();
  await deploy(slug, "First", 1);
  expect(await page(program, slug)).toContain("200 <h1>First</h1>");
  await deploy(slug, "Second", 2);
  expect(await page(program, slug)).toContain("<h1>Second</h1>");
  await json("rollback", "--project", slug, "--yes");
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  expect(server.objects().size).toBeGreaterThan(3);
  expect(await filesIn(blobs).catch(() => [])).toEqual([]);

  await program.end();
  await rm(blobCache, { recursive: true });
  program = await startProgram({ dataDir, env });
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  const large = await (await visit(program, slug, "/large.bin")).bytes();
  expect(Buffer.compare(large, noise(3_000_000, 1))).toBe(0);
  const part = await fetch(`${program.origin}/large.bin`, {
    headers: { host: `${slug}.localhost`, range: "bytes=1000000-1000009" },
  });
  expect([part.status, await part.bytes()]).toEqual([
    206,
    noise(3_000_000, 1).slice(1e6, 1e6 + 10),
  ]);
  const doctor = await runProgram(["doctor", "--data-dir", dataDir], { env });
  expect(doctor.stdout).toMatch(/^ok +blobs +s3:\/\/pets\/sites answers$/m);

  // Copies are served without the bucket; the rest of the service needs none.
  server.fault = () => ({ kind: "error", status: 503, code: "SlowDown" });
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  expect((await visit(program, slug, "/large.bin")).status).toBe(200);
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
  const failing = await runProgram(["doctor", "--data-dir", dataDir], { env });
  expect([failing.exitCode, failing.stdout]).toEqual([
    6,
    expect.stringMatching(/^FAIL +blobs +s3:\/\/pets\/sites cannot be used: .+SlowDown/m),
  ]);
  await program.end();

  // Started without its bucket, it is not ready until that answers.
  await rm(blobCache, { recursive: true });
  program = await startProgram({ dataDir, env });
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(503);
  expect((await visit(program, slug, "/")).status).toBe(503);
  server.fault = () => undefined;
  while ((await fetch(`${program.origin}/readyz`)).status !== 200) await Bun.sleep(200);
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  await program.end();
});

test("a backup contains the files of a bucket, and can be restored with another blobs-url", async () => {
  const slug = await project();
  await deploy(slug, "Saved", 1);
  const file = join(await scratch(), "one.backup");
  const made = await runProgram(["backup", file, "--data-dir", dataDir], { env });
  expect([made.exitCode, made.stdout]).toEqual([0, expect.stringContaining("verified")]);
  const expected = contentsOf(dataDirectory(dataDir));
  const key = await keyIn(dataDirectory(dataDir));
  const { PETSTORE_BLOBS_URL: _, ...without } = env;
  for (const [blobsUrl, more] of [
    ["other bucket", { PETSTORE_BLOBS_URL: "s3://other/restored" }],
    ["directory", {}],
  ] as const) {
    const directory = await emptyWith(key);
    const environment = { ...without, ...more };
    const restored = await runProgram(["restore", file, "--yes", "--data-dir", directory.path], {
      env: environment,
    });
    expect([blobsUrl, restored.exitCode, restored.stderr]).toEqual([blobsUrl, 0, ""]);
    expect(contentsOf(directory)).toEqual(expected);
    if (blobsUrl === "directory")
      expect((await filesIn(directory.blobs)).length).toBeGreaterThan(1);
    else expect(server.objects("other").size).toBeGreaterThan(1);
    await using program = await startProgram({ dataDir: directory.path, env: environment });
    expect(await page(program, slug)).toContain("<h1>Saved</h1>");
    expect((await visit(program, slug, "/large.bin")).status).toBe(200);
  }
  const exported = join(await scratch(), "export");
  const written = await runProgram(["export", "--all", exported, "--data-dir", dataDir], { env });
  expect(written.exitCode).toBe(0);
  const moved = await emptyWith(key);
  const imported = await runProgram(["import", "--all", exported, "--data-dir", moved.path], {
    env: without,
  });
  expect([imported.exitCode, (await filesIn(moved.blobs)).length > 1]).toEqual([0, true]);
  // A damaged or lost file is named, and the rest is backed up.
  const largest = [...server.objects()].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
  server.tamper(largest, new Uint8Array(3_000_000));
  await rm(dataDirectory(dataDir).blobCache, { recursive: true });
  const lossy = await runProgram(["backup", `${file}.2`, "--data-dir", dataDir], { env });
  expect([lossy.exitCode, lossy.stderr]).toEqual([
    0,
    expect.stringContaining("1 site files are missing or damaged"),
  ]);
});

test("a backup asks once for the sizes of all files in a bucket", async () => {
  const slug = await project();
  const site = await scratch();
  for (let index = 0; index < 40; index++) await writeFile(join(site, `${index}.txt`), `${index}`);
  await json("deploy", site, "--project", slug);
  const to = `${await scratch()}/backups/`;
  const requests = async (): Promise<number> => {
    const before = server.log.length;
    const { exitCode } = await runProgram(["backup", to, "--data-dir", dataDir], { env });
    expect(exitCode).toBe(0);
    return server.log.length - before;
  };
  // The first one reads each file, too.
  expect(await requests()).toBeGreaterThan(40);
  expect(await requests()).toBeLessThan(5);
});

test("an installation is not opened with another blobs-url", async () => {
  const slug = await project();
  await deploy(slug, "Here", 1);
  const { blobsUrl } = dataDirectory(dataDir);
  expect(await readFile(blobsUrl, "utf8")).toBe("s3://pets/sites\n");
  const { PETSTORE_BLOBS_URL: _, ...without } = env;
  for (const [environment, given] of [
    [without, "not set"],
    [{ ...env, PETSTORE_BLOBS_URL: "s3://other/sites" }, "s3://other/sites"],
  ] as const) {
    for (const args of [["accounts", "list"], ["backup", join(await scratch(), "x")], ["serve"]]) {
      const { exitCode, stderr } = await runProgram([...args, "--data-dir", dataDir], {
        env: environment,
      });
      expect([exitCode, stderr]).toEqual([
        3,
        expect.stringContaining(
          `The files of sites are in s3://pets/sites, but blobs-url is ${given}. Correct the option.`,
        ),
      ]);
    }
  }
});
