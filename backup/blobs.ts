import { directoryBlobs } from "../adapters/files/blobs.ts";
import { cachedBlobs } from "../adapters/files/cached-blobs.ts";
import { s3Blobs } from "../adapters/s3/blobs.ts";
import { postgresOrigin } from "../adapters/postgres/origin.ts";
import { fetchS3, type S3Access } from "../adapters/s3/fetch.ts";
import { SECOND_MS, systemClock } from "../lib/base/clock.ts";
import type { Blobs } from "../lib/publishing/blobs.ts";
import type { Sql } from "../lib/sql/sql.ts";
import { bucketObjects } from "./bucket.ts";
import type { Bucket } from "../settings/s3.ts";

/** Where an installation has its blobs. Consists of plain values. */
export type BlobPlace =
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "database"; readonly path: "the database" }
  | (Bucket & {
      readonly kind: "bucket";
      /** `s3://bucket/prefix` */
      readonly path: string;
      /** Contains a secret. */
      readonly s3: S3Access;
    });

/** A directory for copies of blobs that are elsewhere. */
export interface Cache {
  readonly path: string;
  readonly bytes: number;
}

/** A visitor waits for each request, and a deploy for many. */
const ATTEMPTS = 3;
const PATIENCE_MS: number = 15 * SECOND_MS;

/** Rejects with a `Failure` if the bucket cannot be used. */
export async function checkBucket(place: BlobPlace & { readonly kind: "bucket" }): Promise<void> {
  const objects = bucketObjects(place, place.s3, { attempts: 1, patienceMs: CHECK_MS });
  for await (const _ of objects.list("")) return;
}

const CHECK_MS: number = 5 * SECOND_MS;

/** Opens the blobs of a place. Those in the database need it, with the tables of `blobSchema`. */
export function openBlobs(place: BlobPlace, cache: Cache, sql?: Sql): Blobs {
  // All processes compare when a file was last put.
  const { clock = systemClock } = sql ?? {};
  if (place.kind === "directory") return directoryBlobs({ path: place.path, clock });
  const copies = { cachePath: cache.path, cacheBytes: cache.bytes };
  if (place.kind === "database") {
    if (sql === undefined) throw new TypeError("Blobs in the database need the database.");
    return cachedBlobs(postgresOrigin(sql, clock), { ...copies, clock });
  }
  const { s3, bucket, prefix } = place;
  return s3Blobs({
    s3: fetchS3({ ...s3, attempts: ATTEMPTS, patienceMs: PATIENCE_MS }),
    bucket,
    prefix,
    clock,
    ...copies,
  });
}
