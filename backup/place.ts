import { statSync } from "node:fs";
import { resolve } from "node:path";

import { Failure } from "../settings/failure.ts";
import { directoryObjects, readWhole } from "./directory.ts";
import { newerFormat } from "./container.ts";
import type { BackupKeys } from "./keys.ts";
import { BackupDamaged, WrongKey, type Objects } from "./ports.ts";
import type { SealedBackup } from "./read.ts";
import { backupIds, blobObject, containerObject, indexObject, indexOf, isId } from "./stored.ts";

/** Where backups are: one file, or a directory with many. */
export interface Place {
  readonly kind: "file" | "directory";
  readonly path: string;
}

/** Reads a place as typed: an existing directory, or a path that ends with a slash, is a directory. */
export function placeOf(written: string): Place {
  if (/^[\w+.-]+:\/\//.test(written)) {
    throw new Failure("usage", `${written}: this version backs up to files and directories only.`);
  }
  const path = resolve(written);
  return { kind: written.endsWith("/") || isDirectory(path) ? "directory" : "file", path };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, or unusable: opening it reports the reason.
    return false;
  }
}

export function objectsAt({ path }: Place): Objects {
  return directoryObjects(path);
}

export interface OpenedBackup extends Pick<SealedBackup, "sealed" | "blob"> {
  /** Undefined for a file. */
  readonly id: string | undefined;
  /** The name of an index that could not be verified, because it names another installation. */
  readonly unverified?: string;
}

/**
 * Opens a backup, by default the newest of a directory. Fails if there is none. A backup that is named needs no index: its
 * manifest is signed, too.
 */
export async function openBackup(
  from: Place,
  keys: BackupKeys,
  wanted?: string,
): Promise<OpenedBackup> {
  if (from.kind === "file") {
    const sealed = await readWhole(from.path);
    if (sealed === undefined) throw new Failure("notFound", `${from.path} does not exist.`);
    return { sealed, id: undefined };
  }
  const objects = objectsAt(from);
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
  if (index === "damaged") {
    throw new BackupDamaged(
      `${indexObject(id)} cannot be used; if the backup itself is sound, --backup ${id} restores it`,
    );
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
