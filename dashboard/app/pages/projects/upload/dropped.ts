import { MAX_ENTRIES } from "../../../../../lib/publishing/archive/limits.ts";
import { bytesOf, type Found, type FoundFile } from "./found-file.ts";
import { tooMany } from "./refusal.ts";
import { isTaken } from "./site-files.ts";

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
export async function fileOf(entry: FileSystemEntry): Promise<File | undefined> {
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
