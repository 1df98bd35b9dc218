import { hostname } from "node:os";

import { removePartialCopies } from "../../adapters/sqlite/copy.ts";
import type { LongStep } from "../../lib/base/long-step.ts";
import { NewerSchema, StoreUnavailable, type Clock, type Sql } from "../../lib/index.ts";
import type { Blobs } from "../../lib/publishing/index.ts";
import { expectFreshBackup, type AgeSettings } from "../backup/freshness.ts";
import { Failure, fullDisk, reasonOf } from "../../settings/failure.ts";
import type { Settings } from "../../settings/options.ts";
import {
  blobPlaceOf,
  blobsAt,
  blobSchemasOf,
  rememberBlobPlace,
  usedBlobPlace,
  type BlobOwner,
} from "./blobs.ts";
import { openStorage, type Storage } from "./storage.ts";
import { prepare } from "./data-directory.ts";
import { installationKey, keptKey } from "./encryption-key.ts";
import {
  databaseFailure,
  fingerprintIn,
  nameOf,
  openDatabase,
  redisOf,
  type DatabasePlace,
  type RedisSettings,
  type DatabaseReader,
} from "./database.ts";
import {
  faultOfDatabase,
  faultOfMark,
  type FoundDatabase,
  findFile,
  mayExist,
  noInstallation,
  tracesOf,
} from "./found-database.ts";
import { takeLock, type Lock } from "./lock.ts";
import { nodeIdIn, type NodeIdentity } from "../nodes/nodes.ts";
import { ROOM_BYTES } from "../process/readiness.ts";
import { serverStatus } from "../listeners/socket.ts";

/** An open data directory, locked by this process. */
export interface Installation {
  readonly storage: Storage;
  readonly node: NodeIdentity;
  /** A secret. */
  readonly encryptionKey: Uint8Array;
  /** Whether the database is new. */
  readonly made: boolean;
  close(): Promise<void>;
}

/** The options that say where an installation is, and its key. */
export type InstallationSettings = BlobOwner["settings"] &
  Pick<Settings, "encryptionKey"> &
  RedisSettings &
  AgeSettings &
  Partial<Pick<Settings, "nodeName">>;

interface InstallationOptions extends DatabasePlace {
  readonly settings: InstallationSettings;
  /** Creates the directory and an empty installation if they do not exist; otherwise that is a `Failure`. */
  readonly create: boolean;
  /** Fails unless the database can be written. */
  readonly writable?: boolean;
  /** Receives the path of the copy that an upgrade makes of the database. */
  readonly onCopy: (path: string) => void;
  readonly clock: Clock;
  /** Runs what may block the event loop for long. Default: at once. */
  readonly longStep?: LongStep;
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
  const { directory, settings, onCopy, clock, writable = false, longStep } = options;
  const given = settings.encryptionKey;
  let storage: Storage | undefined;
  try {
    const path = directory.encryptionKey;
    let place = blobPlaceOf(settings, directory);
    let made = false;
    const admit = async (database: DatabaseReader): Promise<void> => {
      const { found } = database;
      const fault = faultOf(database, options, lock);
      if (fault !== undefined) throw new Failure("configuration", fault);
      // Before the upgrade: a wrong key must not start one.
      const kept = await keptKey({ known: await fingerprintIn(database), path, given });
      if (kept === undefined && settings.databaseUrl !== undefined) {
        throw new Failure("configuration", KEY_NEEDED);
      }
      made = found !== "ours";
      // Under the lock: else a process that is killed at each start would fill the disk with them.
      removePartialCopies(directory.database);
      place = await usedBlobPlace(options, database);
    };
    const redis = await redisOf(settings);
    const database = await openDatabase(options, admit, onCopy, longStep);
    // SQLite is copied instead.
    const guarded: Sql =
      settings.databaseUrl === undefined
        ? database
        : {
            ...database,
            beforeMigration: (planned) => expectFreshBackup(planned, database, options, clock),
          };
    const blobs = (sql: Sql): Blobs => blobsAt(place, directory, sql);
    const node =
      settings.databaseUrl === undefined
        ? undefined
        : { id: await nodeIdIn(directory), name: nodeNameOf(settings) };
    storage = {
      ...(await openStorage(guarded, blobs, blobSchemasOf(place, options), node, clock)),
      redis,
    };
    const { store } = storage;
    await rememberBlobPlace(place, options, database);
    const encryptionKey = await installationKey({ store, path, given });
    // A server that cannot write cannot serve; a command that only reads can.
    if (writable) await store.checkWritable(ROOM_BYTES);
    lock.rememberUse();
    return {
      storage,
      node: node ?? { id: "alone", name: nodeNameOf(settings) },
      encryptionKey,
      made,
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

/** Explains why the database may not be opened; undefined if it may. By default it may not be empty. */
export function faultOf(
  { found }: Pick<DatabaseReader, "found">,
  { create = false, ...place }: DatabasePlace & Partial<Pick<InstallationOptions, "create">>,
  lock: Lock,
): string | undefined {
  const { settings, directory } = place;
  return settings.databaseUrl === undefined
    ? faultOfDatabase(found, { path: directory.path, traces: tracesOf(directory, lock) })
    : faultOfPostgres(found, { create, ...place });
}

/** Explains why the database may not be opened, such as an empty one in place of that in the directory; undefined if it may. */
function faultOfPostgres(
  found: FoundDatabase,
  { create, ...place }: DatabasePlace & Pick<InstallationOptions, "create">,
): string | undefined {
  const { directory } = place;
  if (typeof found === "object")
    return faultOfMark(found, { name: nameOf(place), isPostgres: true });
  if (found === "ours") return undefined;
  const embedded = findFile(directory);
  if (typeof embedded === "object" && embedded.kind !== "unfinished") {
    const fault = faultOfMark(embedded, { name: directory.path, isPostgres: false });
    return `${fault} ${nameOf(place)} is empty.`;
  }
  if (embedded === "ours") {
    return (
      `${directory.database} holds an installation, and ${nameOf(place)} is empty. ` +
      "To start with the empty one on purpose, choose another directory with --data-dir."
    );
  }
  if (create) return undefined;
  return `${nameOf(place)} contains no installation: it is empty. Correct database-url, or run \`petstore serve\`, which creates one.`;
}

function failureOf(error: unknown, place: DatabasePlace): unknown {
  if (place.settings.databaseUrl !== undefined || error instanceof NewerSchema) {
    return databaseFailure(error, place);
  }
  if (error instanceof Failure) return error;
  const { path } = place.directory;
  const reason = error instanceof StoreUnavailable ? error.message : `${reasonOf(error)}.`;
  return new Failure(
    "configuration",
    `The data directory ${path} cannot be used: ${reason}${fullDisk(path)}`,
    { cause: error },
  );
}

/** Returns the name of this node. */
function nodeNameOf({ nodeName: given }: Partial<Pick<Settings, "nodeName">>): string {
  return (
    given ??
    (hostname()
      .replaceAll(/[^\w.-]/g, "-")
      .slice(0, 63) ||
      "node")
  );
}
