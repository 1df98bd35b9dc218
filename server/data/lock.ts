import { Database } from "bun:sqlite";
import { closeSync, openSync, readSync } from "node:fs";

import { dirname } from "node:path";

import { Failure, codeOf, fullDisk } from "../../settings/failure.ts";

/** The lock of an installation. The system releases it when the process ends, even by a crash. */
export interface Lock {
  /** Whether this or an earlier process called `rememberUse`. */
  readonly used: boolean;
  /** Records in the lock file, on disk, that the directory contains an installation. */
  rememberUse(): void;
  release(): void;
}

/** Another process holds the lock. */
export interface Held {
  /** Process ID; undefined until the holder has written it. */
  readonly by: number | undefined;
}

/**
 * Takes the lock, or returns its holder. The lock is an SQLite database whose file lock is never released; its header has
 * room for the process ID, which others can read without a lock.
 */
export function takeLock(path: string): Lock | Held {
  const file = open(path);
  try {
    file.exec("PRAGMA busy_timeout = 0");
    file.exec("PRAGMA journal_mode = MEMORY");
    file.exec("PRAGMA locking_mode = EXCLUSIVE");
    file.exec("BEGIN EXCLUSIVE");
    file.exec(`PRAGMA user_version = ${process.pid}`);
    file.exec("COMMIT");
  } catch (error) {
    file.close();
    if (codeOf(error)?.startsWith("SQLITE_BUSY")) return { by: holderOf(path) };
    throw cannotLock(path, error);
  }
  const used = markOf(file) === IN_USE;
  return {
    used,
    rememberUse: () => {
      if (!used) file.exec(`PRAGMA application_id = ${IN_USE}`);
    },
    release: () => file.close(),
  };
}

function markOf(file: Database): unknown {
  using mark = file.prepare("PRAGMA application_id");
  return mark.values()[0]?.[0];
}

/** "pets": the header of an SQLite file has room for a second number. */
const IN_USE = 0x70657473;
const USER_VERSION_OFFSET = 60;

const APPLICATION_ID_OFFSET = 68;

/** Returns whether `rememberUse` was ever called; needs no lock. False if the file cannot be read. */
export function wasUsed(path: string): boolean {
  try {
    return numberAt(path, APPLICATION_ID_OFFSET) === IN_USE;
  } catch (error) {
    if (codeOf(error) !== undefined) return false;
    throw error;
  }
}

function holderOf(path: string): number | undefined {
  return numberAt(path, USER_VERSION_OFFSET) || undefined;
}

/** Reads four bytes of the file's header; undefined if it is shorter. */
function numberAt(path: string, position: number): number | undefined {
  const bytes = new DataView(new ArrayBuffer(4));
  const file = openSync(path, "r");
  try {
    return readSync(file, bytes, { position }) < 4 ? undefined : bytes.getUint32(0);
  } finally {
    closeSync(file);
  }
}

function open(path: string): Database {
  try {
    // SQLite would apply the umask to the mode.
    closeSync(openSync(path, "a", 0o600));
    return new Database(path, { create: true, readwrite: true });
  } catch (error) {
    throw cannotLock(path, error);
  }
}

function cannotLock(path: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const hint = fullDisk(dirname(path));
  return new Failure("configuration", `${path} cannot be locked: ${reason}.${hint}`, { cause });
}
