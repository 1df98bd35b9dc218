import { accessSync, constants, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { Failure, codeOf, reasonOf } from "../../settings/failure.ts";
import { syncDirectory } from "./files.ts";

/** The files of an installation. */
export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  /** Directory of the site files. */
  readonly blobs: string;
  /** Copies of site files that are in a bucket. */
  readonly blobCache: string;
  /** Names the bucket of the site files; exists only if they are in one. */
  readonly blobsUrl: string;
  readonly encryptionKey: string;
  /** Root certificate of the internal CA, for the devices of its users. */
  readonly caRoot: string;
  /** Sealed key of the internal CA. */
  readonly caKey: string;
  /** Identifies this directory among the nodes of one database; exists only with PostgreSQL. */
  readonly nodeId: string;
  readonly lock: string;
  readonly socket: string;
  /** Outcome of the backups so far. */
  readonly backupState: string;
  /** Exists during a backup. */
  readonly backupScratch: string;
  /** Exists during a restore. */
  readonly restoreScratch: string;
  /** Exists while a restore moves files from there in place. */
  readonly restorePlacing: string;
}

export function dataDirectory(written: string): DataDirectory {
  const path = resolve(written);
  return {
    path,
    database: join(path, "petstore.db"),
    blobs: join(path, "blobs"),
    blobCache: join(path, "blob-cache"),
    blobsUrl: join(path, "blobs.url"),
    encryptionKey: join(path, "encryption.key"),
    caRoot: join(path, "internal-ca.crt"),
    caKey: join(path, "internal-ca.key"),
    nodeId: join(path, "node.id"),
    lock: join(path, "petstore.lock"),
    socket: join(path, "petstore.sock"),
    backupState: join(path, "backups.json"),
    backupScratch: join(path, "backup.unfinished"),
    restoreScratch: join(path, "restore.unfinished"),
    restorePlacing: join(path, "restore.unfinished", "placing"),
  };
}

/** Creates the directory, for its owner only, or checks that it is writable. */
export async function prepare(
  { path }: DataDirectory,
  { create }: { readonly create: boolean },
): Promise<void> {
  try {
    if (create) await make(path);
    if (!statSync(path).isDirectory())
      throw new Failure("configuration", `${path} is not a directory.`);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (codeOf(error) === "EEXIST")
      throw new Failure("configuration", `${path} is not a directory.`);
    throw new Failure(
      "configuration",
      `The data directory ${path} cannot be used: ${reasonOf(error)}. Choose another with --data-dir.`,
      { cause: error },
    );
  }
}

/** Creates the directory durably: a crash must not lose acknowledged writes in it. */
async function make(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  for (let made = path; made !== above; made = dirname(made)) {
    // A directory that we may write but not read cannot be synced.
    await syncDirectory(dirname(made)).catch(() => undefined);
  }
}
