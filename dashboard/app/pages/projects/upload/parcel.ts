import { MAX_ENTRIES } from "../../../../../lib/publishing/archive/limits.ts";
import { type FileToPack, tarGz } from "../../../../../lib/publishing/archive/write-tar.ts";
import { readZip } from "./read-zip.ts";
import {
  bytesOf,
  type Found,
  type FoundFile,
  isTaken,
  type SiteFiles,
  siteFiles,
  tooMany,
} from "./site-files.ts";

/** What is about to be sent: files to be packed, or an archive as it is. `name` is for people. */
export type Parcel =
  | { readonly kind: "files"; readonly name: string; readonly site: SiteFiles }
  | { readonly kind: "archive"; readonly name: string; readonly archive: File };

const ARCHIVE = /\.(?:tar\.gz|tgz|zip)$/i;

/** Its name says that it is an archive. */
export function isArchive(name: string): boolean {
  return ARCHIVE.test(name);
}

/** The archive, where what was dropped is a single one. */
export async function archiveIn(entries: readonly FileSystemEntry[]): Promise<File | undefined> {
  const [only] = entries;
  return entries.length === 1 && only !== undefined && isArchive(only.name)
    ? fileOf(only)
    : undefined;
}

/** A tar.gz goes as it is; a zip the service does not take, so that it is packed anew. */
export async function parcelOfArchive(archive: File): Promise<Parcel> {
  const { name } = archive;
  if (!/\.zip$/i.test(name)) return { kind: "archive", name, archive };
  return { kind: "files", name, site: siteFiles(await readZip(archive)) };
}

export function parcelOfFiles(found: Found): Parcel {
  const [name = ""] = (found.files[0]?.path ?? "").split("/", 1);
  return { kind: "files", name, site: siteFiles(found) };
}

/** What is sent for it. Tells how much of the files is packed. */
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

/** The files as one archive, as the service takes it. Tells how many bytes of the files went in; rejects with the signal's reason when it is aborted. */
async function pack(
  files: readonly FoundFile[],
  onPacked: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  // Browsers keep what is large on the disk.
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

/** The DOM types want an ArrayBuffer behind the bytes of a body; compression makes no others. */
function body(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return stream as ReadableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Looks through what was dropped, folders and all that is in them; what no site has is not looked into. Throws
 * `SiteRefused` once there is more than a site may have.
 */
export async function lookThrough(
  entries: readonly FileSystemEntry[],
  onFound: (count: number) => void,
): Promise<Found> {
  const files: FoundFile[] = [];
  const leftOut: string[] = [];
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const path = entry.fullPath.replace(/^\//, "");
    if (!isTaken(path)) leftOut.push(path);
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

/** What was chosen with a dialog of the browser, which has looked through it. */
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

/** The file that an entry stands for; undefined where it is a directory. */
async function fileOf(entry: FileSystemEntry): Promise<File | undefined> {
  if (!isFile(entry)) return undefined;
  return new Promise<File>((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

/** Browsers tell a hundred at a time, until there are no more. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
    // Of so many no site can be made; those that are left out count too, or a directory could be endless.
    if (all.length > 4 * MAX_ENTRIES) throw tooMany();
  }
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
