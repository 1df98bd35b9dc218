import { stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { isoTime, type Clock } from "../lib/base/clock.ts";
import { BlobDamaged, type Blobs } from "../lib/publishing/blobs.ts";
import type { Sql } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import { openBlobs, type BlobPlace } from "./blobs.ts";
import { damageOf, pack, type Contained } from "./container.ts";
import { readWhole, writeWhole } from "./directory.ts";
import type { BackupKeys } from "./keys.ts";
import { FORMAT, sizeOf, type BlobEntry, type Manifest } from "./model/manifest.ts";
import { notAsWritten, type Objects, type Sealing } from "./ports.ts";
import { checkBackup } from "./read.ts";
import { faultsOf, readContents, takeSnapshot, type SnapshotCost } from "./snapshot.ts";
import { blobObject, containerObject, nextId, storedBlobs, sweep, writeIndex } from "./stored.ts";
import { counting, createCollector, measure, measuring } from "./streams.ts";
import { withWorkplace, type Workplace } from "./unfinished.ts";

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

/** A database that is not a file. */
export interface RemoteDatabase {
  /** Has the blobs, if they are in the database. */
  readonly sql: Sql | undefined;
  /** Returns roughly how many bytes a copy takes. */
  bytes(): Promise<number>;
  /** Copies the database, as of one instant, into a new SQLite file, and compares both. */
  copy(into: string, onProgress: OnProgress): Promise<void>;
}

export interface Tools {
  /** Instead of the file of the source. */
  readonly remote?: RemoteDatabase | undefined;
  readonly sealing: Sealing;
  readonly keys: BackupKeys;
  /** Version of the program. */
  readonly version: string;
  readonly clock: Pick<Clock, "now">;
  readonly onProgress: OnProgress;
}

export type OnProgress = (step: Step, done: number, total: number | undefined) => void;

/** The steps of a backup and of a restore, in their order. Counts are bytes; of `copying` and `checking`, rows. */
export const steps = ["copying", "checking", "writing", "verifying", "rehearsing"] as const;
export type Step = (typeof steps)[number];

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
  /** Of the sealed container. */
  readonly sha256: string;
  /** Of SQLite. */
  readonly snapshot?: SnapshotCost | undefined;
}

/** Writes a whole installation to one sealed file, which appears once it was read back and found right. */
export async function backUpToFile(path: string, source: Source, tools: Tools): Promise<Made> {
  if ((await readWhole(path)) !== undefined) {
    throw new Failure("usage", `${path} exists. Choose another name, or remove it first.`);
  }
  return withSnapshot(source, tools, async (snapshot) => {
    const { manifest, contained } = await snapshot.describe(true, () => false);
    await snapshot.remember(path);
    const write: Write = (content, verify) => writeWhole(path, content, verify);
    const { sha256, bytes } = await writeContainer(manifest, contained, tools, write);
    return snapshot.report(nextId(snapshot.at), manifest, sha256, bytes);
  });
}

/** Writes a whole installation to a directory or bucket, where blobs of earlier backups are not written again. */
export async function backUpToObjects(
  objects: Objects,
  source: Source,
  tools: Tools,
): Promise<Made> {
  const { keys, sealing, onProgress } = tools;
  const [newest] = await sweep(objects, keys);
  return withSnapshot(source, tools, async (snapshot) => {
    const id = nextId(snapshot.at, newest?.id);
    const stored = await storedBlobs(objects);
    const collect = createCollector(NAMES_PER_COLLECTION);
    const nameOf = (sha256: string): string => {
      collect(1);
      return keys.blobName(sealing.recipient, sha256);
    };
    const isStored: IsStored = (sha256, bytes) =>
      stored.get(blobObject(nameOf(sha256))) === sealing.sealedBytes(bytes);
    const { manifest, contained } = await snapshot.describe(false, isStored);
    const added = manifest.blobs.filter(({ sha256, bytes }) => !isStored(sha256, bytes));
    const total = sizeOf({ files: manifest.files, blobs: added });
    let written = 0;
    for (const blob of added) {
      const sealed = measuring(await sealing.seal(await contained.blob(blob.sha256)));
      await objects.put(blobObject(nameOf(blob.sha256)), sealed.stream, async (readBack) => {
        const expected = sealing.opens ? blob.sha256 : sealed.end().sha256;
        try {
          const plain = sealing.opens ? await sealing.open(await readBack()) : await readBack();
          if ((await measure(plain)).sha256 !== expected) throw notAsWritten();
        } catch (error) {
          throw damageOf(error);
        }
      });
      written += blob.bytes;
      onProgress("writing", written, total);
    }
    const write: Write = (content, verify) => objects.put(containerObject(id), content, verify);
    const sealed = await writeContainer(manifest, contained, tools, write);
    const { madeAt, petstore, blobs } = manifest;
    const names = blobs.map(({ sha256 }) => nameOf(sha256));
    // Last: a backup without its index does not exist.
    await writeIndex(objects, { id, madeAt, petstore, sealed }, names, keys);
    return snapshot.report(id, manifest, sealed.sha256, sealed.bytes + written);
  });
}

