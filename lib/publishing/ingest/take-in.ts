import { byteSource } from "../archive/byte-source.ts";
import { gunzip } from "../archive/gunzip.ts";
import { MAX_ENTRIES, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from "../archive/limits.ts";
import { readTar, type TarEntry } from "../archive/read-tar.ts";
import { invalid, quoted, tooLarge } from "../archive/refused.ts";
import type { Blobs } from "../blobs.ts";
import type { Compress } from "../compress.ts";
import type { Manifest, ManifestFile } from "../model/deploy.ts";
import { siteName } from "../model/site-path.ts";
import { crew } from "./crew.ts";
import { isWorthCompressing, keepFile, type ArrivedFile } from "./keep-file.ts";
import { siteNames } from "./names.ts";
import { checkSiteFileSize, readSiteFile, SITE_FILE } from "./read-site-file.ts";

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
export async function takeIn(
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
