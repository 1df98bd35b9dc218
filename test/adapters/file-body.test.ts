import { afterAll, expect, test } from "bun:test";

import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { fileStream } from "../../adapters/hosts/file-body.ts";

const scratch = await mkdtemp(join(tmpdir(), "pet-body-"));
afterAll(() => rm(scratch, { recursive: true }));

const content = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251);

async function file(name: string): Promise<string> {
  const path = join(scratch, name);
  await Bun.write(path, content);
  return path;
}

/** Returns how many files of the scratch directory this process has open. */
async function openFiles(): Promise<number> {
  const names = await readdir("/proc/self/fd");
  const targets = names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ""));
  return (await Promise.all(targets)).filter((target) => target.startsWith(scratch)).length;
}

test("any range of a file is returned unchanged", async () => {
  const path = await file("parts");
  for (const [start, end] of [
    [0, 200_000],
    [1, 2],
    [65_535, 65_537],
    [131_072, 200_000],
    [199_999, 200_000],
  ] as const) {
    const read = await new Response(fileStream(path, start, end)).bytes();
    expect(Bun.hash(read)).toBe(Bun.hash(content.subarray(start, end)));
  }
});

test("a file shorter than declared is an error at its end", async () => {
  const path = await file("short");
  const reader = fileStream(path, 199_000, 300_000).getReader();
  expect((await reader.read()).value).toHaveLength(1_000);
  await expect(reader.read()).rejects.toThrow(
    "The body was to have 101000 bytes, but has only 1000.",
  );
});

test.skipIf(process.platform !== "linux")(
  "a file is opened on the first read, and closed at its end or when the reader stops",
  async () => {
    const path = await file("closed");
    const unread = fileStream(path, 0, 200_000);
    expect(await openFiles()).toBe(0);
    const reader = unread.getReader();
    await reader.read();
    expect(await openFiles()).toBe(1);
    await reader.cancel();
    expect(await openFiles()).toBe(0);
    await new Response(fileStream(path, 0, 200_000)).bytes();
    expect(await openFiles()).toBe(0);
  },
);

test("a file removed while it is being read is read to its end", async () => {
  const path = await file("gone");
  const reader = fileStream(path, 0, 200_000).getReader();
  let read = (await reader.read()).value?.length ?? 0;
  await rm(path);
  for (let next = await reader.read(); !next.done; next = await reader.read())
    read += next.value.length;
  expect(read).toBe(200_000);
});
