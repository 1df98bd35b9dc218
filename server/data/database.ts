import { Database } from "bun:sqlite";
import { readFile } from "node:fs/promises";

import type { PostgresOptions } from "../../adapters/postgres/sql.ts";
import { addressOf } from "../../adapters/postgres/address.ts";
import type { PostgresReader } from "../../adapters/postgres/reader.ts";
import type { RedisCounters } from "../../adapters/redis/limits.ts";
import { bunSqliteSql, openBunSqlite } from "../../adapters/sqlite/bun.ts";
import { openSqliteSql } from "../../adapters/sqlite/open.ts";
import type { DatabaseClock } from "../../lib/base/database-clock.ts";
import {
  NewerSchema,
  StoreUnavailable,
  UnsuitableDatabase,
  type Sql,
  type SqlRow,
  type SqlValue,
} from "../../lib/index.ts";
import type { LongStep } from "../../lib/base/long-step.ts";
import { OWN_SCHEMA } from "../../lib/base/postgres-schema.ts";
import { Failure, reasonOf } from "../../settings/failure.ts";
import type { Settings } from "../../settings/options.ts";
import {
  FIND_VERSIONS_IN_FILE,
  markDatabase,
  markIn,
  marking,
  readVersions,
  versionsTableIn,
  type Mark,
} from "../../transfer/marks.ts";
import { postgresSnapshot } from "../../transfer/postgres-snapshot.ts";
import type { Snapshot } from "../../transfer/snapshot.ts";
import { sqliteSnapshot } from "../../transfer/sqlite-snapshot.ts";
import type { DataDirectory } from "./data-directory.ts";
import { FINGERPRINT } from "./encryption-key.ts";
import { findFile, type FoundDatabase } from "./found-database.ts";
import { machineClock } from "../process/runtime.ts";

/** Where an installation's records are: in PostgreSQL if there is a URL, else in SQLite in the data directory. */
export interface DatabasePlace {
  readonly settings: Pick<
    Settings,
    "databaseUrl" | "databaseCaFile" | "databaseSchema" | "databasePoolSize"
  >;
  readonly directory: DataDirectory;
}

/** Returns whether the records are in PostgreSQL. */
export function isPostgres({ settings }: Pick<DatabasePlace, "settings">): boolean {
  return settings.databaseUrl !== undefined;
}

/** The database in a data directory. */
export function sqliteIn(directory: DataDirectory): DatabasePlace {
  return {
    directory,
    settings: {
      databaseUrl: undefined,
      databaseCaFile: undefined,
      databaseSchema: undefined,
      databasePoolSize: 10,
    },
  };
}

/** Names the database for messages, without its password. */
export function nameOf({ settings, directory }: DatabasePlace): string {
  const { databaseUrl, databaseSchema } = settings;
  if (databaseUrl === undefined) return directory.database;
  const { servers, database } = addressOf(databaseUrl);
  const hosts = servers.map(({ host, port, socket }) => socket ?? `${host}:${port}`);
  const within = databaseSchema === undefined ? "" : ` (schema ${databaseSchema})`;
  return `postgres://${hosts.join(",")}/${database}${within}`;
}

/**
 * Opens the database and creates its file if it is SQLite. The caller holds the lock of the data directory. `admit` sees the
 * database before anything is created, and rejects to close it. `onCopy` receives the path of the copy that an
 * upgrade makes of SQLite; `longStep` runs what may block the event loop for long. Rejects with `StoreUnavailable` or `UnsuitableDatabase`.
 */
