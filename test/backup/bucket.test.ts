import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { fetchS3 } from "../../adapters/s3/fetch.ts";
import { placeOf, type Place } from "../../backup/place.ts";
import { checkRestore, restoreInstallation } from "../../server/backup/restore.ts";
import { scratch } from "../cli/installation.ts";
import { chance, torture } from "../helpers/chance.ts";
import { command, runProgram, startProgram } from "../helpers/process.ts";
import { rejection } from "../helpers/rejection.ts";
import { startS3, type S3Server } from "../helpers/s3-server.ts";
import {
  backUp,
  contentsOf,
  emptyWith,
  environmentOf,
  noise,
  request,
  shelter,
  type Shelter,
} from "./fixture.ts";
import { deploy } from "./sites.ts";

let here: Shelter;
let server: S3Server;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startS3();
  env = environmentOf(server);
  here = await shelter();
});
afterAll(() => server[Symbol.asyncDispose]());

const keysOf = (prefix: string): readonly string[] =>
  [...server.objects().keys()].filter((key) => key.startsWith(prefix));
const asked = (from: Place, directory = here.directory) => ({
  ...request(from, directory),
  s3: server.access,
});

describe("a bucket of backups", () => {
  test("stores each blob once, restores any of its backups, and removes what is old", async () => {
    const place = placeOf("s3://pets/story/");
    expect(place.path).toBe("s3://pets/story");
    const first = await backUp(here, place, {}, true, env);
    expect([first.to, first.rehearsed]).toEqual(["s3://pets/story", true]);
    const asFirst = contentsOf(here.directory);
    await deploy(here, "Animals", { "more.bin": noise(300_000, 2) });
    const second = await backUp(here, place, {}, false, env);
    expect(second.bytes - second.writtenBytes).toBeGreaterThan(190_000);
    for (const [id, expected] of [
      [first.id, asFirst],
      [undefined, contentsOf(here.directory)],
    ] as const) {
      const directory = await emptyWith(here.encryptionKey);
      await restoreInstallation({ ...asked(place, directory), id });
      expect(contentsOf(directory)).toEqual(expected);
    }
    const flags = { "backup-to": "s3://pets/story", "backup-keep": "1" };
    const third = await backUp(here, place, flags, false, env);
    expect(third.removed).toBe(2);
    expect(keysOf("story/backups/")).toEqual([
      `story/backups/${third.id}.age`,
      `story/backups/${third.id}.blobs`,
      `story/backups/${third.id}.json`,
    ]);
    expect(keysOf("story/blobs/")).toHaveLength(third.blobs);
    await checkRestore(asked(place));
  });

  test("changed, truncated and removed objects are found", async () => {
    const place = placeOf("s3://pets/faults");
    const { id } = await backUp(here, place, {}, false, env);
    const check = async (): Promise<string> => {
      const { exitCode, stderr } = await runProgram(
        ["restore", "s3://pets/faults", "--check", "--data-dir", here.dataDir],
        { env },
      );
      return `${exitCode} ${stderr}`;
    };
    expect(await check()).toBe("0 ");
    const [blob = ""] = keysOf("faults/blobs/");
    const container = `faults/backups/${id}.age`;
    for (const key of [blob, container]) {
      const right = await contentOf(key);
      const flipped = right.slice();
      flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
      for (const wrong of [flipped, right.slice(0, -1), new Uint8Array()]) {
        server.tamper(key, wrong);
        expect(await check()).toMatch(
          wrong.length === 0 && key === container
            ? /^[36] .*s3:\/\/pets\/faults/
            : /^6 .*s3:\/\/pets\/faults is damaged: /,
        );
      }
      server.tamper(key, right);
    }
    expect(await check()).toBe("0 ");
  });

  test("what is read back differently does not count, and is removed", async () => {
    server.fault = ({ operation, key }) =>
      operation === "GetObject" && key.startsWith("flipped/blobs/")
        ? { kind: "flipped" }
        : undefined;
    const failed = await rejection(backUp(here, placeOf("s3://pets/flipped"), {}, false, env));
    server.fault = () => undefined;
    expect(String(failed)).toContain("s3://pets/flipped is damaged: ");
    expect(keysOf("flipped/")).toEqual([]);
  });

  test("wrong credentials and addresses are sentences", async () => {
    const run = async (to: string, environment: Readonly<Record<string, string>>) => {
      const { exitCode, stderr } = await runProgram(["backup", to, "--data-dir", here.dataDir], {
        env: environment,
      });
      return [exitCode, stderr.trim().split("\n").at(-1)];
    };
    expect(await run("s3://pets/x", {})).toEqual([
      3,
      expect.stringContaining("s3://pets/x needs s3-access-key-id and s3-secret-access-key."),
    ]);
    expect(await run("s3://pets/x", { ...env, AWS_SECRET_ACCESS_KEY: "wrong" })).toEqual([
      3,
      expect.stringContaining("the secret key is wrong. Check s3-secret-access-key."),
    ]);
    expect(await run("s3://none/x", env)).toEqual([
      3,
      expect.stringContaining("the bucket does not exist. Create it, or correct its name."),
    ]);
    expect(await run("s3://pets/a//b", env)).toEqual([
      2,
      expect.stringContaining("s3://pets/a//b must not have an empty part in its prefix."),
    ]);
    expect(await run("gs://pets/x", env)).toEqual([
      2,
      expect.stringContaining("backups are in files, directories and s3:// buckets."),
    ]);
    const missing = await runProgram(["restore", "s3://pets/nothing", "--check"], {
      env: { ...env, PETSTORE_DATA_DIR: here.dataDir },
    });
    expect([missing.exitCode, missing.stderr]).toEqual([
      4,
      expect.stringContaining("s3://pets/nothing has no backups."),
    ]);
  });

  test("a killed backup leaves no backup, and the next one removes its upload", async () => {
    await deploy(here, "Animals", { "more.bin": noise(9_000_000, 3) });
    const part = Promise.withResolvers<void>();
    server.fault = ({ operation, index }) => {
      if (operation !== "UploadPart" || index < 1) return undefined;
      part.resolve();
      return { kind: "silent" };
    };
    const child = Bun.spawn(
      [...command, "backup", "s3://pets/killed", "--data-dir", here.dataDir],
      {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["ignore", "ignore", "ignore"],
      },
    );
    await part.promise;
    child.kill("SIGKILL");
    await child.exited;
    server.fault = () => undefined;
    expect([server.unfinished(), keysOf("killed/backups/")]).toEqual([1, []]);
    const place = placeOf("s3://pets/killed");
    await backUp(here, place, {}, true, env);
    expect(server.unfinished()).toBe(0);
    await checkRestore(asked(place));
  });
});

