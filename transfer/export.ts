import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeDirectories, readWhole, writeWhole } from "../backup/directory.ts";
import type { OnProgress } from "../backup/progress.ts";
import { createCollector, measuring, type Measured } from "../backup/streams.ts";
import { isoTime } from "../lib/base/clock.ts";
import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import { BlobDamaged, type Blobs } from "../lib/publishing/blobs.ts";
import { Failure } from "../settings/failure.ts";
import { BlobNames, copyBlobs, type KeepBlob } from "./blobs.ts";
import { rowCount } from "./copy.ts";
import { BYTES_PER_COLLECTION, MAX_LINE_BYTES } from "./lines.ts";
import {
  BLOB_LIST,
  blobFile,
  furtherFile,
  MANIFEST,
  tableFile,
  FORMAT,
  type BlobLine,
  type Manifest,
  type TableEntry,
} from "./model/manifest.ts";
import { lineOf, type Snapshot } from "./snapshot.ts";
import type { Table } from "./tables.ts";

/** What to export. */
export interface ExportSource {
  readonly snapshot: Snapshot;
  readonly tables: readonly Table[];
  readonly blobs: Pick<Blobs, "open">;
  /** Further files by name, each included if it exists. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a manifest says that its files do not. */
export type About = Pick<Manifest, "petstore" | "serving" | "keyFingerprint" | "schemas"> & {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
};

/**
 * Writes everything of an installation into an empty directory, which is created for its owner only. The manifest is
 * written last: without it the directory is not an export. A failure removes what was written. Closes the snapshot
 * when its rows are written; after a failure, that is left to the caller.
 */
export async function writeExport(
  directory: string,
  { snapshot, tables, blobs, files }: ExportSource,
  { at, petstore, serving, keyFingerprint, schemas }: About,
  onProgress: OnProgress,
): Promise<{ readonly manifest: Manifest; readonly missing: readonly string[] }> {
  await prepare(directory);
  try {
    const entries: TableEntry[] = [];
    let rows = 0;
    const total = await rowCount(snapshot, tables);
    const count = (): void => onProgress("copying rows", ++rows, total);
    await makeDirectories(join(directory, "tables"));
    for (const table of tables) {
      const before = rows;
      const path = join(directory, tableFile(table.noun));
      const written = await writeLines(path, snapshot.rows(table), count);
      const lastNumber = table.numbered === undefined ? null : await snapshot.lastNumber(table);
      entries.push({ name: table.noun, rows: rows - before, ...written, lastNumber });
    }
    const names = await BlobNames.of(snapshot.blobs());
    // Before the blobs, which take longer: writers need the log that the snapshot keeps.
    await snapshot.close();
    const written = await writeBlobs(directory, names, blobs, onProgress);
    const manifest: Manifest = {
      format: FORMAT,
      petstore,
      exportedAt: isoTime(at),
      serving,
      keyFingerprint,
      schemas,
      tables: entries,
      files: await copyFiles(directory, files),
      blobs: written.blobs,
    };
    await writeWhole(
      join(directory, MANIFEST),
      new Blob([`${JSON.stringify(manifest, null, 2)}\n`]).stream(),
    );
    return { manifest, missing: written.missing };
  } catch (error) {
    for (const name of await namesIn(directory)) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
    throw error;
  }
}

/** Creates the directory, or checks that it is empty. */
async function prepare(directory: string): Promise<void> {
  await makeDirectories(directory);
  const found = await namesIn(directory);
  if (found.length === 0) return;
  const what =
    found.includes("tables") && !found.includes(MANIFEST)
      ? "contains an export that was interrupted. Remove it, or export"
      : "is not empty. Export";
  throw new Failure("usage", `${directory} ${what} into a new directory.`);
}

/** Without the directory that some file systems have at their top. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name !== "lost+found");
}

const PART_CHARACTERS = 262_144;

/** Writes values as lines of JSON, and measures the file. */
async function writeLines(
  path: string,
  values: Iterable<object> | AsyncIterable<object>,
  onLine: () => void = () => {},
): Promise<Measured> {
  const parts = textParts(path, values, onLine);
  const { stream, end } = measuring(
    lazyStream(async () => {
      const { value } = await parts.next();
      return value === undefined ? undefined : Buffer.from(value);
    }),
  );
  await writeWhole(path, stream);
  return end();
}

async function* textParts(
  path: string,
  values: Iterable<object> | AsyncIterable<object>,
  onLine: () => void,
): AsyncGenerator<string, void, undefined> {
  const collect = createCollector(BYTES_PER_COLLECTION);
  let part = "";
  for await (const value of values) {
    const line = lineOf(value);
    if (line.length * 4 > MAX_LINE_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES) {
      throw new Failure("failed", `A line of ${path} would be longer than 32 MiB.`);
    }
    part += line;
    onLine();
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    collect(part.length);
    part = "";
  }
  if (part !== "") yield part;
}

/** Copies the blobs and writes their list. */
async function writeBlobs(
  directory: string,
  names: BlobNames,
  blobs: ExportSource["blobs"],
  onProgress: OnProgress,
): Promise<{ readonly blobs: Manifest["blobs"]; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  let totalBytes = 0;
  const lines = async function* (): AsyncGenerator<BlobLine, void, undefined> {
    for await (const line of copyBlobs(names, blobs, writing(directory), onProgress)) {
      if (line.bytes === null) missing.push(line.sha256);
      totalBytes += line.bytes ?? 0;
      yield line;
    }
  };
  const list = await writeLines(join(directory, BLOB_LIST), lines());
  const count = names.count - missing.length;
  return { blobs: { ...list, count, totalBytes, missing: missing.length }, missing };
}

/** Returns a function that writes blobs as files. */
function writing(directory: string): KeepBlob {
  return async (sha256, content) => {
    const path = join(directory, blobFile(sha256));
    await makeDirectories(dirname(path));
    const { stream, end } = measuring(content);
    await writeWhole(path, stream, async () => {
      if (end().sha256 !== sha256) throw new BlobDamaged();
    });
    return end().bytes;
  };
}

async function copyFiles(
  directory: string,
  files: ReadonlyMap<string, string>,
): Promise<Manifest["files"]> {
  const copied: Manifest["files"][number][] = [];
  for (const [name, from] of files) {
    const content = await readWhole(from);
    if (content === undefined) continue;
    await makeDirectories(join(directory, "files"));
    const { stream, end } = measuring(content);
    await writeWhole(join(directory, furtherFile(name)), stream);
    copied.push({ name, ...end() });
  }
  return copied;
}
