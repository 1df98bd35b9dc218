import { readdir, rm } from "node:fs/promises";
import { basename } from "node:path";

import type { Sql } from "../lib/index.ts";
import { Failure } from "../settings/failure.ts";
import { removeTables } from "../transfer/marks.ts";
import { created } from "../transfer/tables.ts";
import type { DataDirectory } from "./data-directory.ts";
import {
  databaseFailure,
  findDatabase,
  nameOf,
  openDatabase,
  type DatabasePlace,
} from "./database.ts";
import { writePublic, writeSecret } from "./files.ts";
import { findFile } from "./found-database.ts";

/** Removes `left`, and refuses a directory with anything else but the key, the lock and a stale socket. */
export async function expectEmpty(
  { path, encryptionKey, lock, socket }: DataDirectory,
  left: readonly string[],
  what: "Restore" | "Import",
): Promise<void> {
  const found = new Set(await readdir(path));
  for (const known of [encryptionKey, lock, socket, "lost+found"]) found.delete(basename(known));
  for (const one of left) {
    await rm(one, { recursive: true, force: true });
    found.delete(basename(one));
  }
  if (found.size === 0) return;
  const names = [...found].toSorted().slice(0, 5).join(", ");
  throw new Failure(
    "configuration",
    `${path} is not empty: it contains ${names}. ${what} into a new directory, or move everything except encryption.key out of it.`,
  );
}

/** An open database for an import or a restore. */
export interface Target {
  readonly sql: Sql;
  /** Removes what was written. */
  remove(): Promise<void>;
}

/**
 * Checks that the database is empty, and removes what an interrupted import or restore has left in it. Removes no files:
 * those of sites have the names of their contents, and the directory may be of another installation.
 */
export async function emptyPostgres(
  place: DatabasePlace,
  what: "Restore" | "Import",
): Promise<() => Promise<Target>> {
  const { database } = place.directory;
  const embedded = findFile(place.directory);
  if (embedded !== "missing" && embedded !== "empty") {
    throw new Failure(
      "configuration",
      `${database} exists. ${what} into PostgreSQL with a new directory as --data-dir, or unset database-url to use SQLite.`,
    );
  }
  const open = async (): Promise<Sql> => {
    const sql = await openDatabase(place);
    if (sql.shared !== true) return sql;
    await sql.close();
    throw new Failure("tryLater", `${nameOf(place)} is in use by another process.`);
  };
  const failed = (error: unknown): never => {
    throw databaseFailure(error, place);
  };
  const found = await findDatabase(place).catch(failed);
  if (found !== "empty") {
    if (typeof found !== "object" || found.kind !== "unfinished") throw notEmpty(place);
    const sql = await open().catch(failed);
    try {
      if (!(await removeTables(sql, created, found))) throw notEmpty(place);
    } catch (error) {
      failed(error);
    } finally {
      await sql.close();
    }
  }
  return async () => {
    const sql = await open().catch(failed);
    return {
      sql,
      remove: async () => {
        // Without a connection the mark stays, and the next attempt removes it.
        await removeTables(sql, created, { kind: "unfinished" }).catch(() => undefined);
      },
    };
  };
}

function notEmpty(place: DatabasePlace): Failure {
  return new Failure("configuration", `${nameOf(place)} is not empty. Create a new database.`);
}

/** Writes a further file of an installation. Returns false if no installation has a file of this name. */
export async function keepFurther(
  { caRoot, caKey }: DataDirectory,
  name: string,
  text: string,
): Promise<boolean> {
  const path = [caRoot, caKey].find((one) => basename(one) === name);
  if (path === undefined) return false;
  const file = Bun.file(path);
  if ((await file.exists()) && (await file.text()) !== text) {
    throw new Failure("configuration", `${path} exists, and is another one. Move it.`);
  }
  await (path === caKey ? writeSecret : writePublic)(path, text);
  return true;
}
