import { removePartialCopies } from "../adapters/sqlite-copy.ts";
import { NewerSchema, StoreUnavailable, type Clock } from "../lib/index.ts";
import { Failure, fullDisk, reasonOf } from "../settings/failure.ts";
import { openStorage, type Storage } from "./compose.ts";
import { prepare, type DataDirectory } from "./data-directory.ts";
import { installationKey, keptKey } from "./encryption-key.ts";
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
import { serverStatus } from "./socket.ts";

/** An open data directory, locked by this process. */
export interface Installation {
  readonly storage: Storage;
  /** A secret. */
  readonly encryptionKey: Uint8Array;
  /** Whether the database is new. */
  readonly made: boolean;
  close(): Promise<void>;
}

interface InstallationOptions {
  readonly directory: DataDirectory;
  readonly encryptionKey: Uint8Array | undefined;
  /** Creates the directory and an empty installation if they do not exist; otherwise that is a `Failure`. */
  readonly create: boolean;
  /** Fails unless the database can be written. */
  readonly writable?: boolean;
  /** Receives the path of the copy that an upgrade makes of the database. */
  readonly onCopy: (path: string) => void;
  readonly clock: Clock;
}

/** The process that holds the lock: a server, or a command that outlasted our wait. */
export type Holder =
  | { readonly by: "server" }
  | { readonly by: "command"; readonly pid: number | undefined };

/** How long to wait for a command to finish. Most take moments; the import of a large file takes longer. */
const PATIENCE_MS = 5_000;
const RETRY_MS = 50;

/** Opens the directory under its lock, or returns the holder of the lock. */
export async function openInstallation(
  options: InstallationOptions,
): Promise<Installation | Holder> {
  const lock = await lockDirectory(options);
  return "release" in lock ? openLocked(lock, options) : lock;
}

/** Takes the lock of a directory, or returns its holder. Waits a moment for a command. */
export async function lockDirectory({
  directory,
  create,
  clock,
}: Pick<InstallationOptions, "directory" | "create" | "clock">): Promise<Lock | Holder> {
  if (!create && !mayExist(directory)) {
    // A server may still have a deleted database open.
    if ((await serverStatus(directory.socket)) !== undefined) return { by: "server" };
    throw noInstallation(directory.path);
  }
  await prepare(directory, { create });
  const deadline = clock.now() + PATIENCE_MS;
  for (;;) {
    const lock = takeLock(directory.lock);
    if ("release" in lock) return lock;
    if ((await serverStatus(directory.socket)) !== undefined) return { by: "server" };
    if (clock.now() >= deadline) return { by: "command", pid: lock.by };
    await clock.sleep(RETRY_MS);
  }
}

async function openLocked(
  lock: Lock,
  { directory, encryptionKey: given, onCopy, writable = false }: InstallationOptions,
): Promise<Installation> {
  let storage: Storage | undefined;
  try {
    const traces = tracesOf(directory, lock);
    const found = findDatabase(directory);
    const fault = faultOfDatabase(found, { path: directory.path, traces });
    if (fault !== undefined) throw new Failure("configuration", fault);
    const path = directory.encryptionKey;
    // Before the upgrade: a wrong key must not start one.
    await keptKey({ known: fingerprintIn(directory), path, given });
    // Under the lock: else a process that is killed at each start would fill the disk with them.
    removePartialCopies(directory.database);
    storage = await openStorage(directory, onCopy);
    const { store } = storage;
    const encryptionKey = await installationKey({ store, path, given });
    // A server that cannot write cannot serve; a command that only reads can.
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
