import { afterAll, expect, test } from "bun:test";

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { directoryBlobs } from "../../adapters/blobs-directory.ts";
import { describeBlobs } from "../contract/blobs.ts";
import { manualClock } from "../helpers/clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const made: string[] = [];

afterAll(async () => {
  for (const path of made) await rm(path, { recursive: true, force: true });
});

test("nothing is made before something is put", async () => {
  const path = await directory();
  const blobs = directoryBlobs({ path });
  expect(await blobs.size("0".repeat(64))).toBeUndefined();
  for await (const blob of blobs.list()) expect(blob).toBeUndefined();
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("files and directories are for their owner alone", async () => {
  const path = await directory();
  const { sha256 } = await directoryBlobs({ path }).put(new Uint8Array(3));
  const modeOf = async (name: string): Promise<string> =>
    ((await stat(join(path, name))).mode & 0o777).toString(8);
  expect(await modeOf(".")).toBe("700");
  expect(await modeOf(sha256.slice(0, 2))).toBe("700");
  expect(await modeOf(`${sha256.slice(0, 2)}/${sha256.slice(2)}`)).toBe("600");
});

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "pet-blobs-"));
  made.push(path);
  return join(path, "blobs");
}

describeBlobs("directoryBlobs", async () => {
  const clock = manualClock(START);
  return { clock, blobs: directoryBlobs({ path: await directory(), clock }) };
});
