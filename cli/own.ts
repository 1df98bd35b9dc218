import { NewerSchema, StoreUnavailable, type Clock } from "../lib/index.ts";
import type { Composition, Storage } from "./composition.ts";
import { prepare, type DataDirectory } from "./data-directory.ts";
import { installationKey, keptKey } from "./encryption-key.ts";
import { Failure } from "./exit.ts";
import {
  faultOfDatabase,
  findDatabase,
  fingerprintIn,
  mayExist,
  noInstallation,
  tracesOf,
} from "./found-database.ts";
import { takeLock, type Lock } from "./lock.ts";
import { ROOM_BYTES } from "./readiness.ts";
import { serverStatus } from "./socket-client.ts";
import { fullDisk, reasonOf } from "./system-error.ts";

/** The data directory of an installation that nobody else has open. */
export interface Own {
  readonly storage: Storage;
  readonly encryptionKey: Uint8Array;
  /** True when there was no database before. */
  readonly made: boolean;
  close(): Promise<void>;
}

export interface OwnOptions {
  readonly directory: DataDirectory;
  readonly encryptionKey: Uint8Array | undefined;
  /** Makes the directory and an empty installation where there is none; else that is a `Failure`. */
  readonly create: boolean;
  /** Fails unless the database can be written. */
  readonly writable?: boolean;
  /** Called with the path of the copy that is made of a database before its upgrade. */
  readonly onCopy: (path: string) => void;
  readonly clock: Clock;
  readonly composition: Composition;
}

/** A server has the directory; `pid` of a command that kept it for all of the time we waited. */
export type Taken =
  | { readonly by: "server" }
  | { readonly by: "command"; readonly pid: number | undefined };

/** Commands finish in moments; one that imports a large file does not. */
const PATIENCE_MS = 5_000;
const AGAIN_MS = 50;

/** Opens the directory under its lock, or tells who has it. */
export async function openOwn(options: OwnOptions): Promise<Own | Taken> {
  const { directory, create, clock } = options;
  if (!create && !mayExist(directory)) {
    // The file was removed, but a server may still have it open.
    if ((await serverStatus(directory.socket)) !== undefined) return { by: "server" };
    throw noInstallation(directory.path);
  }
  await prepare(directory, { create });
  const deadline = clock.now() + PATIENCE_MS;
  for (;;) {
    const lock = takeLock(directory.lock);
    if ("release" in lock) return openLocked(lock, options);
    if ((await serverStatus(directory.socket)) !== undefined) return { by: "server" };
    if (clock.now() >= deadline) return { by: "command", pid: lock.by };
    await clock.sleep(AGAIN_MS);
  }
}

async function openLocked(
  lock: Lock,
  { directory, encryptionKey: given, composition, onCopy, writable = false }: OwnOptions,
): Promise<Own> {
  let storage: Storage | undefined;
  try {
    const traces = tracesOf(directory, lock);
    const found = findDatabase(directory);
    const fault = faultOfDatabase(found, { path: directory.path, traces });
    if (fault !== undefined) throw new Failure("configuration", fault);
    const path = directory.encryptionKey;
    // Before the upgrade: a wrong key must not start one.
    await keptKey({ known: fingerprintIn(directory), path, given });
    storage = await composition.openStorage(directory, { onCopy });
    const { store } = storage;
    const encryptionKey = await installationKey({ store, path, given });
    // A server that could write nothing would serve nothing; commands that only read still can.
    if (writable) await store.checkWritable(ROOM_BYTES);
    lock.rememberUse();
    return {
      storage,
      encryptionKey,
      made: found !== "ours",
      close: async () => {
        await storage?.close();
        lock.release();
      },
    };
  } catch (error) {
    await storage?.close();
    lock.release();
    throw failureOf(error, directory);
  }
}

function failureOf(error: unknown, { path, database }: DataDirectory): unknown {
  if (error instanceof Failure) return error;
  const options = { cause: error };
  if (error instanceof NewerSchema) {
    return new Failure("configuration", `${database}: ${error.message}`, options);
  }
  const reason = error instanceof StoreUnavailable ? error.message : `${reasonOf(error)}.`;
  return new Failure(
    "configuration",
    `The data directory ${path} cannot be used: ${reason}${fullDisk(path)}`,
    options,
  );
}
