import { removePartialCopies } from "../adapters/sqlite-copy.ts";
import { NewerSchema, StoreUnavailable, UnsuitableDatabase, type Clock } from "../lib/index.ts";
import { Failure, fullDisk, reasonOf } from "../settings/failure.ts";
import type { Settings } from "../settings/options.ts";
import { blobsAt, rememberBlobPlace, usedBlobPlace, type BlobSettings } from "./blobs.ts";
import { openStorage, type Storage } from "./compose.ts";
import { prepare } from "./data-directory.ts";
import { installationKey, keptKey } from "./encryption-key.ts";
import {
  findDatabase,
  fingerprintIn,
  nameOf,
  openDatabase,
  type DatabasePlace,
} from "./database.ts";
import {
  faultOfDatabase,
  type FoundDatabase,
  findFile,
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

interface InstallationOptions extends DatabasePlace {
  readonly settings: DatabasePlace["settings"] & BlobSettings & Pick<Settings, "encryptionKey">;
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
  settings: { databaseUrl },
  create: asked,
  clock,
}: DatabasePlace & Pick<InstallationOptions, "create" | "clock">): Promise<Lock | Holder> {
  // The directory holds only the lock and the socket if the database is elsewhere.
  const create = asked || databaseUrl !== undefined;
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

async function openLocked(lock: Lock, options: InstallationOptions): Promise<Installation> {
  const { directory, settings, onCopy, writable = false } = options;
  const given = settings.encryptionKey;
  let storage: Storage | undefined;
  try {
    const found = await findDatabase(options);
    const fault =
      settings.databaseUrl === undefined
        ? faultOfDatabase(found, { path: directory.path, traces: tracesOf(directory, lock) })
        : faultOfMove(found, options);
    if (fault !== undefined) throw new Failure("configuration", fault);
    const path = directory.encryptionKey;
    // Before the upgrade: a wrong key must not start one.
    const kept = await keptKey({ known: await fingerprintIn(options), path, given });
    if (kept === undefined && settings.databaseUrl !== undefined) {
      throw new Failure("configuration", KEY_NEEDED);
    }
    // Under the lock: else a process that is killed at each start would fill the disk with them.
    removePartialCopies(directory.database);
    const place = usedBlobPlace(settings, directory);
    await rememberBlobPlace(place, directory);
    const database = await openDatabase(options, onCopy);
    storage = await openStorage(database, blobsAt(place, directory));
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
    throw failureOf(error, options);
  }
}

const KEY_NEEDED =
  "A PostgreSQL database needs an encryption key that every process uses: set PETSTORE_ENCRYPTION_KEY or " +
  "PETSTORE_ENCRYPTION_KEY_FILE. `openssl rand -base64 32` makes one; keep a copy of it.";

/** Explains why an empty database may not replace the one in the directory; undefined if there is none. */
function faultOfMove(found: FoundDatabase, place: DatabasePlace): string | undefined {
  const { directory } = place;
  if (found === "ours" || findFile(directory) !== "ours") return undefined;
  return (
    `${directory.database} holds an installation, and ${nameOf(place)} is empty. ` +
    "To start with the empty one on purpose, choose another directory with --data-dir."
  );
}

function failureOf(error: unknown, place: DatabasePlace): unknown {
  if (error instanceof Failure) return error;
  const options = { cause: error };
  const { path } = place.directory;
  if (error instanceof NewerSchema) {
    return new Failure("configuration", `${nameOf(place)}: ${error.message}`, options);
  }
  const reason = error instanceof StoreUnavailable ? error.message : `${reasonOf(error)}.`;
  if (place.settings.databaseUrl !== undefined) {
    if (error instanceof UnsuitableDatabase) {
      return new Failure("configuration", error.message, options);
    }
    const exit = error instanceof StoreUnavailable ? "tryLater" : "configuration";
    return new Failure(exit, `Cannot use ${nameOf(place)}: ${reason}`, options);
  }
  return new Failure(
    "configuration",
    `The data directory ${path} cannot be used: ${reason}${fullDisk(path)}`,
    options,
  );
}
