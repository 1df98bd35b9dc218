import { expect, test } from "bun:test";

import type { Blobs } from "../../../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { MissingBlob, smallBlobs } from "../../../../lib/publishing/serving/send-file.ts";

/** Blobs that count how often they are read. */
function counted(): { readonly blobs: Blobs; readonly reads: string[] } {
  const reads: string[] = [];
  const kept = memoryBlobs();
  const read = (sha256: string) => {
    reads.push(sha256);
    return kept.read(sha256);
  };
  return { blobs: { ...kept, read }, reads };
}

test("a blob is read once and then cached", async () => {
  const { blobs, reads } = counted();
  const { sha256 } = await blobs.put(new Uint8Array([1, 2, 3]));
  const small = smallBlobs(blobs, 10_000);
  await small.read(sha256);
  const kept = small.read(sha256);
  expect(kept instanceof Blob && (await kept.bytes())).toEqual(new Uint8Array([1, 2, 3]));
  expect(reads).toEqual([sha256]);
});

test("concurrent readers share one read", async () => {
  const { blobs, reads } = counted();
  const { sha256 } = await blobs.put(new Uint8Array([1]));
  const small = smallBlobs(blobs, 10_000);
  await Promise.all([small.read(sha256), small.read(sha256), small.read(sha256)]);
  expect(reads.length).toBe(1);
});

test("the cache keeps the most recently used blobs", async () => {
  const { blobs, reads } = counted();
  const small = smallBlobs(blobs, 10_000);
  const names: string[] = [];
  for (let index = 0; index < 4; index++) {
    const { sha256 } = await blobs.put(new Uint8Array(4_000).fill(index));
    names.push(sha256);
    await small.read(sha256);
  }
  const [first = "", , , last = ""] = names;
  await small.read(last);
  expect(reads.length).toBe(4);
  await small.read(first);
  expect(reads.length).toBe(5);
});

test("a missing blob is not cached as missing", async () => {
  const { blobs } = counted();
  const content = new TextEncoder().encode("late");
  const { sha256 } = await memoryBlobs().put(content);
  const small = smallBlobs(blobs, 10_000);
  expect(await Promise.resolve(small.read(sha256)).catch((error: unknown) => error)).toBeInstanceOf(
    MissingBlob,
  );
  await blobs.put(content);
  expect(await (await small.read(sha256)).bytes()).toEqual(content);
});
