import { describe, expect, test } from "bun:test";

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { s3Blobs } from "../../adapters/s3/blobs.ts";
import { fetchS3 } from "../../adapters/s3/fetch.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { utf8 } from "../../lib/base/digest.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import { blobsContract } from "../../testing/index.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { describeContract } from "../contract/run.ts";
import { manualClock } from "../helpers/clock.ts";
import { rejection } from "../helpers/rejection.ts";
import { startS3, type S3Server } from "../helpers/s3-server.ts";
import { folders } from "../helpers/folders.ts";

const { folder: scratch } = folders();

const START = Date.UTC(2026, 10, 20, 9, 30);
/** SHA-256 of "Rex". */
const REX = "80f1e148f14f3b82aaec65244d7685c1096a8174d748fdc497ecd28ad41ee0b0";

describeContract(
  "s3Blobs as blobs",
  blobsContract(async () => {
    const clock = manualClock(START);
    const server = await startS3({ pageSize: 7 });
    const { blobs } = await machine(server, clock);
    return { clock, blobs, close: async () => server[Symbol.asyncDispose]() };
  }),
);

/** Blobs with a cache of their own, as another machine has them. */
async function machine(
  server: S3Server,
  clock = manualClock(START),
  { cachePath, cacheBytes = 1_000_000 }: { cachePath?: string; cacheBytes?: number } = {},
): Promise<{ readonly blobs: Blobs; readonly cachePath: string }> {
  const path = cachePath ?? join(await scratch(), "cache");
  const fast = {
    now: Date.now,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
  };
  const s3 = fetchS3({ ...server.access, clock: fast, attempts: 2 });
  const options = { s3, bucket: "pets", prefix: "blobs/", cachePath: path, cacheBytes, clock };
  return { blobs: s3Blobs(options), cachePath: path };
}

async function read(blobs: Blobs, sha256: string): Promise<string | undefined> {
  const bytes = await blobs.read(sha256);
  return bytes && new TextDecoder().decode(bytes);
}

async function cached(path: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(path, { recursive: true }).catch(() => [])) {
    const found = await stat(join(path, name));
    if (found.isFile()) bytes += found.size;
  }
  return bytes;
}

const count = ({ log }: S3Server, operation: string): number =>
  log.filter((line) => line.startsWith(`${operation} `)).length;

describe("several machines", () => {
  test("find each other's blobs, and read each from the bucket once", async () => {
    await using server = await startS3();
    const [one, two] = [await machine(server), await machine(server)];
    await one.blobs.put(utf8("Rex"));
    expect([await two.blobs.size(REX), count(server, "GetObject")]).toEqual([3, 0]);
    const all = await Promise.all([1, 2, 3].map(() => read(two.blobs, REX)));
    expect([all, count(server, "GetObject")]).toEqual([["Rex", "Rex", "Rex"], 1]);
    expect(await new Response(await two.blobs.open(REX, { start: 1, end: 3 })).text()).toBe("ex");
    expect(count(server, "GetObject")).toBe(1);
    // After a restart, from the disk.
    const again = await machine(server, undefined, { cachePath: two.cachePath });
    expect([await read(again.blobs, REX), count(server, "GetObject")]).toEqual(["Rex", 1]);
  });

  test("never lose a blob that one puts while another collects, wherever they meet", async () => {
    // The collector decided that the old blob can go. It meets the put before each request of either.
    for (const paused of ["delete", "put"] as const) {
      for (let at = 0; at < 5; at++) {
        await using server = await startS3();
        const clock = manualClock(START);
        const [collector, putter] = [await machine(server, clock), await machine(server, clock)];
        await collector.blobs.put(utf8("Rex"));
        clock.advance(7_200_000);
        const before = clock.now() - 3_600_000;
        const collect = () => collector.blobs.delete(REX, before);
        const put = () => putter.blobs.put(utf8("Rex"));
        const [first, second] = paused === "delete" ? [collect, put] : [put, collect];
        const begun = server.log.length;
        let met = false;
        server.fault = async () => {
          if (met || server.log.length - begun <= at) return undefined;
          met = true;
          await second();
          return undefined;
        };
        await first();
        server.fault = () => undefined;
        if (!met) await second();
        const reader = await machine(server);
        const found = await read(reader.blobs, REX);
        // A put that ended before the collection began is new, too.
        expect([paused, at, found]).toEqual([paused, at, "Rex"]);
      }
    }
  });

  test("a put replaces the older object, so that a bucket does not grow", async () => {
    await using server = await startS3();
    const clock = manualClock(START);
    const { blobs } = await machine(server, clock);
    for (let round = 0; round < 3; round++) {
      await blobs.put(utf8("Rex"));
      clock.advance(1_000);
    }
    expect(server.objects().size).toBe(1);
    expect([count(server, "PutObject"), count(server, "CopyObject")]).toEqual([1, 2]);
  });
});

describe("faults of the bucket", () => {
  test("a damaged object is an error, and is not cached", async () => {
    await using server = await startS3();
    await (await machine(server)).blobs.put(utf8("Rex"));
    const { blobs, cachePath } = await machine(server);
    const [key = ""] = server.objects().keys();
    server.tamper(key, utf8("Rax"));
    const failed = await rejection(blobs.read(REX));
    expect(String(failed)).toBe(`BlobDamaged: The blob ${REX} in s3://pets is damaged.`);
    expect(await cached(cachePath)).toBe(0);
    server.tamper(key, utf8("Rex"));
    expect(await read(blobs, REX)).toBe("Rex");
  });

  test("while it is unavailable, copies are served and the rest is unavailable", async () => {
    await using server = await startS3();
    const [one, two] = [await machine(server), await machine(server)];
    await one.blobs.put(utf8("Rex"));
    const down = ["error", "silent"] as const;
    for (const kind of down) {
      server.fault = () => (kind === "error" ? { kind, status: 503, code: "SlowDown" } : { kind });
      expect(await read(one.blobs, REX)).toBe("Rex");
      for (const asking of [
        async () => two.blobs.size(REX),
        () => two.blobs.read(REX),
        () => two.blobs.open(REX),
        () => two.blobs.put(utf8("Bello")),
        () => two.blobs.delete(REX),
        () => Array.fromAsync(two.blobs.list()),
      ]) {
        expect(await rejection(asking())).toBeInstanceOf(StoreUnavailable);
      }
      // What could not be stored does not look stored.
      expect(await cached(two.cachePath)).toBe(0);
    }
    server.fault = () => undefined;
    expect(await read(two.blobs, REX)).toBe("Rex");
    expect((await two.blobs.put(utf8("Bello"))).added).toBe(true);
  });

  test("a server that cannot copy receives the content again", async () => {
    await using server = await startS3();
    const clock = manualClock(START);
    const { blobs } = await machine(server, clock);
    server.fault = ({ operation }) =>
      operation === "CopyObject"
        ? { kind: "error", status: 501, code: "NotImplemented" }
        : undefined;
    await blobs.put(utf8("Rex"));
    clock.advance(1_000);
    expect((await blobs.put(utf8("Rex"))).added).toBe(false);
    expect([server.objects().size, count(server, "PutObject")]).toEqual([1, 2]);
  });
});
