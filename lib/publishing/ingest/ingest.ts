import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { byteSource } from "../archive/byte-source.ts";
import { gunzip } from "../archive/gunzip.ts";
import { MAX_ENTRIES, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "../archive/limits.ts";
import { readTar, type TarEntry } from "../archive/read-tar.ts";
import { invalid, quoted, tooLarge, ArchiveRefused } from "../archive/refused.ts";
import type { Blobs } from "../blobs.ts";
import { isBio } from "../model/animal-files.ts";
import type { Manifest, ManifestFile, EncodedFile } from "../model/deploy.ts";
import type { NamedFile } from "../model/site-file-faults.ts";
import { isFingerprinted, mediaType } from "../model/file-kind.ts";
import { siteName } from "../model/site-path.ts";
import { SITE_FILE } from "../model/site-file.ts";
import { checkSiteFileSize, readSiteFile } from "./site-file.ts";
import { siteNames } from "./site-names.ts";

const MIB = 1_048_576;

/** Files are stored and compressed concurrently, within this memory. */
const WORKERS = 8;
const MAX_IN_MEMORY: number = 8 * MIB;
/** Larger files that are not compressed are streamed to their blob. */
const MAX_GATHERED: number = 256 * 1_024;

export interface IngestOptions {
  readonly blobs: Blobs;
  /** Default: files are stored and served uncompressed. */
  readonly compress?: Compress | undefined;
  /** Files that the site will have in addition to those of the archive. Its site file may name them. */
  readonly besides?: readonly NamedFile[];
  /** Called after every file with the number of files and bytes so far. */
  readonly onProgress?: (files: number, bytes: number) => void;
}

/** Implements `ingest`, but throws `ArchiveRefused`. */
async function readArchive(
  archive: ReadableStream<Uint8Array>,
  { onProgress, besides = [], ...keeping }: IngestOptions,
): Promise<Manifest> {
  let reached: string | undefined;
  const source = byteSource(gunzip(archive, () => reached));
  const files: ManifestFile[] = [];
  const workers = workPool(WORKERS, MAX_IN_MEMORY);
  let bytes = 0;

  const keep = async ({ path, content }: ArrivedFile): Promise<void> => {
    const file = await keepFile({ path, content }, keeping);
    files.push(file);
    bytes += file.size;
    onProgress?.(files.length, bytes);
  };

  const siteFile: { content?: Uint8Array } = {};
  try {
    const entries = admitted(readTar(source), (name) => {
      reached = name;
    });
    for await (const { path, entry } of entries) {
      const { size } = entry;
      if (path === SITE_FILE) checkSiteFileSize(size);
      if (path === SITE_FILE || size <= MAX_GATHERED || isWorthCompressing(path, size)) {
        const content = await whole(entry);
        if (path === SITE_FILE) siteFile.content = content;
        await workers.begin(size, () => keep({ path, content }));
      } else {
        await keep({ path, content: entry.content() });
      }
    }
  } catch (error) {
    // No write is in flight once the refusal is returned. Further failures are ignored.
    await workers.finish().catch(() => undefined);
    await source.cancel(error).catch(() => undefined);
    throw error;
  }
  await workers.finish();
  if (files.length === 0) throw invalid("The archive holds no files that a site can show.");
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, site: readSiteFile(siteFile.content, [...besides, ...files]) };
}

interface Admitted {
  /** Its path in the site. */
  readonly path: string;
  readonly entry: TarEntry;
}

/**
 * Yields the archive's files that belong to the site; refuses the first invalid entry. Calls `onEntry` with
 * the name of every entry, including those left out.
 */
async function* admitted(
  entries: AsyncIterable<TarEntry>,
  onEntry: (name: string) => void,
): AsyncGenerator<Admitted> {
  const names = siteNames();
  let count = 0;
  let total = 0;
  for await (const entry of entries) {
    const { name, kind, size } = entry;
    onEntry(name);
    if (++count > MAX_ENTRIES) {
      throw tooLarge(`${quoted(name)} is one entry too many: there may be ${MAX_ENTRIES}.`);
    }
    const verdict = siteName(name);
    if (verdict.kind === "refused") throw invalid(`${quoted(name)} ${verdict.reason}.`);
    total += size;
    if (size > MAX_FILE_BYTES) {
      throw tooLarge(`${quoted(name)} is larger than ${MAX_FILE_BYTES / MIB} MiB.`);
    }
    if (total > MAX_TOTAL_BYTES) {
      throw tooLarge(`With ${quoted(name)} the site is larger than ${MAX_TOTAL_BYTES / MIB} MiB.`);
    }
    if (verdict.kind === "left out") continue;
    const { path } = verdict;
    if (kind === "directory") names.addDirectory(path);
    else if (kind === "file") {
      names.addFile(path);
      yield { path, entry };
    } else {
      throw invalid(`${quoted(name)} is a ${kind}; a site consists of files and directories.`);
    }
  }
}

