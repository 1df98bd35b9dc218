import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { describe, expect, test } from "bun:test";

import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { blobsContract } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { chance, torture } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { rejection } from "../helpers/rejection.ts";
import { folders } from "../helpers/folders.ts";
import { storedByKilled } from "../helpers/killed-writer.ts";

const { folder: scratch, disk } = folders();

const START = Date.UTC(2026, 10, 20, 9, 30);
const directory = async (): Promise<string> => join(await scratch(), "blobs");

describeContract(
  "directoryBlobs as blobs",
  blobsContract(async () => {
    const clock = manualClock(START);
    return { clock, blobs: directoryBlobs({ path: await directory(), clock }) };
  }),
);

test("creates no directory before the first put", async () => {
  const path = await directory();
  const blobs = directoryBlobs({ path });
  expect(await blobs.size("0".repeat(64))).toBeUndefined();
  for await (const blob of blobs.list()) expect(blob).toBeUndefined();
  expect(await readdir(join(path, ".."))).toEqual([]);
});

test("files and directories are accessible to their owner only", async () => {
  const path = await directory();
  const { sha256 } = await directoryBlobs({ path }).put(new Uint8Array(3));
  const modeOf = async (name: string): Promise<string> =>
    ((await stat(join(path, name))).mode & 0o777).toString(8);
  expect(await modeOf(".")).toBe("700");
  expect(await modeOf("unfinished")).toBe("700");
  expect(await modeOf(sha256.slice(0, 2))).toBe("700");
  expect(await modeOf(`${sha256.slice(0, 2)}/${sha256.slice(2)}`)).toBe("600");
});

test("another process finds a stored blob in the same directory", async () => {
  const path = await directory();
  const { sha256 } = await directoryBlobs({ path }).put(new Uint8Array(3));
  const other = directoryBlobs({ path });
  expect(await other.size(sha256)).toBe(3);
  expect((await other.put(new Uint8Array(3))).added).toBe(false);
});

test("no drafts remain after successful, refused and failed puts", async () => {
  const path = await directory();
  const blobs = directoryBlobs({ path });
  await blobs.put(new Uint8Array(3));
  await blobs.put(new Blob([new Uint8Array(3)]).stream());
  await rejection(blobs.put(new Blob([new Uint8Array(9)]).stream(), { maxBytes: 5 }));
  expect(await readdir(join(path, "unfinished"))).toEqual([]);
});

test("the first put removes drafts older than a day and keeps younger ones", async () => {
  const path = await directory();
  await mkdir(join(path, "unfinished"), { recursive: true });
  for (const [name, ageMs] of [
    ["old", 86_400_001],
    ["young", 86_399_999],
  ] as const) {
    await writeFile(join(path, "unfinished", name), "half");
    const at = (START - ageMs) / 1_000;
    await utimes(join(path, "unfinished", name), at, at);
  }
  await directoryBlobs({ path, clock: manualClock(START) }).put(new Uint8Array(1));
  expect(await readdir(join(path, "unfinished"))).toEqual(["young"]);
});

test("other files are neither listed nor found", async () => {
  const path = await directory();
  const blobs = directoryBlobs({ path });
  const { sha256 } = await blobs.put(new Uint8Array(1));
  await writeFile(join(path, "note.txt"), "x");
  await mkdir(join(path, "zz"));
  await writeFile(join(path, "zz", "note.txt"), "x");
  const names = await Array.fromAsync(blobs.list());
  expect(names.map((blob) => blob.sha256)).toEqual([sha256]);
});

test("a directory whose parent is a file fails with that reason, and is tried again", async () => {
  const parent = await scratch();
  const path = join(parent, "below", "blobs");
  await writeFile(join(parent, "below"), "");
  const blobs = directoryBlobs({ path });
  expect(await rejection(blobs.put(new Uint8Array(1)))).toMatchObject({ code: "ENOTDIR" });
  await rm(join(parent, "below"));
  expect((await blobs.put(new Uint8Array(1))).added).toBe(true);
});

const ROUNDS = torture ? 60 : 4;

test(`${ROUNDS} times kill -9 leaves every stored blob, and never half of one`, async () => {
  const path = await directory();
  const named = await storedByKilled(ROUNDS, chance(), 60, path);
  const blobs = directoryBlobs({ path });
  const found = new Set<string>();
  for await (const { sha256 } of blobs.list()) {
    found.add(sha256);
    const content = (await blobs.read(sha256)) ?? new Uint8Array();
    expect(new Bun.CryptoHasher("sha256").update(content).digest("hex")).toBe(sha256);
  }
  for (const [sha256, size] of named) {
    expect(found.has(sha256)).toBe(true);
    expect(await blobs.size(sha256)).toBe(size);
  }
});

const small = await disk("size=256k,mode=700");
const sealed = await disk("ro");

const mountable = small !== undefined && sealed !== undefined;
describe.skipIf(!mountable && process.env["CI"] !== "true")(
  "on a separate disk (needs permission to mount)",
  () => {
    test("a full disk refuses a put as unavailable, keeps nothing of it, and existing blobs can be read", async () => {
      const path = join(small ?? "", "blobs");
      const blobs = directoryBlobs({ path });
      const { sha256 } = await blobs.put(new Uint8Array(1_000));
      for (const given of [new Uint8Array(512_000), endless()]) {
        const refusal = await rejection(blobs.put(given));
        expect(refusal).toBeInstanceOf(StoreUnavailable);
        expect(String(refusal)).toContain("has no space left on its disk");
      }
      expect(await readdir(join(path, "unfinished"))).toEqual([]);
      expect((await blobs.read(sha256))?.length).toBe(1_000);
      expect((await blobs.put(new Uint8Array(2_000))).added).toBe(true);
    });

    test("a read-only disk refuses a put as unavailable", async () => {
      const blobs = directoryBlobs({ path: join(sealed ?? "", "blobs") });
      const refusal = await rejection(blobs.put(new Uint8Array(1)));
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      expect(String(refusal)).toContain("is on a read-only file system");
    });
  },
);

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536))),
  });
}
