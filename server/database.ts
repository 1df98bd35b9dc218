import { Database } from "bun:sqlite";
import { readFile } from "node:fs/promises";

import { addressOf } from "../adapters/postgres-address.ts";
import { bunSqliteSql } from "../adapters/sqlite-bun.ts";
import type { Sql, SqlRow, SqlValue } from "../lib/index.ts";
import { Failure, reasonOf } from "../settings/failure.ts";
import type { Settings } from "../settings/options.ts";
import type { DataDirectory } from "./data-directory.ts";
import { FINGERPRINT } from "./encryption-key.ts";
import { findFile, type FoundDatabase } from "./found-database.ts";

/** Where an installation's records are: in PostgreSQL if there is a URL, else in SQLite in the data directory. */
export interface DatabasePlace {
  readonly settings: Pick<Settings, "databaseUrl" | "databaseCaFile" | "databasePoolSize">;
  readonly directory: DataDirectory;
}

/** The database in a data directory. */
export function sqliteIn(directory: DataDirectory): DatabasePlace {
  return {
    directory,
    settings: { databaseUrl: undefined, databaseCaFile: undefined, databasePoolSize: 10 },
  };
}

/** Names the database for messages, without its password. */
export function nameOf({ settings: { databaseUrl }, directory }: DatabasePlace): string {
  if (databaseUrl === undefined) return directory.database;
  const { servers, database } = addressOf(databaseUrl);
  const hosts = servers.map(({ host, port, socket }) => socket ?? `${host}:${port}`);
  return `postgres://${hosts.join(",")}/${database}`;
}

/**
 * Opens the database and creates its file if it is SQLite. The caller holds the lock of the data directory. `onCopy`
 * receives the path of the copy that an upgrade makes of SQLite. Rejects with `StoreUnavailable` or `UnsuitableDatabase`.
 */
export async function openDatabase(
  { settings, directory: { database } }: DatabasePlace,
  onCopy: (path: string) => void,
): Promise<Sql> {
  return settings.databaseUrl === undefined
    ? bunSqliteSql({ path: database, onCopy })
    : openPostgres(settings, settings.databaseUrl);
}

/** Opens PostgreSQL. Rejects with `StoreUnavailable` or `UnsuitableDatabase`. */
async function openPostgres(
  { databaseCaFile, databasePoolSize }: DatabasePlace["settings"],
  url: string,
): Promise<Sql> {
  // Imported on demand: SQLite needs none of it.
  const { postgresSql } = await import("../adapters/postgres.ts");
  const ca = databaseCaFile === undefined ? undefined : await readCertificates(databaseCaFile);
  return postgresSql({
    url,
    connect: (options) => new Bun.SQL(options),
    connections: databasePoolSize,
    ...(ca === undefined ? {} : { ca }),
  });
}

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new Failure("configuration", `database-ca-file ${path}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** Reads a database as it is: nothing is created or upgraded. */
export interface DatabaseReader {
  has(table: string): Promise<boolean>;
  query(text: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/** Opens an existing database for `read`. */
export async function readDatabase<Value>(
  { settings, directory }: DatabasePlace,
  read: (reader: DatabaseReader) => Promise<Value>,
): Promise<Value> {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) {
    const database = new Database(directory.database, { readonly: true });
    try {
      return await read(
        readerOf(HAS_SQLITE, async (text, values) => {
          using prepared = database.prepare<SqlRow, SqlValue[]>(text);
          return prepared.all(...values);
        }),
      );
    } finally {
      database.close();
    }
  }
  const sql = await openPostgres({ ...settings, databasePoolSize: 2 }, databaseUrl);
  try {
    return await read(readerOf(HAS_POSTGRES, async (text, values) => sql.query({ text, values })));
  } finally {
    await sql.close();
  }
}

const HAS_SQLITE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
const HAS_POSTGRES = `SELECT 1 FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relname = ?`;

function readerOf(
  has: string,
  query: (text: string, values: readonly SqlValue[]) => Promise<readonly SqlRow[]>,
): DatabaseReader {
  return {
    has: async (table) => (await query(has, [table])).length > 0,
    query: (text, ...values) => query(text, values),
  };
}

/** Checks the database without changing it. */
export async function findDatabase(place: DatabasePlace): Promise<FoundDatabase> {
  if (place.settings.databaseUrl === undefined) return findFile(place.directory);
  // Tables of another program are refused when it is opened.
  const ours = await readDatabase(place, (reader) => reader.has("schema_migrations"));
  return ours ? "ours" : "empty";
}

/** Returns the fingerprint of the database's key; undefined if it has none. Changes nothing. */
export async function fingerprintIn(place: DatabasePlace): Promise<string | undefined> {
  if ((await findDatabase(place)) !== "ours") return undefined;
  return readDatabase(place, async (reader) => {
    // An interrupted first start may not have created this table.
    if (!(await reader.has("settings"))) return undefined;
    const [row] = await reader.query("SELECT value FROM settings WHERE name = ?", FINGERPRINT);
    const known = row?.["value"];
    return typeof known === "string" ? known : undefined;
  });
}