async function whole(entry: TarEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.size);
  const reader = entry.content().getReader();
  let filled = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes.set(next.value, filled);
    filled += next.value.length;
  }
  return bytes;
}

/**
 * Reads a tar.gz while it arrives and stores every file as a blob, without extracting any, in bounded memory. Refusals
 * (`invalid_archive`, `invalid_site_file`, `payload_too_large`) name the invalid entry. Rejects when the stream fails or
 * the blobs cannot be written. A refused archive may leave blobs behind that no manifest names.
 */
export type Ingest = (
  archive: ReadableStream<Uint8Array>,
  options: IngestOptions,
) => Promise<Result<Manifest, Problem>>;

export const ingest: Ingest = async (archive, options) => {
  try {
    return done(await readArchive(archive, options));
  } catch (error) {
    if (error instanceof ArchiveRefused) return refused(error.problem);
    throw error;
  }
};

/** Runs tasks concurrently within limits. */
interface WorkPool {
  /** Resolves when the task has begun. Rejects with the failure of an earlier task. */
  begin(weight: number, work: () => Promise<void>): Promise<void>;
  /** Waits for all tasks, then rejects with the first failure, if any. */
  finish(): Promise<void>;
}

/** Runs at most `workers` tasks of at most `maxWeight` together. A heavier task runs alone. */
function workPool(workers: number, maxWeight: number): WorkPool {
  const busy = new Set<Promise<void>>();
  let weighing = 0;
  let failure: { readonly reason: unknown } | undefined;

  const isFull = (weight: number): boolean =>
    busy.size > 0 && (busy.size >= workers || weighing + weight > maxWeight);

  return {
    begin: async (weight, work) => {
      while (isFull(weight)) await Promise.race(busy);
      if (failure !== undefined) throw failure.reason;
      weighing += weight;
      const one = work()
        .catch((reason: unknown) => {
          failure ??= { reason };
        })
        .finally(() => {
          weighing -= weight;
          busy.delete(one);
        });
      busy.add(one);
    },
    finish: async () => {
      await Promise.all(busy);
      if (failure !== undefined) throw failure.reason;
    },
  };
}

/** Smaller files fit into one packet with their headers. */
const MIN_TO_COMPRESS = 256;
const MAX_TO_COMPRESS: number = 4 * MIB;
/** A smaller saving is not worth a second blob. */
const MIN_SAVING = 0.05;

/** A file and its path in the site. */
interface ArrivedFile {
  readonly path: string;
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
}

interface Keeping {
  readonly blobs: Blobs;
  readonly compress?: Compress | undefined;
}

/** Returns whether to try compressed copies of the file, which requires it in memory. */
function isWorthCompressing(path: string, size: number): boolean {
  return size >= MIN_TO_COMPRESS && size <= MAX_TO_COMPRESS && mediaType(path).compresses;
}

/** Stores a file, and compressed copies that save enough. */
async function keepFile(
  { path, content }: ArrivedFile,
  { blobs, compress }: Keeping,
): Promise<ManifestFile> {
  const { sha256, size } = await blobs.put(content);
  const encodings: EncodedFile[] = [];
  if (compress !== undefined && content instanceof Uint8Array && isWorthCompressing(path, size)) {
    for (const encoding of ["br", "gzip"] as const) {
      const smaller = await compress(encoding, content);
      if (smaller.length > size * (1 - MIN_SAVING)) continue;
      const stored = await blobs.put(smaller);
      encodings.push({ encoding, sha256: stored.sha256, size: stored.size });
    }
  }
  const { type } = mediaType(path);
  return {
    path,
    sha256,
    size,
    type,
    immutable: isFingerprinted(path),
    encodings,
    ...(isBio(path) && content instanceof Uint8Array && !isUtf8(content) ? { notUtf8: true } : {}),
  };
}

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/** Compresses a file of at most a few MiB. The runtime's adapter provides it. */
export type Compress = (encoding: "br" | "gzip", content: Uint8Array) => Promise<Uint8Array>;
