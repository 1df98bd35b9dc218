import { byteSource } from "../archive/byte-source.ts";
import { gunzip } from "../archive/gunzip.ts";
import { MAX_ENTRIES, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "../archive/limits.ts";
import { readTar, type TarEntry } from "../archive/read-tar.ts";
import { invalid, quoted, tooLarge, ArchiveRefused } from "../archive/refused.ts";
import type { Blobs } from "../blobs.ts";
import type { Manifest, ManifestFile, EncodedFile } from "../model/deploy.ts";
import { siteName } from "../model/site-path.ts";
import { siteNames } from "./site-names.ts";
import { checkSiteFileSize, readSiteFile, SITE_FILE } from "./site-file.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { isFingerprinted, mediaType } from "../model/file-kind.ts";

const MIB = 1_048_576;

/** Files are written and compressed side by side, as long as they fit in so much memory. */
const HANDS = 8;
const MAX_IN_MEMORY: number = 8 * MIB;
/** What is larger and not compressed goes to its blob as it comes. */
const MAX_GATHERED: number = 256 * 1_024;

export interface IngestOptions {
  readonly blobs: Blobs;
  /** Absent: files are kept and served as they came. */
  readonly compress?: Compress;
  /** Told after every file how many there are so far, and of how many bytes. */
  readonly onProgress?: (files: number, bytes: number) => void;
}

/** `ingest`, but that it throws `ArchiveRefused`. */
async function takeIn(
  archive: ReadableStream<Uint8Array>,
  { onProgress, ...keeping }: IngestOptions,
): Promise<Manifest> {
  let reached: string | undefined;
  const source = byteSource(gunzip(archive, () => reached));
  const files: ManifestFile[] = [];
  const workers = crew(HANDS, MAX_IN_MEMORY);
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
    // Nothing is still being written once the refusal is told; what else went wrong there is of no interest then.
    await workers.finish().catch(() => undefined);
    await source.cancel(error).catch(() => undefined);
    throw error;
  }
  await workers.finish();
  if (files.length === 0) throw invalid("The archive holds no files that a site can show.");
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, site: readSiteFile(siteFile.content, files) };
}

interface Admitted {
  /** Where it is in the site. */
  readonly path: string;
  readonly entry: TarEntry;
}

/**
 * The files of the archive that become part of the site; refuses at the first entry that may not be there. `onEntry` is
 * told of every one, those that are left out too.
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
 * Takes in a tar.gz while it arrives: every file becomes a blob, none is ever extracted. Refused by the name of the
 * entry at fault (`invalid_archive`, `invalid_site_file`, `payload_too_large`), in memory that does not grow with it.
 * Rejects when the stream breaks off or the blobs cannot be written. Of what is refused blobs may stay, which no
 * manifest names.
 */
export type Ingest = (
  archive: ReadableStream<Uint8Array>,
  options: IngestOptions,
) => Promise<Result<Manifest, Problem>>;

export const ingest: Ingest = async (archive, options) => {
  try {
    return done(await takeIn(archive, options));
  } catch (error) {
    if (error instanceof ArchiveRefused) return refused(error.problem);
    throw error;
  }
};

/** Work that is done side by side, but not too much of it at a time. */
export interface Crew {
  /** Resolves when the work has begun, not when it is done. Rejects with what went wrong in work begun before. */
  begin(weight: number, work: () => Promise<void>): Promise<void>;
  /** Resolves when all is done; rejects with what went wrong first, and not before the rest is done too. */
  finish(): Promise<void>;
}

/** At most `hands` at a time, of at most `maxWeight` together; what is heavier waits until it is alone. */
function crew(hands: number, maxWeight: number): Crew {
  const busy = new Set<Promise<void>>();
  let weighing = 0;
  let failure: { readonly reason: unknown } | undefined;

  const isFull = (weight: number): boolean =>
    busy.size > 0 && (busy.size >= hands || weighing + weight > maxWeight);

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

/** Smaller ones fit into the packet that their headers travel in. */
const MIN_TO_COMPRESS = 256;
const MAX_TO_COMPRESS: number = 4 * MIB;
/** Less is not worth a second blob. */
const MIN_SAVING = 0.05;

/** A file that has its path. */
interface ArrivedFile {
  readonly path: string;
  readonly content: Uint8Array | ReadableStream<Uint8Array>;
}

interface Keeping {
  readonly blobs: Blobs;
  readonly compress?: Compress;
}

/** Whether the file is to be kept compressed besides, so that it is wanted in memory. */
function isWorthCompressing(path: string, size: number): boolean {
  return size >= MIN_TO_COMPRESS && size <= MAX_TO_COMPRESS && mediaType(path).compresses;
}

/** Makes blobs of a file: of itself, and of what it is compressed, where that saves enough. */
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
  return { path, sha256, size, type, immutable: isFingerprinted(path), encodings };
}

/** Compresses a whole file: a runtime's own part, handed in. Never called with more than a few MiB. */
export type Compress = (encoding: "br" | "gzip", content: Uint8Array) => Promise<Uint8Array>;
