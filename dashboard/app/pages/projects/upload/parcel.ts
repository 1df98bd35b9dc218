import { MAX_ENTRIES } from "../../../../../lib/publishing/archive/limits.ts";
import { type FileToPack, tarGz } from "../../../../../lib/publishing/archive/write-tar.ts";
import { readZip } from "./read-zip.ts";
import {
  bytesOf,
  type Found,
  type FoundFile,
  isSiteFile,
  type SiteFiles,
  siteFiles,
  tooMany,
} from "./site-files.ts";

/** The upload that the user has chosen: files to pack, or an archive. `name` is its display name. */
export type Parcel =
  | { readonly kind: "files"; readonly name: string; readonly site: SiteFiles }
  | { readonly kind: "archive"; readonly name: string; readonly archive: File };

const ARCHIVE = /\.(?:tar\.gz|tgz|zip)$/i;

/** Returns true for the name of an archive. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name);
}

/** Returns the archive if a single one was dropped. */
export async function archiveIn(entries: readonly FileSystemEntry[]): Promise<File | undefined> {
  const [only] = entries;
  return entries.length === 1 && only !== undefined && isArchive(only.name)
    ? fileOf(only)
    : undefined;
}

/** Sends a tar.gz unchanged and repacks a zip, which the service does not accept. */
export async function parcelOfArchive(archive: File): Promise<Parcel> {
  const { name } = archive;
  if (!/\.zip$/i.test(name)) return { kind: "archive", name, archive };
  return { kind: "files", name, site: siteFiles(await readZip(archive)) };
}

export function parcelOfFiles(found: Found): Parcel {
  const [name = ""] = (found.files[0]?.path ?? "").split("/", 1);
  return { kind: "files", name, site: siteFiles(found) };
}

/** Packs a parcel and reports the bytes packed so far. */
export async function archiveFor(
  parcel: Parcel,
  stopped: AbortSignal,
  onPacked: (done: number, total: number) => void,
): Promise<Blob> {
  if (parcel.kind === "archive") return parcel.archive;
  const { files, bytes } = parcel.site;
  onPacked(0, bytes);
  return pack(files, (done) => onPacked(done, bytes), stopped);
}

/** Packs files into a tar.gz and reports the bytes packed so far. Rejects with the signal's reason. */
async function pack(
  files: readonly FoundFile[],
  onPacked: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  // Browsers keep large blobs on disk.
  return new Response(body(tarGz(each(files, onPacked, signal)))).blob();
}

async function* each(
  files: readonly FoundFile[],
  onPacked: (bytes: number) => void,
  signal: AbortSignal,
): AsyncGenerator<FileToPack> {
  let packed = 0;
  for (const { path, size, open } of files) {
    signal.throwIfAborted();
    yield { path, size, content: open() };
    packed += size;
    onPacked(packed);
  }
}

/** The DOM types require an ArrayBuffer; compression produces no other buffers. */
function body(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return stream as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Collects the files of dropped entries, including those in directories. Skips entries that do not belong on a site.
 * Throws `SiteRefused` above the maximum number of files.
 */
export async function collectFiles(
  entries: readonly FileSystemEntry[],
  onFound: (count: number) => void,
): Promise<Found> {
  const files: FoundFile[] = [];
  const leftOut: string[] = [];
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const path = entry.fullPath.replace(/^\//, "");
    if (!isSiteFile(path)) leftOut.push(path);
    else if (isDirectory(entry)) waiting.push(...(await entriesOf(entry)));
    else {
      const file = await fileOf(entry);
      if (file === undefined) continue;
      files.push({ path, size: file.size, open: () => bytesOf(file) });
      if (files.length > MAX_ENTRIES) throw tooMany();
      onFound(files.length);
    }
  }
  return { files, leftOut };
}

/** Reads the files chosen in the browser's dialog. */
export function chosen(files: readonly File[]): Found {
  return {
    files: files.map((file) => ({
      path: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath,
      size: file.size,
      open: () => bytesOf(file),
    })),
    leftOut: [],
  };
}

/** Returns the file of an entry; undefined for a directory. */
async function fileOf(entry: FileSystemEntry): Promise<File | undefined> {
  if (!isFile(entry)) return undefined;
  return new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

/** Reads a directory; browsers return a hundred entries at a time. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
    // Skipped entries count too, or a huge directory would never end.
    if (all.length > 4 * MAX_ENTRIES) throw tooMany();
  }
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
