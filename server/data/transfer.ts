import { stat } from "node:fs/promises";
import { basename } from "node:path";

import type { BlobPlace } from "../../backup/blobs.ts";
import type { OnProgress } from "../../backup/progress.ts";
import { readTime } from "../../lib/base/clock.ts";
import { StoreUnavailable, type Clock } from "../../lib/index.ts";
import { Failure } from "../../settings/failure.ts";
import { putting } from "../../transfer/blobs.ts";
import { writeExport } from "../../transfer/export.ts";
import { checkExport, openExport, writeImport, type OpenedExport } from "../../transfer/import.ts";
import { ExportDamaged } from "../../transfer/lines.ts";
import { gapOf } from "../../transfer/model/gap.ts";
import type { Manifest } from "../../transfer/model/manifest.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { claim } from "../backup/postgres.ts";
import { blobsAt } from "./blobs.ts";
import { knownSchemas, schemas, schemasIn } from "./storage.ts";
import {
  fingerprintIn,
  nameOf,
  openDatabase,
  readDatabase,
  snapshotOf,
  type DatabasePlace,
} from "./database.ts";
import { emptyTarget, fillTarget, installing, keepFurther, type Target } from "./empty-target.ts";
import { copiedKey, fingerprintOf } from "./encryption-key.ts";
import type { Kept } from "../listeners/socket.ts";

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
  readonly onProgress: OnProgress;
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
  open.defer(async () => snapshot.close());
  schemasIn(await snapshot.versions(), "export");
  const source = {
    tables: await tablesOf(schemas, "export"),
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
  readonly onProgress: OnProgress;
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
export function importInstallation(options: ImportOptions): Promise<Manifest> {
  const { from, directory } = options;
  return installing(directory, async () => {
    const open = await emptyTarget(options, "Import");
    const whole = await checked(options, "failed");
    const target = await open();
    const { blobs, clock } = options;
    const at = clock.now();
    try {
      await fillTarget(target, options, { blobs, at }, () => fillFrom(whole, target, options, at));
    } catch (error) {
      throw failureOf(error, from, "failed");
    } finally {
      await target.sql.close();
    }
    return whole.manifest;
  });
}

async function fillFrom(
  whole: OpenedExport,
  database: Target,
  { directory, blobs, onProgress }: ImportOptions,
  at: number,
): Promise<void> {
  const { serving, exportedAt } = whole.manifest;
  const keepBlob = putting(blobsAt(blobs, directory, database.sql));
  const keepFile = async (name: string, text: string): Promise<void> => {
    const isKept = await keepFurther(directory, name, text);
    if (!isKept) throw new ExportDamaged(`files/${name} is not a file of an installation`);
  };
  const gap = serving ? gapOf(readTime(exportedAt) ?? 0, at) : undefined;
  await writeImport(whole, { database, schemas, keepBlob, keepFile, gap, at }, onProgress);
}

async function checked(
  { from, directory, encryptionKey: given, onProgress }: ImportOptions,
  damaged: "failed" | "notOk",
): Promise<OpenedExport> {
  const encryptionKey = await copiedKey("An export", directory.encryptionKey, given);
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

function failureOf(error: unknown, from: string, damaged: "failed" | "notOk"): unknown {
  if (error instanceof ExportDamaged) {
    return new Failure(damaged, `${from} is damaged: ${error.message}.`, { cause: error });
  }
  if (error instanceof StoreUnavailable) {
    return new Failure("failed", `${error.message} Nothing was imported.`, { cause: error });
  }
  return error;
}
