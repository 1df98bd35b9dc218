import { stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { isoTime, type Clock } from "../lib/base/clock.ts";
import { BlobDamaged, type Blobs } from "../lib/publishing/blobs.ts";
import type { Sql } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import { openBlobs, type BlobPlace } from "./blobs.ts";
import type { Contained } from "./container.ts";
import type { Destination } from "./destination.ts";
import { readWhole } from "./directory.ts";
import { FORMAT, sizeOf, type BlobEntry, type Manifest } from "./model/manifest.ts";
import type { OnProgress } from "./progress.ts";
import { faultsOf, readContents, takeSnapshot, type SnapshotCost } from "./snapshot.ts";
import { contentOf, createCollector, measure } from "./streams.ts";
import { withWorkplace } from "./unfinished.ts";

/** The files of an installation that a backup contains. */
export interface Source {
  /** The file of SQLite; the name of the copy if the database is elsewhere. */
  readonly database: string;
  readonly blobs: BlobPlace;
  /** Further files, each included if it exists. */
  readonly files: readonly string[];
  /** Directory for snapshots, on the disk of the database. Removed at the end. */
  readonly scratch: string;
}

/** The database of an installation. */
export interface SourceDatabase {
  /** Has the blobs, if they are in the database. */
  readonly sql?: Sql;
  /** Returns roughly how many bytes a copy takes. */
  bytes(): Promise<number>;
  /** Copies the database, as of one instant, into a new SQLite file. Returns how that affected it, if it is SQLite. */
  copy(into: string, onProgress: OnProgress): Promise<SnapshotCost | undefined>;
}

/** Returns the database in a SQLite file. */
export function sqliteDatabase(path: string): SourceDatabase {
  return {
    bytes: async () => (await stat(path)).size,
    copy: async (into) => takeSnapshot(path, into),
  };
}

interface Tools {
  readonly database: SourceDatabase;
  readonly to: Destination;
  /** Version of the program. */
  readonly version: string;
  readonly clock: Pick<Clock, "now">;
  readonly onProgress: OnProgress;
}

/** What a backup did. */
export interface Made {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Size of the contents in bytes. */
  readonly bytes: number;
  /** What was written by this backup: less than `bytes` if blobs were already stored. */
  readonly writtenBytes: number;
  readonly rows: number;
  readonly blobs: number;
  /** Blobs that the database references, but that are missing or damaged. */
  readonly missingBlobs: readonly string[];
  readonly sealedTo: string;
  /** SHA-256 of the sealed container, in hex. */
  readonly sha256: string;
  /** How the copy affected the database, if it is SQLite. */
  readonly snapshot?: SnapshotCost | undefined;
}

/** A blob is read more than once, but never long after. */
const CACHE_BYTES = 64 * 1_048_576;

/**
 * Writes a whole installation to a destination. Copies the database beside itself as of one instant, checks the copy, finds the
 * blobs that it references, describes all of that in a manifest, and has the destination write and read it back.
 */
export function makeBackup(
  source: Source,
  { database, to, version, clock, onProgress }: Tools,
): Promise<Made> {
  return withWorkplace(source.scratch, async (workplace) => {
    const at = clock.now();
    onProgress("copying rows", 0);
    await expectRoom(source.database, await database.bytes());
    const copy = join(workplace.path, basename(source.database));
    const snapshot = await database.copy(copy, onProgress);

    const faults = faultsOf(copy);
    if (faults !== undefined) {
      throw new Failure(
        "failed",
        `The database, or its copy in ${source.scratch}, is damaged: ${faults}.`,
      );
    }
    const contents = readContents(copy, (rows) => onProgress("checking rows", rows));

    const paths = await filesOf(copy, source.files);
    const files: Manifest["files"][number][] = [];
    for (const [name, path] of paths) {
      files.push({ name, ...(await measure(await opened(path))) });
    }
    const cache = { path: join(workplace.path, "blobs"), bytes: CACHE_BYTES };
    const blobs = openBlobs(source.blobs, cache, database.sql);
    const { present, missing } = await examineBlobs(blobs, contents.blobs, to.isStored);

    const manifest: Manifest = {
      format: FORMAT,
      petstore: version,
      madeAt: isoTime(at),
      schemas: contents.schemas,
      files,
      tables: contents.tables,
      blobs: present,
      blobsInside: to.blobsInside,
      sealedTo: to.sealedTo,
      missingBlobs: missing,
    };
    const contained: Contained = {
      file: (name) => opened(paths.get(name) ?? name),
      blob: (sha256) => openBlob(blobs, sha256),
    };
    if (to.file !== undefined) await workplace.remember(to.file);
    const written = await to.write(at, manifest, contained, onProgress);
    return {
      id: written.id,
      at,
      bytes: sizeOf(manifest),
      writtenBytes: written.bytes,
      rows: Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0),
      blobs: present.length,
      missingBlobs: missing,
      sealedTo: to.sealedTo,
      sha256: written.sha256,
      snapshot,
    };
  });
}

/** Free space to leave on the disk of the database, in bytes: a full disk would stop the service. */
const SPARE_BYTES = 64 * 1_048_576;

async function expectRoom(database: string, size: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(database));
  const needed = size + SPARE_BYTES;
  if (bavail * bsize >= needed) return;
  throw new Failure(
    "failed",
    `${dirname(database)} has no room for a snapshot of the database: it needs ${Math.ceil(needed / 1_048_576)} MiB.`,
  );
}

/** Returns the paths of the files to back up by name, the database first. */
async function filesOf(
  database: string,
  further: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const paths = new Map([[basename(database), database]]);
  for (const path of further) {
    if ((await readWhole(path)) !== undefined) paths.set(basename(path), path);
  }
  return paths;
}

async function opened(path: string): Promise<ReadableStream<Uint8Array>> {
  const stream = await readWhole(path);
  if (stream === undefined) throw new Failure("failed", `${path} was removed during the backup.`);
  return stream;
}

async function openBlob(blobs: Blobs, sha256: string): Promise<ReadableStream<Uint8Array>> {
  const stream = await contentOf(blobs, sha256);
  if (stream === undefined) throw new Failure("failed", `The blob ${sha256} was removed.`);
  return stream;
}

async function isSound(blobs: Blobs, sha256: string): Promise<boolean> {
  try {
    return (await measure(await openBlob(blobs, sha256))).sha256 === sha256;
  } catch (error) {
    if (error instanceof BlobDamaged) return false;
    throw error;
  }
}

const NAMES_PER_COLLECTION = 5_000;

/** Reads the blobs that are not stored yet, and tells those that are whole from those that are missing or damaged. */
async function examineBlobs(
  blobs: Blobs,
  names: readonly string[],
  isStored: Destination["isStored"],
): Promise<{ readonly present: Manifest["blobs"]; readonly missing: readonly string[] }> {
  const sizes = new Map<string, number | undefined>(names.map((name) => [name, undefined]));
  const collect = createCollector(NAMES_PER_COLLECTION);
  // A bucket answers for a thousand at once.
  for await (const { sha256, size } of blobs.list()) {
    collect(1);
    if (sizes.has(sha256)) sizes.set(sha256, size);
  }
  const present: BlobEntry[] = [];
  const missing: string[] = [];
  for (const [sha256, bytes] of sizes) {
    collect(1);
    const sound =
      bytes !== undefined && (isStored(sha256, bytes) || (await isSound(blobs, sha256)));
    if (sound) present.push({ sha256, bytes });
    else missing.push(sha256);
  }
  return { present, missing };
}