const ROUNDS = torture ? 100 : 2;

test(
  `kill -9 and lost answers in ${ROUNDS} rounds leave every finished backup whole`,
  async () => {
    const random = chance();
    const url = "s3://pets/rounds";
    const indexes = () => keysOf("rounds/backups/").filter((key) => key.endsWith(".json"));
    await backUp(here, placeOf(url), {}, false, env);
    let known = indexes();
    for (let round = 0; round < ROUNDS; round++) {
      const size = random.pick([300_000, 9_000_000]);
      await deploy(here, "Animals", { "more.bin": noise(size, round + 10) });
      server.fault = () =>
        random.true(0.1) ? { kind: random.pick(["lost", "disguised"]) } : undefined;
      const child = Bun.spawn([...command, "backup", url, "--data-dir", here.dataDir], {
        env: { PATH: process.env["PATH"] ?? "", ...env },
        stdio: ["ignore", "ignore", "ignore"],
      });
      const killing = setTimeout(() => child.kill("SIGKILL"), random.between(0, 4_000));
      await child.exited;
      clearTimeout(killing);
      server.fault = () => undefined;
      expect(indexes()).toEqual(expect.arrayContaining([...known]));
      known = indexes();
      await checkRestore(asked(placeOf(url)));
    }
    const flags = { "backup-to": url, "backup-keep": "1" };
    const { id, blobs } = await backUp(here, placeOf(url), flags, true, env);
    expect(keysOf("rounds/backups/")).toEqual(
      ["age", "blobs", "json"].map((end) => `rounds/backups/${id}.${end}`),
    );
    expect([keysOf("rounds/blobs/").length, server.unfinished()]).toEqual([blobs, 0]);
  },
  torture ? 3_000_000 : 600_000,
);

test("the server makes scheduled backups in a bucket, and restores them on trial", async () => {
  const args = ["--backup-to", "s3://pets/scheduled", "--backup-keep", "1"];
  await using program = await startProgram({ dataDir: here.dataDir, args, env });
  let good: { readonly to?: string; readonly rehearsed?: boolean } = {};
  while (good.to !== "s3://pets/scheduled") {
    await Bun.sleep(20);
    const state = await readFile(here.directory.backupState, "utf8").catch(() => "{}");
    ({ good = {} } = JSON.parse(state));
  }
  expect(good.rehearsed).toBe(true);
  // By the credentials of the server.
  const again = await here.run("backup", "s3://pets/scheduled");
  expect([again.exitCode, again.stdout]).toEqual([
    0,
    expect.stringContaining("Backed up to s3://pets/scheduled: "),
  ]);
  expect(keysOf("scheduled/backups/")).toHaveLength(3);
  const doctor = await here.run("doctor");
  expect(doctor.stdout).toMatch(/^ok +backups +20\S+ \S+ UTC in s3:\/\/pets\/scheduled, /m);
  expect(program.output()).not.toContain(server.access.secretAccessKey);
});

test("a scheduled backup needs credentials", async () => {
  const { exitCode, stderr } = await runProgram([
    "serve",
    "--backup-to",
    "s3://pets/scheduled",
    "--data-dir",
    join(await scratch(), "data"),
  ]);
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringContaining(
      "backup-to s3://pets/scheduled needs s3-access-key-id and s3-secret-access-key",
    ),
  ]);
});

async function contentOf(key: string): Promise<Uint8Array> {
  const { Body } = await fetchS3(server.access).getObject({ Bucket: "pets", Key: key });
  return new Response(Body?.transformToWebStream()).bytes();
}
