import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeDirectories, readWhole, writeWhole } from "../backup/directory.ts";
import { createCollector, measuring, type Measured } from "../backup/streams.ts";
import { isoTime } from "../lib/base/clock.ts";
import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import type { Blobs } from "../lib/publishing/blobs.ts";
import type { SqlRow } from "../lib/sql/sql.ts";
import { Failure } from "../settings/failure.ts";
import { BYTES_PER_COLLECTION, MAX_LINE_BYTES } from "./lines.ts";
import { FORMAT, type BlobLine, type Manifest, type TableEntry } from "./model/manifest.ts";
import type { Table } from "./tables.ts";

/** One consistent state of a database. */
export interface Snapshot {
  /** Reads the rows of a table in the order of its key, under the names of the members. */
  rows(table: Table): Iterable<SqlRow> | AsyncIterable<SqlRow>;
  /** Returns the number of rows of a table. */
  count(table: Table): number | Promise<number>;
  /** Returns the last number that the database has assigned in a table, the same each time; 0 if none. */
  lastNumber(table: Table): number | Promise<number>;
  /** Returns the version of each component's tables, and the marks that stand beside them. */
  versions(): Versions | Promise<Versions>;
  /** Lists the names of the referenced blobs, in order. */
  blobs(): Iterable<string> | AsyncIterable<string>;
  close(): void | Promise<void>;
}

export type Versions = ReadonlyMap<string, number>;

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

/** What is counted while an export is written, checked or imported. Files are those of sites. */
export type Counted = "rows" | "files";
export type OnTransfer = (
  what: `${"exporting" | "checking" | "importing" | "copying" | "comparing"} ${Counted}`,
  done: number,
) => void;

export const MANIFEST = "manifest.json";
export const BLOB_LIST = "blobs.ndjson";

export function tableFile(noun: string): string {
  return `tables/${noun}.ndjson`;
}

export function furtherFile(name: string): string {
  return `files/${name}`;
}

/** Returns where the content of a blob is. The whole name is the file's, so that common tools can compare it. */
export function blobFile(sha256: string): string {
  return `blobs/${sha256.slice(0, 2)}/${sha256}`;
}

/**
 * Writes everything of an installation into an empty directory, which is created for its owner only. The manifest is
 * written last: without it the directory is not an export. A failure removes what was written. Closes the snapshot.
 */
export async function writeExport(
  directory: string,
  { snapshot, tables, blobs, files }: ExportSource,
  { at, petstore, serving, keyFingerprint, schemas }: About,
  onProgress: OnTransfer,
): Promise<{ readonly manifest: Manifest; readonly missing: readonly string[] }> {
  try {
    await prepare(directory);
    try {
      const entries: TableEntry[] = [];
      let rows = 0;
      const count = (): void => onProgress("exporting rows", ++rows);
      await makeDirectories(join(directory, "tables"));
      for (const table of tables) {
        const before = rows;
        const path = join(directory, tableFile(table.noun));
        const written = await writeLines(path, snapshot.rows(table), count);
        const lastNumber = table.numbered === undefined ? null : await snapshot.lastNumber(table);
        entries.push({ name: table.noun, rows: rows - before, ...written, lastNumber });
      }
      const names = await packed(snapshot.blobs());
      // Before the blobs, which take longer: writers need the log that the snapshot keeps.
      await snapshot.close();
      const copied = await copyBlobs(directory, names, blobs, onProgress);
      const manifest: Manifest = {
        format: FORMAT,
        petstore,
        exportedAt: isoTime(at),
        serving,
        keyFingerprint,
        schemas,
        tables: entries,
        files: await copyFiles(directory, files),
        blobs: copied.blobs,
      };
      await writeWhole(
        join(directory, MANIFEST),
        new Blob([`${JSON.stringify(manifest, null, 2)}\n`]).stream(),
      );
      return { manifest, missing: copied.missing };
    } catch (error) {
      for (const name of await namesIn(directory)) {
        await rm(join(directory, name), { recursive: true, force: true });
      }
      throw error;
    }
  } finally {
    await snapshot.close();
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
    const line = JSON.stringify(value);
    if (line.length * 4 > MAX_LINE_BYTES && Buffer.byteLength(line) >= MAX_LINE_BYTES) {
      throw new Failure("failed", `A line of ${path} would be longer than 32 MiB.`);
    }
    part += `${line}\n`;
    onLine();
    if (part.length < PART_CHARACTERS) continue;
    yield part;
    collect(part.length);
    part = "";
  }
  if (part !== "") yield part;
}

export const DIGEST_BYTES = 32;

/** Keeps names of blobs in a sixth of the memory that texts take. */
export async function packed(names: Iterable<string> | AsyncIterable<string>): Promise<Uint8Array> {
  let kept = new Uint8Array(1_024 * DIGEST_BYTES);
  let length = 0;
  for await (const name of names) {
    if (length === kept.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(kept);
      kept = larger;
    }
    kept.set(Buffer.from(name, "hex"), length);
    length += DIGEST_BYTES;
  }
  return kept.subarray(0, length);
}

/** Copies the blobs and writes their list. A missing or damaged one is listed without its size. */
async function copyBlobs(
  directory: string,
  names: Uint8Array,
  blobs: ExportSource["blobs"],
  onProgress: OnTransfer,
): Promise<{ readonly blobs: Manifest["blobs"]; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  const collect = createCollector(BYTES_PER_COLLECTION);
  let [count, totalBytes] = [0, 0];
  const copied = async function* (): AsyncGenerator<BlobLine, void, undefined> {
    for (let at = 0; at < names.length; at += DIGEST_BYTES) {
      const sha256 = names.subarray(at, at + DIGEST_BYTES).toHex();
      const bytes = await copyBlob(directory, sha256, blobs);
      if (bytes === undefined) missing.push(sha256);
      else {
        count++;
        totalBytes += bytes;
        collect(bytes);
      }
      onProgress("exporting files", count);
      yield { sha256, bytes: bytes ?? null };
    }
  };
  const list = await writeLines(join(directory, BLOB_LIST), copied());
  return { blobs: { ...list, count, totalBytes, missing: missing.length }, missing };
}

class BlobDamaged extends Error {}

/** Copies a blob; returns its size, or undefined if it is missing or damaged. */
async function copyBlob(
  directory: string,
  sha256: string,
  blobs: ExportSource["blobs"],
): Promise<number | undefined> {
  const body = await blobs.open(sha256);
  const content = body === undefined ? null : new Response(body).body;
  if (content === null) return undefined;
  const path = join(directory, blobFile(sha256));
  await makeDirectories(dirname(path));
  const { stream, end } = measuring(content);
  try {
    await writeWhole(path, stream, async () => {
      if (end().sha256 !== sha256) throw new BlobDamaged();
    });
  } catch (error) {
    if (error instanceof BlobDamaged) return undefined;
    throw error;
  }
  return end().bytes;
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
