import { randomBytes } from "node:crypto";

import { systemClock, type Clock } from "../../lib/base/clock.ts";
import { aClock, aText, checkOptions, having, optional } from "../../lib/base/options.ts";
import { lazyStream } from "../../lib/publishing/archive/byte-source.ts";
import type { Blobs, ListedBlob } from "../../lib/publishing/blobs.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import type { BlobOrigin } from "../files/blob-origin.ts";
import { aByteCount, cachedBlobs } from "../files/cached-blobs.ts";
import { faultOf, isMissing, listed, upload, type S3 } from "./client.ts";

export type { S3, S3Body, S3Listed, S3Object, S3Part, S3Upload } from "./client.ts";

/** Options of a store of blobs in an S3-compatible bucket. */
export interface S3BlobsOptions {
  /** `new S3({ … })` of `@aws-sdk/client-s3`, or any other client with these operations. */
  readonly s3: S3;
  /** The name of the bucket, which exists. */
  readonly bucket: string;
  /** Keys begin with it: empty, or ends with a slash. Default: empty. */
  readonly prefix?: string;
  /** A directory for copies of the blobs that were used last. Created if absent; its parent must exist. */
  readonly cachePath: string;
  /** Bytes of the copies, without the one in use. Default: 2 GiB. */
  readonly cacheBytes?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Blobs in S3-compatible storage, with copies on the local disk. Each `put` makes an object of its own,
 * `<sha256>/<time>-<random>`, and removes the older ones: whoever deletes a blob of an earlier time cannot delete one
 * that was put meanwhile, on any machine. Contents are compared with their digest when they arrive, and when a copy of
 * an earlier process is used first. Works on Node and Bun. Several machines may share a bucket, each with a cache of
 * its own. Throws a `TypeError` for invalid options.
 */
export function s3Blobs(options: S3BlobsOptions): Blobs {
  checkOptions("s3Blobs", options, {
    s3: having("a client of S3, such as new S3() of @aws-sdk/client-s3", "putObject", "getObject"),
    bucket: aText,
    prefix: optional(aText),
    cachePath: aText,
    cacheBytes: optional(aByteCount),
    clock: optional(aClock),
  });
  const { clock = systemClock } = options;
  return cachedBlobs(bucketOrigin({ ...options, clock }), { ...options, clock });
}

function bucketOrigin({
  s3,
  bucket: Bucket,
  prefix = "",
  clock,
}: Pick<S3BlobsOptions, "s3" | "bucket" | "prefix"> & { readonly clock: Clock }): BlobOrigin {
  const name = `s3://${Bucket}`;
  const asked = async <Value>(asking: Promise<Value>): Promise<Value> => {
    try {
      return await asking;
    } catch (error) {
      throw failureAt(name, error);
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
      if (!isMissing(error)) throw failureAt(name, error);
    }
  };

  /** Copies an object within the bucket; returns false if it was removed meanwhile. */
  const isCopy = async (from: Generation, key: string): Promise<boolean> => {
    try {
      const CopySource = [Bucket, ...from.key.split("/")].map(encodeURIComponent).join("/");
      await s3.copyObject({ Bucket, Key: key, CopySource });
      return true;
    } catch (error) {
      if (isMissing(error) || faultOf(error).status === NOT_IMPLEMENTED) return false;
      throw failureAt(name, error);
    }
  };

  return {
    name,
    size: async (sha256) => (await generations(sha256))[0]?.bytes,
    store: async (sha256, size, content) => {
      const before = await generations(sha256);
      const now = clock.now();
      const key = `${prefix}${sha256}/${String(now).padStart(15, "0")}-${randomBytes(6).toString("hex")}`;
      const [newest] = before;
      if (newest === undefined || newest.bytes !== size || !(await isCopy(newest, key))) {
        await asked(upload(s3, { Bucket, Key: key }, content()));
      }
      for (const older of before) if (older.putAt <= now) await remove(older);
      return newest === undefined;
    },
    contents: async function* (sha256) {
      for (const generation of await generations(sha256)) {
        const found = await s3.getObject(objectOf(generation)).catch((error: unknown) => {
          // A newer one replaced it.
          if (isMissing(error)) return undefined;
          throw failureAt(name, error);
        });
        const reader = found?.Body?.transformToWebStream().getReader();
        if (reader === undefined) continue;
        yield lazyStream(
          async () => (await asked(reader.read())).value,
          (reason) => reader.cancel(reason),
        );
      }
    },
    delete: async (sha256, putBefore) => {
      let remains = false;
      for (const generation of await generations(sha256)) {
        if (generation.putAt < putBefore) await remove(generation);
        else remains = true;
      }
      return !remains;
    },
    list: async function* () {
      let last: ListedBlob | undefined;
      const all = listed(s3, Bucket, prefix)[Symbol.asyncIterator]();
      // In the order of their keys: those of a blob are neighbours, the newest last.
      for (;;) {
        const next = await asked(all.next());
        if (next.done === true) break;
        const found = generationOf(next.value.key, prefix, next.value.bytes);
        if (found === undefined) continue;
        if (last !== undefined && last.sha256 !== found.sha256) yield last;
        const { sha256, bytes: size, putAt } = found;
        last = { sha256, size, putAt };
      }
      if (last !== undefined) yield last;
    },
  };
}

const NOT_IMPLEMENTED = 501;

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

/** Converts a failure of the storage: whatever its cause, it can be repaired while we run. */
function failureAt(place: string, error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`${place} cannot be used: ${reason}`, { cause: error });
}
