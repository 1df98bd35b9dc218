import { stat } from "node:fs/promises";
import { basename } from "node:path";

import { bunSqliteSql } from "../adapters/sqlite-bun.ts";
import type { BlobPlace } from "../backup/blobs.ts";
import { gapOf } from "../backup/model/gap.ts";
import { readTime } from "../lib/base/clock.ts";
import { StoreUnavailable, type Clock } from "../lib/index.ts";
import type { Blobs } from "../lib/publishing/index.ts";
import { Failure } from "../settings/failure.ts";
import { writeExport, type OnTransfer } from "../transfer/export.ts";
import {
  checkExport,
  DatabaseInUse,
  openExport,
  writeImport,
  type CheckedExport,
} from "../transfer/import.ts";
import { ExportDamaged } from "../transfer/lines.ts";
import type { Manifest } from "../transfer/model/manifest.ts";
import { tablesOf } from "../transfer/tables.ts";
import { claim } from "./backup/postgres.ts";
import { blobsAt, blobSchemasOf, markBlobPlace, rememberBlobPlace } from "./blobs.ts";
import { knownSchemas, schemas, schemasIn } from "./compose.ts";
import { prepare, type DataDirectory } from "./data-directory.ts";
import { emptyPostgres, expectEmpty, keepFurther, type Target } from "./empty-target.ts";
import { fingerprintOf, keptKey } from "./encryption-key.ts";
import {
  fingerprintIn,
  nameOf,
  openDatabase,
  readDatabase,
  snapshotOf,
  type DatabasePlace,
} from "./database.ts";
import { filesOf, findFile } from "./found-database.ts";
import { takeLock } from "./lock.ts";
import type { Kept } from "./socket.ts";

/** Its database has the tables of this program. */
export interface ExportOptions extends DatabasePlace {
  /** Where the site files are. Contains a secret. */
  readonly blobs: BlobPlace;
  readonly to: string;
  /** The promise of the server that uses the directory; undefined if none does. */
  readonly kept: Kept | undefined;
  /** Whether a server may write meanwhile. */
  readonly serving: boolean;
  /** Version of the program. */
  readonly version: string;
  readonly clock: Pick<Clock, "now">;
  readonly onProgress: OnTransfer;
}

export interface Exported {
  readonly manifest: Manifest;
  /** Referenced blobs that are missing or damaged. */
  readonly missingBlobs: readonly string[];
}

/** Exports an installation, as of one instant, into an empty directory. Rejects with a `Failure`. */
export async function exportInstallation(options: ExportOptions): Promise<Exported> {
  const { directory, blobs, to, kept, serving, version, clock, onProgress } = options;
  const { caRoot, caKey } = directory;
  const keyFingerprint = await readDatabase(options, fingerprintIn);
  if (keyFingerprint === undefined) {
    throw new Failure("configuration", `${nameOf(options)} contains nothing to export yet.`);
  }
  await using open = new AsyncDisposableStack();
  const sql = blobs.kind === "database" ? await openDatabase(options) : undefined;
  if (sql !== undefined) open.defer(async () => sql.close());
  const stored = blobsAt(blobs, directory, sql);
  // Before the snapshot: the servers elsewhere keep the files that it references.
  const claimed = await claim(options, { alone: false });
  open.defer(async () => claimed?.release());
  const snapshot = await snapshotOf(options);
  try {
    schemasIn(await snapshot.versions(), "Export with that one.");
  } catch (error) {
    await snapshot.close();
    throw error;
  }
  const source = {
    tables: await tablesOf(schemas),
    snapshot,
    blobs: {
      open: async (sha256: string) => {
        const body = await stored.open(sha256);
        if (body === undefined && kept?.holds() === false) throw stopped();
        return body;
      },
    },
    files: new Map([caRoot, caKey].map((path) => [basename(path), path])),
  };
  const about = {
    at: clock.now(),
    petstore: version,
    serving,
    keyFingerprint,
    schemas: Object.fromEntries(knownSchemas),
  };
  const { manifest, missing } = await writeExport(to, source, about, onProgress);
  if (missing.length > 0 && (await claimed?.holds()) === false) throw stopped();
  return { manifest, missingBlobs: missing };
}

function stopped(): Failure {
  return new Failure(
    "tryLater",
    "The server, or its database, stopped during the export, and files of sites were removed afterwards. Remove the export, and export again.",
  );
}

/** The root key comes from the directory, unless it is given. */
export interface ImportOptions extends DatabasePlace {
  readonly from: string;
  /** Where the site files go. Contains a secret. */
  readonly blobs: BlobPlace;
  /** A secret. */
  readonly encryptionKey: Uint8Array | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly onProgress: OnTransfer;
}

