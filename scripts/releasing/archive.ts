import { basename } from "node:path";

import { zipArchive, type ZipMember } from "../../lib/import/zip/write.ts";
import { tarGz, type FileToPack } from "../../lib/publishing/index.ts";

/** A file of an archive. */
export interface Member {
  /** Path in the archive, below its only folder. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable?: true;
}

/** Writes an archive with one folder, which has the name of the archive: zip if it ends so, else a compressed tar. */
export async function writeArchive(
  path: string,
  members: readonly Member[],
  at: number,
): Promise<void> {
  const folder = basename(path).replace(/\.(?:zip|tar\.gz)$/, "");
  const sorted = members.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = path.endsWith(".zip")
    ? zipArchive(zipMembers(folder, sorted), at)
    : tarGz(packed(folder, sorted));
  await Bun.write(path, Buffer.concat(await Array.fromAsync(parts)));
}

async function* zipMembers(folder: string, members: readonly Member[]): AsyncGenerator<ZipMember> {
  for (const { path, content } of members) {
    yield { name: `${folder}/${path}`, content: once(content) };
  }
}

async function* packed(folder: string, members: readonly Member[]): AsyncGenerator<FileToPack> {
  for (const { path, content, ...rest } of members) {
    yield { path: `${folder}/${path}`, size: content.length, content, ...rest };
  }
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
