import { statSync } from "node:fs";
import { resolve } from "node:path";

import type { S3Access } from "../adapters/s3/fetch.ts";
import { Failure } from "../settings/failure.ts";
import { bucketOf, bucketUrl, isBucketUrl, noAccess, type Bucket } from "../settings/s3.ts";
import { bucketObjects } from "./bucket.ts";
import { directoryObjects, readWhole } from "./directory.ts";
import { newerFormat } from "./container.ts";
import type { BackupKeys } from "./keys.ts";
import { BackupDamaged, WrongKey, type Objects } from "./ports.ts";
import type { SealedBackup } from "./read.ts";
import {
  backupIds,
  blobObject,
  blobsOf,
  containerObject,
  indexObject,
  indexOf,
  isId,
} from "./stored.ts";

/** Where backups are: one file, or a directory or bucket with many. Consists of plain values. */
export type Place =
  | { readonly kind: "file" | "directory"; readonly path: string }
  | (Bucket & {
      readonly kind: "bucket";
      /** `s3://bucket/prefix` */
      readonly path: string;
    });

/** Reads a place as typed: an existing directory, or a path that ends with a slash, is a directory. */
export function placeOf(written: string): Place {
  if (written === "" || written === "-") {
    throw new Failure(
      "usage",
      "Name a file, a directory or a bucket: a backup is read back, so that it cannot be a stream.",
    );
  }
  if (isBucketUrl(written)) {
    const bucket = bucketOf(written);
    if (!bucket.ok) throw new Failure("usage", `${written} ${bucket.failure}.`);
    return { kind: "bucket", path: bucketUrl(bucket.value), ...bucket.value };
  }
  if (/^[\w+.-]+:\/\//.test(written)) {
    throw new Failure("usage", `${written}: backups are in files, directories and s3:// buckets.`);
  }
  const path = resolve(written);
  return { kind: written.endsWith("/") || isDirectory(path) ? "directory" : "file", path };
}

/** A scheduled backup goes to a bucket, or to a directory, which may not exist yet. */
export function scheduledPlace(backupTo: string): Place {
  const place = placeOf(backupTo);
  return place.kind === "bucket" ? place : { kind: "directory", path: place.path };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, or unusable: opening it reports the reason.
    return false;
  }
}

/** Returns the objects of a directory or bucket. `s3` is the access to buckets. */
export function objectsAt(place: Place, s3: S3Access | undefined): Objects {
  if (place.kind !== "bucket") return directoryObjects(place.path);
  if (s3 === undefined) throw new Failure("configuration", `${noAccess(place.path)}.`);
  return bucketObjects(place, s3);
}

export interface OpenedBackup extends Pick<SealedBackup, "sealed" | "blob"> {
  /** Undefined for a file. */
  readonly id: string | undefined;
  /** The name of an index that could not be verified, because it names another installation. */
  readonly unverified?: string;
}

/**
 * Opens a backup, by default the newest of a directory or bucket. Fails if there is none. A backup that is named needs no index: its
 * manifest is signed, too.
 */
export async function openBackup(
  from: Place,
  s3: S3Access | undefined,
  keys: BackupKeys,
  wanted?: string,
): Promise<OpenedBackup> {
  if (from.kind === "file") {
    const sealed = await readWhole(from.path);
    if (sealed === undefined) throw new Failure("notFound", `${from.path} does not exist.`);
    return { sealed, id: undefined };
  }
  const objects = objectsAt(from, s3);
  const ids = await backupIds(objects);
  const id = wanted ?? ids[0];
  const named = id !== undefined && isId(id);
  const sealed = named ? await objects.get(containerObject(id)) : undefined;
  if (id === undefined || (sealed === undefined && !ids.includes(id))) {
    throw new Failure(
      "notFound",
      ids.length === 0
        ? `${objects.place} has no backups.`
        : `${objects.place} has no backup ${id}. It has ${ids.join(", ")}.`,
    );
  }
  if (sealed === undefined) throw new BackupDamaged(`${containerObject(id)} is missing`);
  const index = wanted === undefined ? await indexOf(objects, id, keys) : undefined;
  if (index === "newer") throw newerFormat();
  const withoutIndex = `if the backup itself is sound, --backup ${id} restores it`;
  if (index === "damaged") {
    throw new BackupDamaged(`${indexObject(id)} cannot be used; ${withoutIndex}`);
  }
  if (typeof index === "object") {
    try {
      for await (const _ of blobsOf(objects, index));
    } catch (error) {
      if (!(error instanceof BackupDamaged)) throw error;
      throw new BackupDamaged(`${error.message}; ${withoutIndex}`, { cause: error });
    }
  }
  return {
    sealed,
    id,
    blob: (name) => objects.get(blobObject(name)),
    ...(index === "foreign" ? { unverified: indexObject(id) } : {}),
  };
}

/** Converts the errors of a backup to sentences for its user. */
export function backupFailure(
  error: unknown,
  path: string,
  damaged: "failed" | "notOk" = "failed",
): unknown {
  if (error instanceof BackupDamaged) {
    return new Failure(damaged, `${path} is damaged: ${error.message}.`, { cause: error });
  }
  if (error instanceof WrongKey) {
    return new Failure(
      "configuration",
      `No key opens ${path}. It needs the encryption key of its installation, in encryption.key of the data directory or in PETSTORE_ENCRYPTION_KEY_FILE; or, if it was sealed to a backup-recipient, the identity of that recipient (--identity). If the keys are right, its first bytes are damaged.`,
      { cause: error },
    );
  }
  return error;
}
