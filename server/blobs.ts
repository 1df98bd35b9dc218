import { existsSync, readFileSync } from "node:fs";

import { checkBucket, openBlobs, type BlobPlace } from "../backup/blobs.ts";
import { SECOND_MS } from "../lib/base/clock.ts";
import type { Clock, Log } from "../lib/index.ts";
import type { Blobs } from "../lib/publishing/index.ts";
import { Failure } from "../settings/failure.ts";
import type { Settings } from "../settings/options.ts";
import { bucketOf, s3AccessFor, type S3Settings } from "../settings/s3.ts";
import type { DataDirectory } from "./data-directory.ts";
import { writePublic } from "./files.ts";

/** Bytes of site files that are copied from a bucket to the local disk. */
const CACHE_BYTES = 2 * 1_073_741_824;

/** The options that say where the files of sites are. */
export type BlobSettings = Pick<Settings, "blobsUrl"> & S3Settings;

/** Returns where the options place the site files of an installation. */
export function blobPlaceOf(settings: BlobSettings, { blobs }: DataDirectory): BlobPlace {
  const { blobsUrl: path } = settings;
  if (path === undefined) return { kind: "directory", path: blobs };
  const bucket = bucketOf(path);
  if (!bucket.ok) throw new Failure("configuration", `blobs-url ${bucket.failure}.`);
  return { kind: "bucket", path, ...bucket.value, s3: s3AccessFor(path, settings) };
}

/**
 * As `blobPlaceOf`; fails if the installation has its files elsewhere. Without this, a command that lacks the option would
 * miss all of them, and add others where the server does not look.
 */
export function usedBlobPlace(settings: BlobSettings, directory: DataDirectory): BlobPlace {
  const place = blobPlaceOf(settings, directory);
  const given = place.kind === "bucket" ? place.path : undefined;
  const used = existsSync(directory.blobsUrl)
    ? readFileSync(directory.blobsUrl, "utf8").trim()
    : undefined;
  if (used === given || (used === undefined && !existsSync(directory.blobs))) return place;
  throw new Failure(
    "configuration",
    `The files of sites are in ${used ?? directory.blobs}, but blobs-url is ${given ?? "not set"}. Correct the option. To move the files, make a backup and restore it into a new data directory with the other blobs-url. If nothing was deployed yet, remove ${used === undefined ? directory.blobs : directory.blobsUrl} instead.`,
  );
}

/** Remembers the bucket of an installation. The caller holds the lock. */
export async function rememberBlobPlace(
  place: BlobPlace,
  { blobsUrl }: DataDirectory,
): Promise<void> {
  if (place.kind === "bucket" && !existsSync(blobsUrl))
    await writePublic(blobsUrl, `${place.path}\n`);
}

/** Opens the site files of an installation. */
export function blobsAt(place: BlobPlace, { blobCache }: DataDirectory): Blobs {
  return openBlobs(place, { path: blobCache, bytes: CACHE_BYTES });
}

/** A request for readiness checks the bucket at most so often. */
const CHECK_EVERY_MS: number = 5 * SECOND_MS;

/**
 * Returns whether the bucket of the site files could be reached since the start. An outage later only concerns files that are
 * not cached: it must not take the rest of the service out of rotation.
 */
export function watchBucket(
  place: BlobPlace,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<boolean> {
  let reached = place.kind === "directory";
  let checkedAt = -Infinity;
  let checking = Promise.resolve();
  let failing = false;
  const check = async (): Promise<void> => {
    if (place.kind === "directory") return;
    try {
      await checkBucket(place);
      reached = true;
      if (failing) log.info("the bucket of the site files can be used again");
    } catch (error) {
      if (!failing) log.error("the bucket of the site files cannot be used", error);
      failing = true;
    }
  };
  return async () => {
    const now = clock.now();
    if (!reached && !(now >= checkedAt && now - checkedAt < CHECK_EVERY_MS)) {
      checkedAt = now;
      checking = check();
    }
    await checking;
    return reached;
  };
}