export async function openDatabase(
  place: DatabasePlace,
  admit: (database: DatabaseReader) => Promise<void> = async () => undefined,
  onCopy: (path: string) => void = () => undefined,
  longStep?: LongStep,
): Promise<Sql> {
  const { settings, directory } = place;
  if (settings.databaseUrl === undefined) {
    await readDatabase(place, admit);
    return openSqliteSql({ path: directory.database, onCopy }, openBunSqlite, longStep);
  }
  const sql = await openPostgres(settings, settings.databaseUrl);
  try {
    await admit(await postgresReader(sql));
    return sql;
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** Opens PostgreSQL. Rejects with `StoreUnavailable` or `UnsuitableDatabase`. */
async function openPostgres(settings: DatabasePlace["settings"], url: string): Promise<Sql> {
  // Imported on demand: SQLite needs none of it.
  const { postgresSql } = await import("../../adapters/postgres/sql.ts");
  return postgresSql(await postgresOptions(settings, url));
}

/** Returns how to connect to PostgreSQL. Rejects with a `Failure`. */
export async function postgresOptions(
  { databaseCaFile, databaseSchema, databasePoolSize }: DatabasePlace["settings"],
  url: string,
): Promise<PostgresOptions> {
  const ca = await certificatesIn("database-ca-file", databaseCaFile);
  return {
    url,
    connect: (options) => new Bun.SQL(options),
    machine: machineClock,
    connections: databasePoolSize,
    schema: databaseSchema,
    ca,
  };
}

/** Begins to read a database that other processes may write to, as of one instant. Rejects with a `Failure`. */
export async function snapshotOf(place: DatabasePlace): Promise<Snapshot> {
  const { settings, directory } = place;
  return settings.databaseUrl === undefined
    ? sqliteSnapshot(directory.database)
    : postgresSnapshot(await snapshotReader(place, settings.databaseUrl, false));
}

/** One state of a database that nothing changes before it is closed. */
export interface LockedSnapshot extends Snapshot {
  /**
   * Ends the reading, and marks the database as moved. Returns false, and changes nothing, if another process has it open.
   * Rejects if it is not known whether the database is marked.
   */
  retire(mark: Mark, at: number): Promise<boolean>;
}

/** Begins to read a database, and lets no process write to it. The caller holds the lock of the data directory. */
export async function lockedSnapshotOf(place: DatabasePlace): Promise<LockedSnapshot> {
  const { settings, directory } = place;
  if (settings.databaseUrl !== undefined) {
    const reader = await snapshotReader(place, settings.databaseUrl, true);
    return {
      ...postgresSnapshot(reader),
      retire: (mark, at) => reader.writeLast(marking(reader.versionsTable, mark, at)),
    };
  }
  const snapshot = sqliteSnapshot(directory.database);
  return {
    ...snapshot,
    retire: async (mark, at) => {
      await snapshot.close();
      const sql = await bunSqliteSql({ path: directory.database, copyBeforeUpgrade: false });
      try {
        await markDatabase(sql, mark, at);
      } finally {
        await sql.close();
      }
      return true;
    },
  };
}

async function snapshotReader(
  place: DatabasePlace,
  url: string,
  exclusive: boolean,
): Promise<PostgresReader> {
  const { readPostgres } = await import("../../adapters/postgres/reader.ts");
  const failed = (error: unknown): never => {
    throw databaseFailure(error, place);
  };
  const options = await postgresOptions(place.settings, url);
  const reader = await readPostgres(options, { exclusive }).catch(failed);
  return {
    ...reader,
    query: (text) => reader.query(text).catch(failed),
    pages: async function* (text, atOnce) {
      try {
        yield* reader.pages(text, atOnce);
      } catch (error) {
        failed(error);
      }
    },
  };
}

export type RedisSettings = Partial<Pick<Settings, "redisUrl" | "redisCaFile">>;

/** Returns the counters in Redis; undefined without `redis-url`. Connects when it is used. */
export async function redisOf({
  redisUrl,
  redisCaFile,
}: RedisSettings): Promise<RedisCounters | undefined> {
  if (redisUrl === undefined) return undefined;
  const { redisCounters } = await import("../../adapters/redis/limits.ts");
  const ca = await certificatesIn("redis-ca-file", redisCaFile);
  return redisCounters({
    url: redisUrl,
    connect: (options) => new Bun.RedisClient(options.url, options),
    ...(ca === undefined ? {} : { ca }),
  });
}

async function certificatesIn(
  option: string,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const { areCertificates } = await import("../../adapters/postgres/connection.ts");
  const pem = await readFile(path, "utf8").catch((cause: unknown) => {
    const reason = reasonOf(cause).replace(/\.$/, "");
    throw new Failure("configuration", `${option} ${path}: ${reason}.`, { cause });
  });
  if (areCertificates(pem)) return pem;
  throw new Failure("configuration", `${option} ${path} contains no certificates (PEM).`);
}

/** Returns the failure of a command that cannot use the database. */
export function databaseFailure(error: unknown, place: DatabasePlace): Failure {
  if (error instanceof Failure) return error;
  const options = { cause: error };
  if (error instanceof NewerSchema) {
    return new Failure("configuration", `${nameOf(place)}: ${error.message}`, options);
  }
  if (error instanceof UnsuitableDatabase) {
    return new Failure("configuration", error.message, options);
  }
  const isOutage = error instanceof StoreUnavailable;
  const reason = isOutage ? error.message : `${reasonOf(error)}.`;
  const exit = isOutage ? "tryLater" : "configuration";
  return new Failure(exit, `Cannot use ${nameOf(place)}: ${reason}`, options);
}

/** Reads a database as it is: nothing is created or upgraded. */
export interface DatabaseReader {
  readonly found: FoundDatabase;
  /** The database's clock; undefined if it has none of its own. */
  readonly clock: DatabaseClock | undefined;
  has(table: string): Promise<boolean>;
  /** Returns the `version` of each `component`, and the marks. Empty if the database has no tables of ours. */
  versions(): Promise<readonly SqlRow[]>;
  query(text: string, ...values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  close(): Promise<void>;
}

/** Opens the database for `read`. */
export async function readDatabase<Value>(
  place: DatabasePlace,
  read: (database: DatabaseReader) => Promise<Value>,
): Promise<Value> {
  const database = await openReader(place);
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}

/** Returns what exists at the place of a database. */
export async function findDatabase(place: DatabasePlace): Promise<FoundDatabase> {
  return readDatabase(place, async ({ found }) => found);
}

/** Opens the database, if there is one, with as few connections as possible. */
export async function openReader({ settings, directory }: DatabasePlace): Promise<DatabaseReader> {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) return sqliteReader(directory);
  return postgresReader(await openPostgres({ ...settings, databasePoolSize: 2 }, databaseUrl));
}

function sqliteReader(directory: DataDirectory): DatabaseReader {
  const found = findFile(directory);
  let database: Database | undefined;
  const query: DatabaseReader["query"] = async (text, ...values) => {
    database ??= new Database(directory.database, { readonly: true });
    using prepared = database.prepare<SqlRow, SqlValue[]>(text);
    return prepared.all(...values);
  };
  return {
    found,
    clock: undefined,
    has: async (table) => (await query(HAS_SQLITE, table)).length > 0,
    versions: async () => {
      const [table] = await query(FIND_VERSIONS_IN_FILE);
      return table === undefined ? [] : query(readVersions(String(table["name"])));
    },
    query,
    close: async () => database?.close(),
  };
}

async function postgresReader(sql: Sql): Promise<DatabaseReader> {
  const query: DatabaseReader["query"] = async (text, ...values) => sql.query({ text, values });
  const has = async (table: string): Promise<boolean> =>
    (await query(HAS_POSTGRES, table)).length > 0;
  const versions: DatabaseReader["versions"] = async () => {
    const table = await versionsTableIn(sql);
    return table === undefined ? [] : query(readVersions(table));
  };
  try {
    // Tables of another program were refused when it was opened.
    const known = (await versionsTableIn(sql)) !== undefined;
    const components = (await versions()).map(({ component }) => String(component));
    const found: FoundDatabase = known ? (markIn(components) ?? "ours") : "empty";
    return { found, clock: sql.clock, has, versions, query, close: () => sql.close() };
  } catch (error) {
    await sql.close();
    throw error;
  }
}

const HAS_SQLITE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
const HAS_POSTGRES = `SELECT 1 FROM pg_class
  WHERE relnamespace = ${OWN_SCHEMA} AND relname = ?`;

/** Returns the fingerprint of the database's key; undefined if it has none. */
export async function fingerprintIn({
  found,
  has,
  query,
}: DatabaseReader): Promise<string | undefined> {
  // An interrupted first start may not have created this table.
  if (found !== "ours" || !(await has("settings"))) return undefined;
  const [row] = await query("SELECT value FROM settings WHERE name = ?", FINGERPRINT);
  const known = row?.["value"];
  return typeof known === "string" ? known : undefined;
}