/** Reads a whole export and compares it with its checksums. Writes nothing. Rejects with a `Failure`. */
export async function checkImport(options: ImportOptions): Promise<Manifest> {
  return (await checked(options, "notOk")).manifest;
}

/**
 * Imports an export into an empty database, which is in an empty data directory if it is SQLite. Checks all of it before it
 * writes anything. A failure removes what was written; after a crash, the next import does, and no server starts. Rejects
 * with a `Failure`.
 */
export async function importInstallation(options: ImportOptions): Promise<Manifest> {
  const { from, settings, directory, blobs: place, clock, onProgress } = options;
  await prepare(directory, { create: true });
  const lock = takeLock(directory.lock);
  if (!("release" in lock)) {
    throw new Failure("tryLater", `${directory.path} is in use by another process.`);
  }
  try {
    const open = await (settings.databaseUrl === undefined
      ? emptySqlite(options)
      : emptyPostgres(options, "Import"));
    const whole = await checked(options, "failed");
    const { serving, exportedAt } = whole.manifest;
    const at = clock.now();
    const gap = serving ? gapOf(readTime(exportedAt) ?? 0, at) : undefined;
    const { sql, remove } = await open();
    try {
      const stored = blobsAt(place, directory, sql);
      const put: Blobs["put"] = async (body) => {
        // Not before the database is marked: another import then removes what this one has left.
        if (settings.databaseUrl === undefined) await markBlobPlace(place, directory);
        return stored.put(body);
      };
      const blobSchemas = blobSchemasOf(place, options);
      const keepFile = async (name: string, text: string): Promise<void> => {
        const isKept = await keepFurther(directory, name, text);
        if (!isKept) throw new ExportDamaged(`files/${name} is not a file of an installation`);
      };
      const target = { sql, schemas, blobs: { put }, blobSchemas, keepFile, gap, at };
      await writeImport(whole, target, onProgress);
      await rememberBlobPlace(place, options, sql);
    } catch (error) {
      if (!(error instanceof DatabaseInUse)) await remove();
      throw failureOf(error, from, "failed");
    } finally {
      await sql.close();
    }
    lock.rememberUse();
    return whole.manifest;
  } finally {
    lock.release();
  }
}

/** Checks that the directory is empty, and removes what an interrupted import has left. */
async function emptySqlite({ directory }: DatabasePlace): Promise<() => Promise<Target>> {
  await expectEmpty(directory, leftIn(directory), "Import");
  return async () => {
    const sql = await bunSqliteSql({ path: directory.database, copyBeforeUpgrade: false });
    return {
      sql,
      remove: async () => {
        await sql.close();
        await expectEmpty(directory, written(directory), "Import");
      },
    };
  };
}

async function checked(
  { from, directory, encryptionKey: given, onProgress }: ImportOptions,
  damaged: "failed" | "notOk",
): Promise<CheckedExport> {
  const path = directory.encryptionKey;
  const encryptionKey = await keptKey({ known: undefined, path, given });
  if (encryptionKey === undefined) {
    throw new Failure(
      "configuration",
      `An export never contains the encryption key. Put your copy of it in ${path} (mode 0600), or set PETSTORE_ENCRYPTION_KEY_FILE.`,
    );
  }
  await stat(from).catch((cause: unknown) => {
    throw new Failure("notFound", `${from} does not exist.`, { cause });
  });
  try {
    const whole = await openExport(from, schemas, ({ keyFingerprint }) => {
      if (keyFingerprint === fingerprintOf(encryptionKey)) return;
      throw new Failure(
        "configuration",
        "The encryption key is not the one of this export: no API key would work. Use your copy of the right one.",
      );
    });
    await checkExport(whole, onProgress);
    return whole;
  } catch (error) {
    throw failureOf(error, from, damaged);
  }
}

/** The files of an installation that an import writes. */
function written({
  database,
  blobs,
  blobCache,
  blobsUrl,
  caRoot,
  caKey,
}: DataDirectory): readonly string[] {
  return [...filesOf(database), blobs, blobCache, blobsUrl, caRoot, caKey];
}

/** Returns the files that an interrupted import has left, which another one may replace. */
function leftIn(directory: DataDirectory): readonly string[] {
  const found = findFile(directory);
  if (typeof found === "object" && found.kind === "unfinished") return written(directory);
  // Interrupted before its first write. Anything else in the directory is not of an import.
  return found === "empty" ? filesOf(directory.database) : [];
}

function failureOf(error: unknown, from: string, damaged: "failed" | "notOk"): unknown {
  if (error instanceof ExportDamaged) {
    return new Failure(damaged, `${from} is damaged: ${error.message}.`, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    return new Failure("failed", `${error.message} Nothing was imported.`, { cause: error });
  }
  return error;
}
