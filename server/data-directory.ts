import { accessSync, constants, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { Failure, codeOf, reasonOf } from "../settings/failure.ts";
import { syncDirectory } from "./files.ts";

/** The files of an installation. */
export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  /** A directory: the files of the sites. */
  readonly blobs: string;
  readonly encryptionKey: string;
  /** Root of the internal CA, to be trusted by those who use it. */
  readonly caRoot: string;
  /** Its key, sealed. */
  readonly caKey: string;
  readonly lock: string;
  readonly socket: string;
}

export function dataDirectory(written: string): DataDirectory {
  const path = resolve(written);
  return {
    path,
    database: join(path, "petstore.db"),
    blobs: join(path, "blobs"),
    encryptionKey: join(path, "encryption.key"),
    caRoot: join(path, "internal-ca.crt"),
    caKey: join(path, "internal-ca.key"),
    lock: join(path, "petstore.lock"),
    socket: join(path, "petstore.sock"),
  };
}

/** Makes the directory, for its owner alone, or checks that one is there to be written in. */
export async function prepare(
  { path }: DataDirectory,
  { create }: { readonly create: boolean },
): Promise<void> {
  try {
    if (create) await make(path);
    if (!statSync(path).isDirectory())
      throw new Failure("configuration", `${path} is no directory.`);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (codeOf(error) === "EEXIST") throw new Failure("configuration", `${path} is no directory.`);
    throw new Failure(
      "configuration",
      `The data directory ${path} cannot be used: ${reasonOf(error)}. Name another with --data-dir.`,
      { cause: error },
    );
  }
}

/** Durably: a crash must not lose the directory after a write in it was acknowledged. */
async function make(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  for (let made = path; made !== above; made = dirname(made)) {
    // A directory that we may write in, but not read, cannot be synced by us.
    await syncDirectory(dirname(made)).catch(() => undefined);
  }
}
