import { describe, expect, test } from "bun:test";

import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { BlobOrigin } from "../../adapters/files/blob-origin.ts";
import { cachedBlobs } from "../../adapters/files/cached-blobs.ts";
import { utf8 } from "../../lib/base/digest.ts";
import { BlobDamaged, type Blobs } from "../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { blobsContract, type ManualClock } from "../../testing/index.ts";
import { describeContract } from "../contract/run.ts";
import { manualClock } from "../helpers/clock.ts";
import { rejection } from "../helpers/rejection.ts";
import { folders } from "../helpers/folders.ts";

const { folder: scratch, disk } = folders();

const START = Date.UTC(2026, 10, 20, 9, 30);
/** SHA-256 of "Rex". */
const REX = "80f1e148f14f3b82aaec65244d7685c1096a8174d748fdc497ecd28ad41ee0b0";
const MIB = 1_048_576;
const CHUNK = 65_536;
/** An origin in memory. `reads` counts the chunks that were read from it. */
function originOf(clock: ManualClock = manualClock(START)) {
  const blobs = memoryBlobs({ clock });
  let reads = 0;
  let down = false;
  const whole = async (stream: ReadableStream<Uint8Array>) => new Response(stream).bytes();
  const origin: BlobOrigin = {
    name: "memory",
    size: async (sha256) => blobs.size(sha256),
    store: async (_sha256, _size, content) => (await blobs.put(await whole(content()))).added,
    contents: async function* (sha256) {
      if (down) throw new StoreUnavailable("down");
      const content = await blobs.read(sha256);
      if (content === undefined) return;
      let offset = 0;
      yield new ReadableStream(
        {
          pull: (controller) => {
            reads++;
            const part = content.slice(offset, (offset += CHUNK));
            if (part.length > 0) controller.enqueue(part);
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    },
    delete: async (sha256, putBefore) => {
      await blobs.delete(sha256, putBefore);
      return blobs.size(sha256) === undefined;
    },
    list: () => blobs.list(),
  };
  return {
    clock,
    origin,
    reads: () => reads,
    fail: () => {
      down = true;
    },
  };
}

async function text(blobs: Blobs, sha256: string): Promise<string | undefined> {
  const bytes = await blobs.read(sha256);
  return bytes && new TextDecoder().decode(bytes);
}

async function cached(path: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(path, { recursive: true })) {
    const found = await stat(join(path, name));
    if (found.isFile()) bytes += found.size;
  }
  return bytes;
}

describeContract(
  "cachedBlobs as blobs",
  blobsContract(async () => {
    const { clock, origin } = originOf();
    return { clock, blobs: cachedBlobs(origin, { cachePath: join(await scratch(), "c"), clock }) };
  }),
);

describeContract(
  "cachedBlobs without room for a copy as blobs",
  blobsContract(async () => {
    const { clock, origin } = originOf();
    const cachePath = join(await scratch(), "c");
    return { clock, blobs: cachedBlobs(origin, { cachePath, cacheBytes: 0, clock }) };
  }),
);

test("has at most so many bytes, and keeps what was used last", async () => {
  const { origin, clock, reads } = originOf();
  const cachePath = join(await scratch(), "cache");
  const blobs = cachedBlobs(origin, { cachePath, cacheBytes: 35_000, clock });
  const names: string[] = [];
  for (let index = 0; index < 8; index++) {
    names.push((await blobs.put(new Uint8Array(10_000).fill(index))).sha256);
    expect(await cached(cachePath)).toBeLessThanOrEqual(35_000);
  }
  await blobs.read(names[7] ?? "");
  expect(reads()).toBe(0);
  for (const name of names) expect((await blobs.read(name))?.length).toBe(10_000);
  expect(await cached(cachePath)).toBeLessThanOrEqual(35_000);
  // A new process counts the files that it finds.
  const again = cachedBlobs(origin, { cachePath, cacheBytes: 15_000, clock });
  expect((await again.read(names[0] ?? ""))?.length).toBe(10_000);
  expect(await cached(cachePath)).toBeLessThanOrEqual(15_000);
});

test("serves a blob that was opened and then removed from the cache", async () => {
  const { origin, clock } = originOf();
  const cachePath = join(await scratch(), "cache");
  const blobs = cachedBlobs(origin, { cachePath, cacheBytes: 15_000, clock });
  const { sha256 } = await blobs.put(new Uint8Array(10_000).fill(1));
  const body = await blobs.open(sha256, { start: 5, end: 9_000 });
  await blobs.put(new Uint8Array(10_000).fill(2));
  expect((await new Response(body).bytes()).length).toBe(8_995);
});

test("copies are not trusted after a restart: torn and damaged ones are fetched again", async () => {
  const { origin, clock } = originOf();
  const cachePath = join(await scratch(), "cache");
  const restarted = (): Blobs => cachedBlobs(origin, { cachePath, clock });
  await restarted().put(utf8("Rex"));
  const file = join(cachePath, REX.slice(0, 2), REX.slice(2));
  for (const damage of ["Rax", "Re", "", "Rex\0\0"]) {
    await writeFile(file, damage);
    expect(await text(restarted(), REX)).toBe("Rex");
  }
  // A put of the same content must not store the damaged copy, nor serve it afterwards.
  await writeFile(file, "Rax");
  const bytes = restarted();
  await bytes.put(utf8("Rex"));
  expect(await text(bytes, REX)).toBe("Rex");
  await writeFile(file, "Rax");
  const streamed = restarted();
  expect(await rejection(streamed.put(new Blob(["Rex"]).stream()))).toBeInstanceOf(
    StoreUnavailable,
  );
  await streamed.put(new Blob(["Rex"]).stream());
  expect(await text(restarted(), REX)).toBe("Rex");
});

test("a blob is read from its storage once, whoever asks, and not again after a restart", async () => {
  const { origin, clock, reads } = originOf();
  await origin.store(REX, 3, () => new Blob(["Rex"]).stream());
  const cachePath = join(await scratch(), "cache");
  const blobs = cachedBlobs(origin, { cachePath, clock });
  const all = await Promise.all([1, 2, 3].map(() => text(blobs, REX)));
  expect(all).toEqual(["Rex", "Rex", "Rex"]);
  const once = reads();
  expect(await new Response(await blobs.open(REX, { start: 1, end: 3 })).text()).toBe("ex");
  const again = cachedBlobs(origin, { cachePath, clock });
  expect([await text(again, REX), reads()]).toEqual(["Rex", once]);
});

const small = await disk("size=1m,mode=700");
const sealed = await disk("ro");

describe.skipIf((small === undefined || sealed === undefined) && process.env["CI"] !== "true")(
  "on a separate disk (needs permission to mount)",
  () => {
    test("blobs for which a full disk has no room are served, and make room for the next", async () => {
      const { origin, clock, reads } = originOf();
      const cachePath = join(small ?? "", "cache");
      const blobs = cachedBlobs(origin, { cachePath, clock });
      const names: string[] = [];
      for (let index = 0; index < 8; index++) {
        names.push((await blobs.put(new Uint8Array(300_000).fill(index))).sha256);
      }
      for (const name of names) {
        const body = await blobs.open(name, { start: 1_000, end: 299_000 });
        expect((await new Response(body).bytes()).length).toBe(298_000);
        expect((await blobs.read(name))?.length).toBe(300_000);
      }
      const [one = ""] = names;
      // The first read may only make room, and the second one copies.
      for (let round = 0; round < 2; round++) await blobs.read(one);
      const before = reads();
      await blobs.read(one);
      expect(reads()).toBe(before);
      // Larger than the disk.
      const { sha256 } = await blobs.put(new Uint8Array(3 * MIB).fill(9));
      expect((await blobs.read(sha256))?.length).toBe(3 * MIB);
      const refused = await rejection(blobs.put(new Blob([new Uint8Array(3 * MIB)]).stream()));
      expect(String(refused)).toContain("has no space left on its disk");
      expect((await blobs.put(new Blob([new Uint8Array(9)]).stream())).added).toBe(true);
      expect(await readdir(join(cachePath, "unfinished"))).toEqual([]);
    });

    test("a read-only disk serves all blobs from their storage, compared with their digest", async () => {
      const { origin, clock, reads } = originOf();
      const blobs = cachedBlobs(origin, { cachePath: join(sealed ?? "", "cache"), clock });
      const { sha256 } = await blobs.put(new Uint8Array(2 * MIB).fill(1));
      const readers = await Promise.all(
        Array.from({ length: 64 }, async () => {
          const body = new Response(await blobs.open(sha256)).body?.getReader();
          return body;
        }),
      );
      await Promise.all(readers.map(async (reader) => reader?.read()));
      // Of 32 chunks each has read two: the last one is held until the digest is known.
      expect(reads()).toBeLessThanOrEqual(64 * 3);
      await Promise.all(readers.map(async (reader) => reader?.cancel()));

      await origin.store(REX, 3, () => new Blob(["Rex"]).stream());
      expect(await text(blobs, REX)).toBe("Rex");
      const damaged: BlobOrigin = {
        ...origin,
        contents: async function* () {
          yield new Blob(["Rax"]).stream();
        },
      };
      const wrong = cachedBlobs(damaged, { cachePath: join(sealed ?? "", "cache"), clock });
      expect(await rejection(wrong.read(REX))).toBeInstanceOf(BlobDamaged);
    });
  },
);

test("while the storage is unavailable, copies are served and the rest is unavailable", async () => {
  const { origin, clock, fail } = originOf();
  await origin.store(REX, 3, () => new Blob(["Rex"]).stream());
  const blobs = cachedBlobs(origin, { cachePath: join(await scratch(), "cache"), clock });
  const { sha256 } = await blobs.put(utf8("Bello"));
  fail();
  expect(await text(blobs, sha256)).toBe("Bello");
  expect(await rejection(blobs.read(REX))).toBeInstanceOf(StoreUnavailable);
});
