import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";

import { systemClock, type Clock } from "../lib/base/clock.ts";
import { inTurn, once } from "../lib/base/eventual.ts";
import { aClock, aText, checkOptions, having, optional } from "../lib/base/options.ts";
import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import { BlobDamaged, isBlobName, type Blobs } from "../lib/publishing/blobs.ts";
import { StoreUnavailable } from "../lib/sql/sql.ts";
import { directoryBlobs } from "./blobs-directory.ts";
import { fileStream } from "./file-body.ts";
import { isAbsent } from "./file-system.ts";
import { faultOf, isMissing, listed, upload, type S3 } from "./s3.ts";

export type { S3, S3Body, S3Listed, S3Object, S3Part, S3Upload } from "./s3.ts";

export interface S3BlobsOptions {
  /** `new S3({ … })` of `@aws-sdk/client-s3`, or any other client with these operations. */
  readonly s3: S3;
  readonly bucket: string;
  /** Keys begin with it: empty, or ends with a slash. Default: empty. */
  readonly prefix?: string;
  /** A directory for copies of the blobs that were used last. Created if absent; its parent must exist. */
  readonly cachePath: string;
  /** Bytes of the copies, without the one in use. Default: 2 GiB. */
  readonly cacheBytes?: number;
  readonly clock?: Clock;
}

const GIB = 1_073_741_824;

/**
 * Blobs in S3-compatible storage, with copies on the local disk. Each `put` makes an object of its own,
 * `<sha256>/<time>-<random>`, and removes the older ones: whoever deletes a blob of an earlier time cannot delete one that was
 * put meanwhile, on any machine. Contents are compared with their digest when they arrive, and when a copy of an earlier
 * process is used first. Works on Node and Bun. Several machines may share a bucket, each with a cache of its own.
 */