type Write = (
  content: ReadableStream<Uint8Array>,
  verify: (readBack: () => Promise<ReadableStream<Uint8Array>>) => Promise<void>,
) => Promise<void>;

/** Seals and writes a container, and reads it back: opened, if we have the key; its digest, if only another has. */
async function writeContainer(
  manifest: Manifest,
  contained: Contained,
  tools: Tools,
  write: Write,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const { sealing, keys, onProgress } = tools;
  const total = sizeOf({
    files: manifest.files,
    blobs: manifest.blobsInside ? manifest.blobs : [],
  });
  const counted = (step: Step, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
    counting(stream, (done) => onProgress(step, Math.min(done, total), total));
  const plain = counted("writing", pack(manifest, keys, contained));
  const sealed = measuring(await sealing.seal(plain));
  let written: { readonly sha256: string; readonly bytes: number } | undefined;
  await write(sealed.stream, async (readBack) => {
    written = sealed.end();
    const stored = measuring(counted("verifying", await readBack()));
    if (sealing.opens) await checkBackup({ sealed: stored.stream, sealing, keys });
    else await measure(stored.stream);
    if (stored.end().sha256 !== written.sha256) throw notAsWritten();
  });
  if (written === undefined) throw notAsWritten();
  return written;
}

/** Returns whether a blob is already stored, so that it need not be read. */
type IsStored = (sha256: string, bytes: number) => boolean;

interface Snapshot extends Pick<Workplace, "remember"> {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  describe(
    blobsInside: boolean,
    isStored: IsStored,
  ): Promise<{ readonly manifest: Manifest; readonly contained: Contained }>;
  report(id: string, manifest: Manifest, sha256: string, writtenBytes: number): Made;
}

/** A blob is read more than once, but never long after. */
const CACHE_BYTES = 64 * 1_048_576;

/** Copies the database beside itself for the duration of `use`. */
async function withSnapshot(
  source: Source,
  tools: Tools,
  use: (snapshot: Snapshot) => Promise<Made>,
): Promise<Made> {
  const { database } = source;
  const { clock, remote, onProgress } = tools;
  return withWorkplace(source.scratch, async (workplace) => {
    await expectRoom(
      database,
      remote === undefined ? (await stat(database)).size : await remote.bytes(),
    );
    const copy = join(workplace.path, basename(database));
    const at = clock.now();
    onProgress("copying", 0, undefined);
    const cost = remote === undefined ? takeSnapshot(database, copy) : undefined;
    await remote?.copy(copy, onProgress);
    const faults = faultsOf(copy);
    if (faults !== undefined) {
      throw new Failure(
        "failed",
        `${remote === undefined ? database : copy} is damaged: ${faults}.`,
      );
    }
    const contents = readContents(copy, (rows) => onProgress("checking", rows, undefined));
    const cache = { path: join(workplace.path, "blobs"), bytes: CACHE_BYTES };
    const blobs = openBlobs(source.blobs, cache, remote?.sql);
    return use({
      at,
      remember: (path) => workplace.remember(path),
      describe: async (blobsInside, isStored) => {
        const paths = await filesOf(copy, source.files);
        const files: Manifest["files"][number][] = [];
        for (const [name, path] of paths) {
          files.push({ name, ...(await measure(await opened(path))) });
        }
        const { present, missing } = await examineBlobs(blobs, contents.blobs, isStored);
        const manifest: Manifest = {
          format: FORMAT,
          petstore: tools.version,
          madeAt: isoTime(at),
          schemas: contents.schemas,
          files,
          tables: contents.tables,
          blobs: present,
          blobsInside,
          sealedTo: tools.sealing.recipient,
          missingBlobs: missing,
        };
        const contained: Contained = {
          file: (name) => opened(paths.get(name) ?? name),
          blob: (sha256) => openBlob(blobs, sha256),
        };
        return { manifest, contained };
      },
      report: (id, manifest, sha256, writtenBytes) => ({
        id,
        at,
        bytes: sizeOf(manifest),
        writtenBytes,
        rows: Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0),
        blobs: manifest.blobs.length,
        missingBlobs: manifest.missingBlobs,
        sealedTo: manifest.sealedTo,
        sha256,
        snapshot: cost,
      }),
    });
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
  const body = await blobs.open(sha256);
  const stream = body === undefined ? null : new Response(body).body;
  if (stream === null) throw new Failure("failed", `The blob ${sha256} was removed.`);
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
  isStored: IsStored,
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
