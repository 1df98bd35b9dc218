import { mkdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";

import { directoryBlobs } from "../adapters/files/blobs.ts";
import { StoreUnavailable } from "../lib/sql/sql.ts";
import type { Blobs } from "../lib/publishing/blobs.ts";
import { Failure } from "../settings/failure.ts";
import { damageOf, receive, unpack, type Receiver } from "./container.ts";
import { failureAt, writeWhole } from "./directory.ts";
import type { BackupKeys } from "./keys.ts";
import { differenceOf, type Manifest } from "./model/manifest.ts";
import { BackupDamaged, WrongKey, type Sealing } from "./ports.ts";
import { faultsOf, readContents } from "./snapshot.ts";
import { measure } from "./streams.ts";

/** A sealed backup, and the keys to open it. */
export interface SealedBackup {
  readonly sealed: ReadableStream<Uint8Array>;
  readonly sealing: Sealing;
  readonly keys: BackupKeys;
  /** Opens a sealed blob by its name, if the blobs are beside the container; undefined if it does not exist. */
  readonly blob?: (name: string) => Promise<ReadableStream<Uint8Array> | undefined>;
}

/** Reads a whole backup and compares it with its manifest. Blobs beside the container are read if `blob` is given. */
export async function checkBackup(
  backup: SealedBackup,
  begin: Receiver["begin"] = async () => {},
): Promise<Manifest> {
  return readBackup(backup, {
    begin,
    file: async (_name, content) => void (await measure(content)),
    blob: async (_sha256, content) => void (await measure(content)),
  });
}

/** The files of a backup that was extracted. */
export interface Extracted {
  readonly manifest: Manifest;
  /** The further files by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly database: string;
  /** Directory of the blobs; exists only if there are any. */
  readonly blobs: string;
}

/**
 * Extracts a backup into the directory `into`, which must not exist. Reads all of it, and checks the database from end to
 * end: every page, every count and every checksum.
 */
export async function extractBackup(
  backup: SealedBackup,
  into: string,
  begin: Receiver["begin"],
  /** Where the blobs go: beside the database, elsewhere, or nowhere, to be read and compared only. */
  keeping: "beside" | "nowhere" | Blobs = "beside",
): Promise<Extracted> {
  const blobDirectory = join(into, "blobs");
  const blobs = keeping === "beside" ? directoryBlobs({ path: blobDirectory }) : keeping;
  const manifest = await readBackup(backup, {
    begin: async (found) => {
      await begin(found);
      await expectRoom(into, keeping === "beside" ? found : { ...found, blobs: [] });
      await mkdir(into, { mode: 0o700 });
    },
    file: (name, content) => writeWhole(join(into, name), content),
    blob: async (_sha256, content) => {
      if (blobs === "nowhere") await measure(content);
      else
        await blobs.put(content).catch(keeping === "beside" ? withPath(blobDirectory) : tryLater);
    },
  });
  const [database = "", ...files] = manifest.files.map(({ name }) => join(into, name));
  const difference = differenceFrom(manifest, database);
  if (difference !== undefined) throw new BackupDamaged(difference);
  return {
    manifest,
    database,
    files: new Map(files.map((path) => [path.slice(into.length + 1), path])),
    blobs: blobDirectory,
  };
}

/** Compares a database with a manifest; returns the first difference, or undefined if they are equal. */
function differenceFrom(manifest: Manifest, database: string): string | undefined {
  try {
    return differenceOrThrow(manifest, database);
  } catch (error) {
    // It is no database, or one without our tables.
    throw damageOf(error);
  }
}

function differenceOrThrow(manifest: Manifest, database: string): string | undefined {
  const faults = faultsOf(database);
  if (faults !== undefined) return faults;
  const { tables, blobs } = readContents(database);
  const expected = new Set([
    ...manifest.blobs.map(({ sha256 }) => sha256),
    ...manifest.missingBlobs,
  ]);
  if (blobs.length !== expected.size || blobs.some((sha256) => !expected.has(sha256))) {
    return "it has other blobs than its database references";
  }
  return differenceOf(manifest.tables, tables);
}

async function readBackup(
  { sealed, sealing, keys, blob: find }: SealedBackup,
  receiver: Receiver,
): Promise<Manifest> {
  const open = async (stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> => {
    try {
      return await sealing.open(stream);
    } catch (error) {
      throw error instanceof WrongKey ? error : damageOf(error);
    }
  };
  const manifest = await unpack(await open(sealed), keys, receiver);
  if (manifest.blobsInside || find === undefined) return manifest;
  for (const expected of manifest.blobs) {
    const name = keys.blobName(manifest.sealedTo, expected.sha256);
    const stream = await find(name);
    if (stream === undefined) throw new BackupDamaged(`it lacks the blob ${name}`);
    try {
      const pass: Parameters<typeof receive>[2] = (content) =>
        receiver.blob(expected.sha256, content);
      await receive(await open(stream), expected, pass);
    } catch (error) {
      const damage = damageOf(error);
      if (!(damage instanceof BackupDamaged)) throw damage;
      // The next backup writes it again once it is removed.
      throw new BackupDamaged(`the blob ${name} cannot be used (${damage.message}); remove it`, {
        cause: error,
      });
    }
  }
  return manifest;
}

/** Returns a function that throws a failed write to `path` as a `Failure`, and other errors unchanged. */
function tryLater(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error;
  throw new Failure("tryLater", error.message, { cause: error });
}

function withPath(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof StoreUnavailable ? failureAt(path, error.cause) : error;
  };
}

/** The blobs are in so many directories at most, each of which takes a block. */
const SHELVES = 256;

async function expectRoom(
  into: string,
  { files, blobs }: Pick<Manifest, "files" | "blobs">,
): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(into));
  const blocks = [...files, ...blobs].reduce((sum, { bytes }) => sum + Math.ceil(bytes / bsize), 0);
  const needed = blocks + Math.min(blobs.length, SHELVES);
  if (bavail >= needed) return;
  throw new Failure(
    "failed",
    `${dirname(into)} has no room for this backup: it needs ${Math.ceil((needed * bsize) / 1_048_576)} MiB.`,
  );
}