export function s3Blobs(options: S3BlobsOptions): Blobs {
  checkOptions("s3Blobs", options, {
    s3: having("a client of S3, such as new S3() of @aws-sdk/client-s3", "putObject", "getObject"),
    bucket: aText,
    prefix: optional(aText),
    cachePath: aText,
    cacheBytes: optional({ what: "a number of bytes", holds: (value) => Number(value) >= 0 }),
    clock: optional(aClock),
  });
  const { s3, bucket: Bucket, prefix = "", cachePath, cacheBytes = 2 * GIB } = options;
  const { clock = systemClock } = options;
  let tick = 0;
  // Each instant once: a copy that was stored again since a decision to remove it is kept.
  const instant = (): number => (tick = Math.max(tick + 1, Math.floor(clock.now())));
  const local = directoryBlobs({ path: cachePath, clock: { ...clock, now: instant } });
  const oneAtATime = inTurn();
  const arriving = new Map<string, Promise<boolean>>();
  const copies = new Map<string, Copy>();
  /** Copies that are being stored; not removed meanwhile. */
  const pinned = new Map<string, number>();
  let copied = 0;

  const asked = async <Value>(asking: Promise<Value>): Promise<Value> => {
    try {
      return await asking;
    } catch (error) {
      throw failureAt(`s3://${Bucket}`, error);
    }
  };
  const objectOf = ({ key }: Generation) => ({ Bucket, Key: key });

  /** Lists the objects of a blob, the newest first. */
  const generations = async (sha256: string): Promise<readonly Generation[]> => {
    const found: Generation[] = [];
    const all = listed(s3, Bucket, `${prefix}${sha256}/`);
    await asked(
      (async () => {
        for await (const { key, bytes } of all) {
          const generation = generationOf(key, prefix, bytes);
          if (generation !== undefined) found.push(generation);
        }
      })(),
    );
    return found.toSorted((a, b) => b.putAt - a.putAt);
  };

  const remove = async (generation: Generation): Promise<void> => {
    try {
      await s3.deleteObject(objectOf(generation));
    } catch (error) {
      if (!isMissing(error)) throw failureAt(`s3://${Bucket}`, error);
    }
  };

  /** Copies of an earlier process count, too. */
  const prepare = once(async () => {
    const found: { readonly sha256: string; readonly putAt: number }[] = [];
    for await (const one of local.list()) found.push(one);
    for (const { putAt } of found) tick = Math.max(tick, putAt);
    for (const { sha256 } of found.toSorted((a, b) => a.putAt - b.putAt)) {
      await keep(sha256, (await local.size(sha256)) ?? 0, false);
    }
  });

  /** Counts a copy as used last, and removes those that were not used for longest. */
  const keep = async (sha256: string, size: number, verified: boolean): Promise<void> => {
    forget(sha256);
    copies.set(sha256, { size, verified });
    copied += size;
    for (const [other] of copies) {
      if (copied <= cacheBytes) return;
      if (other === sha256 || pinned.has(other)) continue;
      forget(other);
      await local.delete(other, instant());
    }
  };
  const forget = (sha256: string): void => {
    copied -= copies.get(sha256)?.size ?? 0;
    copies.delete(sha256);
  };

  /** Returns whether a sound copy exists, and counts it as used last. */
  const isCopied = async (sha256: string): Promise<boolean> => {
    const copy = copies.get(sha256);
    if (copy === undefined) return false;
    if (!copy.verified && (await digestOf(fileOf(sha256), copy.size)) !== sha256) {
      forget(sha256);
      await local.delete(sha256);
      return false;
    }
    await keep(sha256, copy.size, true);
    return true;
  };
  const fileOf = (sha256: string): string => join(cachePath, sha256.slice(0, 2), sha256.slice(2));

  /** Copies a blob from the bucket. Returns false if it does not exist. */
  const download = async (sha256: string): Promise<boolean> => {
    let damaged = false;
    for (const generation of await generations(sha256)) {
      const found = await s3.getObject(objectOf(generation)).catch((error: unknown) => {
        // A newer one replaced it.
        if (isMissing(error)) return undefined;
        throw failureAt(`s3://${Bucket}`, error);
      });
      if (found?.Body === undefined) continue;
      const stored = await asked(local.put(found.Body.transformToWebStream()));
      if (stored.sha256 === sha256) {
        await keep(sha256, stored.size, true);
        return true;
      }
      damaged = true;
      if (stored.added) await local.delete(stored.sha256);
    }
    if (damaged) throw new BlobDamaged(`The blob ${sha256} in s3://${Bucket} is damaged.`);
    return false;
  };

  /** Makes sure that there is a copy. Returns false if the blob does not exist. */
  const fetchCopy = async (sha256: string): Promise<boolean> => {
    await prepare();
    const known = arriving.get(sha256);
    if (known !== undefined) return known;
    const mine = (async () => (await isCopied(sha256)) || (await download(sha256)))();
    arriving.set(sha256, mine);
    try {
      return await mine;
    } finally {
      arriving.delete(sha256);
    }
  };

  /** Uses the copy of a blob; again, if it was removed before it could be used. */
  const withCopy = async <Value>(
    sha256: string,
    use: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (!(await fetchCopy(sha256))) return undefined;
      const used = await use();
      if (used !== undefined) return used;
      forget(sha256);
    }
    throw new StoreUnavailable("The cache of blobs is too small for the blobs in use.");
  };

  return {
    put: async (content, limits) => {
      await prepare();
      const stored = await local.put(content, limits);
      const { sha256, size } = stored;
      pinned.set(sha256, (pinned.get(sha256) ?? 0) + 1);
      return oneAtATime(sha256, async () => {
        try {
          if (!stored.added && (await digestOf(fileOf(sha256), size)) !== sha256) {
            forget(sha256);
            await local.delete(sha256);
            throw new StoreUnavailable(
              "The copy on the local disk was removed or damaged. Send the file again.",
            );
          }
          const before = await generations(sha256);
          const now = clock.now();
          const key = `${prefix}${sha256}/${String(now).padStart(15, "0")}-${randomBytes(6).toString("hex")}`;
          const target = { Bucket, Key: key };
          const [newest] = before;
          if (newest === undefined || newest.bytes !== size || !(await isCopy(newest, key))) {
            await asked(upload(s3, target, fileStream(fileOf(sha256), 0, size)));
          }
          for (const older of before) if (older.putAt <= now) await remove(older);
          await keep(sha256, size, true);
          return { sha256, size, added: newest === undefined };
        } catch (error) {
          // A copy without its object would look stored.
          if (stored.added) await local.delete(sha256);
          throw error;
        } finally {
          const others = (pinned.get(sha256) ?? 1) - 1;
          if (others > 0) pinned.set(sha256, others);
          else pinned.delete(sha256);
        }
      });
    },
    size: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      await prepare();
      return copies.get(sha256)?.size ?? (await generations(sha256))[0]?.bytes;
    },
    read: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      return withCopy(sha256, () => local.read(sha256));
    },
    open: async (sha256, range) => {
      if (!isBlobName(sha256)) return undefined;
      const size = await withCopy(sha256, async () => local.size(sha256));
      if (size === undefined) return undefined;
      const { start, end } = { start: 0, end: size, ...range };
      if (start >= Math.min(end, size)) return new Uint8Array();
      return bodyOf(sha256, start, Math.min(end, size));
    },
    delete: (sha256, putBefore = Infinity) =>
      oneAtATime(sha256, async () => {
        if (!isBlobName(sha256)) return;
        await prepare();
        const begun = instant();
        let remains = false;
        for (const generation of await generations(sha256)) {
          if (generation.putAt < putBefore) await remove(generation);
          else remains = true;
        }
        if (remains || pinned.has(sha256)) return;
        forget(sha256);
        await local.delete(sha256, begun);
      }),
    list: async function* () {
      let last: { readonly sha256: string; readonly putAt: number } | undefined;
      const all = listed(s3, Bucket, prefix)[Symbol.asyncIterator]();
      // In the order of their keys: those of a blob are neighbours, the newest last.
      for (;;) {
        const next = await asked(all.next());
        if (next.done === true) break;
        const found = generationOf(next.value.key, prefix, next.value.bytes);
        if (found === undefined) continue;
        if (last !== undefined && last.sha256 !== found.sha256) yield last;
        last = { sha256: found.sha256, putAt: found.putAt };
      }
      if (last !== undefined) yield last;
    },
  };

  /** Copies an object within the bucket; returns false if it was removed meanwhile. */
  async function isCopy(from: Generation, key: string): Promise<boolean> {
    try {
      const CopySource = [Bucket, ...from.key.split("/")].map(encodeURIComponent).join("/");
      await s3.copyObject({ Bucket, Key: key, CopySource });
      return true;
    } catch (error) {
      if (isMissing(error) || faultOf(error).status === NOT_IMPLEMENTED) return false;
      throw failureAt(`s3://${Bucket}`, error);
    }
  }

  /** Streams a copy. Opens it on the first read, so that an unused body costs nothing. */
  function bodyOf(sha256: string, start: number, end: number): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const first = async () => {
      reader = fileStream(fileOf(sha256), start, end).getReader();
      return reader.read().catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
    };
    return lazyStream(
      async () => {
        const next = reader === undefined ? await withCopy(sha256, first) : await reader.read();
        if (next === undefined) throw new Error(`The blob ${sha256} was removed.`);
        return next.value;
      },
      async (reason) => reader?.cancel(reason),
    );
  }
}

const ATTEMPTS = 5;
const NOT_IMPLEMENTED = 501;

/** A blob on the local disk. */
interface Copy {
  readonly size: number;
  /** False for a copy of an earlier process that was not compared with its digest yet. */
  readonly verified: boolean;
}

/** An object with the content of a blob. */
interface Generation {
  readonly key: string;
  readonly sha256: string;
  readonly putAt: number;
  readonly bytes: number;
}

function generationOf(key: string, prefix: string, bytes: number): Generation | undefined {
  const [, sha256 = "", putAt] =
    /^([\da-f]{64})\/(\d{15})-[\da-f]{12}$/.exec(key.slice(prefix.length)) ?? [];
  return putAt === undefined ? undefined : { key, sha256, putAt: Number(putAt), bytes };
}

async function digestOf(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  try {
    const reader = fileStream(path, 0, Math.max(1, size)).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read())
      hash.update(next.value);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return "absent";
  }
  return hash.digest("hex");
}

/** Converts a failure of the storage: whatever its cause, it can be repaired while we run. */
function failureAt(place: string, error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`${place} cannot be used: ${reason}`, { cause: error });
}
