import { afterAll, beforeAll, expect, test } from "bun:test";

import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

import { noise } from "../backup/fixture.ts";
import { deploy, page, project, siteOf, visit } from "../backup/sites.ts";
import { installation, type Installation } from "../cli/installation.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** A machine over a database, with a data directory of its own. */
function machine(url: string, blobsUrl?: string): Promise<Installation> {
  return installation(undefined, {
    PETSTORE_DATABASE_URL: url,
    PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    ...(blobsUrl === undefined ? {} : { PETSTORE_BLOBS_URL: blobsUrl }),
  });
}

/** Files of 700 KB, which random bytes keep from being compressed. */
function files(count: number, seed: number): Readonly<Record<string, Uint8Array>> {
  const names = Array.from({ length: count }, (_, index) => index);
  return Object.fromEntries(names.map((index) => [`${index}.bin`, noise(700_000, seed + index)]));
}

test("sites are published and rolled back in PostgreSQL, and another machine takes over after kill -9 during a deploy", async () => {
  const url = await postgres.createDatabase();
  const one = await machine(url);
  const first = await one.serve();
  const slug = await project(one);
  await deploy(one, "First", files(2, 5_000), slug);
  await deploy(one, "Second", files(1, 6_000), slug);
  expect(await page(first, slug)).toBe("200 <h1>Second</h1>");
  await one.json("rollback", "--project", slug, "--yes");
  expect(await page(first, slug)).toBe("200 <h1>First</h1>");

  const third = await siteOf("Third", files(30, 5_000));
  const deploying = one.run("deploy", third, "--project", slug);
  const parts = async (): Promise<number> => {
    const text = "SELECT COUNT(*)::int AS n FROM blob_parts";
    return Number((await postgres.run(text, new URL(url).pathname.slice(1)))[0]?.["n"]);
  };
  const before = await parts();
  while ((await parts()) < before + 5) await Bun.sleep(5);
  await first.end("SIGKILL");
  expect((await deploying).exitCode).not.toBe(0);

  const two = await machine(url);
  await using second = await two.serve();
  expect(await page(second, slug)).toBe("200 <h1>First</h1>");
  const range = await visit(second, slug, "/1.bin", { range: "bytes=600000-600009" });
  expect([range.status, await range.bytes()]).toEqual([
    206,
    noise(700_000, 5_001).slice(600_000, 600_010),
  ]);
  await two.json("deploy", third, "--project", slug);
  expect(await page(second, slug)).toBe("200 <h1>Third</h1>");
  const file = await (await visit(second, slug, "/29.bin")).bytes();
  expect(Buffer.compare(file, noise(700_000, 5_029))).toBe(0);
  // A page and files of three sites, less than 40.
  const { stdout } = await two.run("doctor");
  expect(stdout).toMatch(/^ok +blobs +In the database, 3\d files, 22 MB$/m);
  for (const { dataDir } of [one, two]) expect(await readdir(dataDir)).not.toContain("blobs");

  const elsewhere = await (await machine(url, join(two.dataDir, "files"))).run("accounts", "list");
  expect([elsewhere.exitCode, elsewhere.stderr]).toEqual([
    3,
    expect.stringContaining("The files of sites are in the database, but blobs-url is "),
  ]);
});

test("files that an installation has in its data directory are not left behind", async () => {
  const url = await postgres.createDatabase();
  const { dataDir, run } = await machine(url);
  const blobs = join(dataDir, "blobs");
  await mkdir(join(blobs, "ab"), { recursive: true });
  const refused = await run("accounts", "create", "Happy Tails");
  expect([refused.exitCode, refused.stderr]).toEqual([
    3,
    expect.stringContaining(
      `The files of sites are in ${blobs}, but blobs-url is not set. Correct the option.`,
    ),
  ]);
  const kept = await machine(url, blobs);
  expect((await kept.run("accounts", "create", "Happy Tails")).exitCode).toBe(0);
  // From then on the database knows it.
  const other = await (await machine(url)).run("accounts", "list");
  expect([other.exitCode, other.stderr]).toEqual([
    3,
    expect.stringContaining(`The files of sites are in ${blobs}, but blobs-url is not set.`),
  ]);
});
