import { afterEach, beforeEach, expect, test } from "bun:test";

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { dataDirectory } from "../../server/data/data-directory.ts";
import { installation, scratch, type Installation } from "../cli/installation.ts";
import { runProgram, startProgram } from "../helpers/process.ts";
import { startS3, type S3Server } from "../helpers/s3-server.ts";
import { contentsOf, emptyWith, environmentOf, filesIn, keyIn, noise } from "./fixture.ts";
import { deploy, page, project, visit } from "./sites.ts";

let server: S3Server;
let env: Readonly<Record<string, string>>;
let here: Installation;
let dataDir: string;

beforeEach(async () => {
  server = await startS3({ buckets: ["pets", "other"] });
  env = { ...environmentOf(server), PETSTORE_BLOBS_URL: "s3://pets/sites/" };
  here = await installation(undefined, env);
  ({ dataDir } = here);
});
afterEach(() => server[Symbol.asyncDispose]());

/** A file that is too large to be kept in memory. */
const large = (seed: number) => ({ "large.bin": noise(3_000_000, seed) });

test("sites are published, rolled back and served from a bucket, also after a start with an empty cache", async () => {
  const { blobCache, blobs } = dataDirectory(dataDir);
  let program = await here.serve();
  const slug = await project(here);
  await deploy(here, "First", large(1), slug);
  expect(await page(program, slug)).toContain("200 <h1>First</h1>");
  await deploy(here, "Second", large(2), slug);
  expect(await page(program, slug)).toContain("<h1>Second</h1>");
  await here.json("rollback", "--project", slug, "--yes");
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  expect(server.objects().size).toBeGreaterThan(3);
  expect(await filesIn(blobs).catch(() => [])).toEqual([]);

  await program.end();
  await rm(blobCache, { recursive: true });
  program = await here.serve();
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  const photo = await (await visit(program, slug, "/large.bin")).bytes();
  expect(Buffer.compare(photo, noise(3_000_000, 1))).toBe(0);
  const part = await visit(program, slug, "/large.bin", { range: "bytes=1000000-1000009" });
  expect([part.status, await part.bytes()]).toEqual([
    206,
    noise(3_000_000, 1).slice(1e6, 1e6 + 10),
  ]);
  const doctor = await here.run("doctor");
  expect(doctor.stdout).toMatch(/^ok +blobs +s3:\/\/pets\/sites answers$/m);

  // Copies are served without the bucket; the rest of the service needs none.
  server.fault = () => ({ kind: "error", status: 503, code: "SlowDown" });
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  expect((await visit(program, slug, "/large.bin")).status).toBe(200);
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
  const failing = await here.run("doctor");
  expect([failing.exitCode, failing.stdout]).toEqual([
    6,
    expect.stringMatching(/^FAIL +blobs +s3:\/\/pets\/sites cannot be used: .+SlowDown/m),
  ]);
  await program.end();

  // Started without its bucket, it is not ready until that answers.
  await rm(blobCache, { recursive: true });
  program = await here.serve();
  expect((await fetch(`${program.origin}/readyz`)).status).toBe(503);
  expect((await visit(program, slug, "/")).status).toBe(503);
  server.fault = () => undefined;
  while ((await fetch(`${program.origin}/readyz`)).status !== 200) await Bun.sleep(200);
  expect(await page(program, slug)).toContain("<h1>First</h1>");
  await program.end();
});

test("a backup contains the files of a bucket, and can be restored with another blobs-url", async () => {
  const slug = await project(here);
  await deploy(here, "Saved", large(1), slug);
  const file = join(await scratch(), "one.backup");
  const made = await here.run("backup", file);
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
  const written = await here.run("export", "--all", exported);
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
  const lossy = await here.run("backup", `${file}.2`);
  expect([lossy.exitCode, lossy.stderr]).toEqual([
    0,
    expect.stringContaining("1 site files are missing or damaged"),
  ]);
});

test("a backup asks once for the sizes of all files in a bucket", async () => {
  const slug = await project(here);
  const files = Array.from({ length: 40 }, (_, index) => [`${index}.txt`, noise(10, index)]);
  await deploy(here, "Many", Object.fromEntries(files), slug);
  const to = `${await scratch()}/backups/`;
  const requests = async (): Promise<number> => {
    const before = server.log.length;
    const { exitCode } = await here.run("backup", to);
    expect(exitCode).toBe(0);
    return server.log.length - before;
  };
  // The first one reads each file, too.
  expect(await requests()).toBeGreaterThan(40);
  expect(await requests()).toBeLessThan(5);
});

test("an installation is not opened with another blobs-url", async () => {
  const slug = await project(here);
  await deploy(here, "Here", large(1), slug);
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
