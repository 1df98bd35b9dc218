import { fileOf } from "./dropped.ts";
import type { Found } from "./found-file.ts";
import { pack } from "./pack.ts";
import { readZip } from "./read-zip.ts";
import { siteFiles, type SiteFiles } from "./site-files.ts";

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
