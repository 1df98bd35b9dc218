import { stat } from "node:fs/promises";
import { basename } from "node:path";

import { bunSqliteSql } from "../adapters/sqlite-bun.ts";
import type { BlobPlace } from "../backup/blobs.ts";
import { gapOf } from "../backup/model/gap.ts";
import { readTime } from "../lib/base/clock.ts";
import { StoreUnavailable, type Clock } from "../lib/index.ts";
import { Failure } from "../settings/failure.ts";
import { writeExport, type OnTransfer } from "../transfer/export.ts";
import { checkExport, openExport, writeImport, type CheckedExport } from "../transfer/import.ts";
import { ExportDamaged } from "../transfer/lines.ts";
import type { Manifest } from "../transfer/model/manifest.ts";
import { sqliteSnapshot } from "../transfer/sqlite-snapshot.ts";
import { tablesOf } from "../transfer/tables.ts";
import { blobsAt, rememberBlobPlace } from "./blobs.ts";
import { expectEmpty } from "./backup/restore.ts";
import { knownSchemas, schemas } from "./compose.ts";
import { prepare, type DataDirectory } from "./data-directory.ts";
import { fingerprintOf, keptKey } from "./encryption-key.ts";
import { writePublic, writeSecret } from "./files.ts";
import { fingerprintIn, sqliteIn } from "./database.ts";
import { findFile } from "./found-database.ts";
import { takeLock } from "./lock.ts";
import type { Kept } from "./socket.ts";

export interface ExportOptions {
  /** Its database has the tables of this program. */
  readonly directory: DataDirectory;
  /** Where the site files are. Contains a secret. */
  readonly blobs: BlobPlace;
  readonly to: string;
  /** The promise of the server that uses the directory; undefined if none does. */
  readonly kept: Kept | undefined;
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
export async function exportInstallation({
  directory,
  blobs,
  to,
  kept,
  version,
  clock,
  onProgress,
}: ExportOptions): Promise<Exported> {
  const { database, caRoot, caKey } = directory;
  const keyFingerprint = await fingerprintIn(sqliteIn(directory));
  if (keyFingerprint === undefined) {
    throw new Failure("configuration", `${directory.path} contains nothing to export yet.`);
  }
  const stored = blobsAt(blobs, directory);
  const source = {
    tables: await tablesOf(schemas),
    snapshot: sqliteSnapshot(database),
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
    serving: kept !== undefined,
    keyFingerprint,
    schemas: Object.fromEntries(knownSchemas),
  };
  const { manifest, missing } = await writeExport(to, source, about, onProgress);
  return { manifest, missingBlobs: missing };
}

function stopped(): Failure {
  return new Failure(
    "tryLater",
    "The server stopped during the export, and files of sites were removed afterwards. Export again.",
  );
}

export interface ImportOptions {
  readonly from: string;
  /** The root key comes from here, unless it is given. */
  readonly directory: DataDirectory;
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
 * Imports an export into a data directory that has no installation. Checks all of it before it writes anything. A failure
 * removes what was written; after a crash, the next import does, and no server starts. Rejects with a `Failure`.
 */
export async function importInstallation(options: ImportOptions): Promise<Manifest> {
  const { from, directory, blobs: place, clock, onProgress } = options;
  await prepare(directory, { create: true });
  const lock = takeLock(directory.lock);
  if (!("release" in lock)) {
    throw new Failure("tryLater", `${directory.path} is in use by another process.`);
  }
  try {
    await expectEmpty(directory, leftIn(directory), "Import");
    const whole = await checked(options, "failed");
    const { serving, exportedAt } = whole.manifest;
    const at = clock.now();
    const gap = serving ? gapOf(readTime(exportedAt) ?? 0, at) : undefined;
    const sql = await bunSqliteSql({ path: directory.database, copyBeforeUpgrade: false });
    try {
      const blobs = blobsAt(place, directory);
      await rememberBlobPlace(place, directory);
      const keepFile = (name: string, text: string): Promise<void> => keepIn(directory, name, text);
      await writeImport(whole, { sql, schemas, blobs, keepFile, gap, at }, onProgress);
    } catch (error) {
      await sql.close();
      await expectEmpty(directory, written(directory), "Import");
      throw failureOf(error, from, "failed");
    }
    await sql.close();
    lock.rememberUse();
    return whole.manifest;
  } finally {
    lock.release();
  }
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
  return [
    database,
    `${database}-wal`,
    `${database}-shm`,
    blobs,
    blobCache,
    blobsUrl,
    caRoot,
    caKey,
  ];
}

/** Returns the files that an interrupted import has left, which another one may replace. */
function leftIn(directory: DataDirectory): readonly string[] {
  const found = findFile(directory);
  if (found === "unfinished") return written(directory);
  // Interrupted before its first write. Anything else in the directory is not of an import.
  return found === "empty" ? written(directory).slice(0, 3) : [];
}

async function keepIn({ caRoot, caKey }: DataDirectory, name: string, text: string): Promise<void> {
  if (name === basename(caKey)) await writeSecret(caKey, text);
  else if (name === basename(caRoot)) await writePublic(caRoot, text);
  else throw new ExportDamaged(`files/${name} is not a file of an installation`);
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
