import { readdir, stat, open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import {
  MAX_ENTRIES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
  tarGz,
  type FileToPack,
} from "../lib/publishing/index.ts";
import { Failure, codeOf, reasonOf } from "../settings/failure.ts";

/** The files of a directory that form a site. */
export interface SiteDirectory {
  /** Sorted by path. */
  readonly files: readonly SiteEntry[];
  /** Total size of the files. */
  readonly bytes: number;
  /** Skipped paths: dotfiles, links and special files. */
  readonly leftOut: readonly string[];
}

interface SiteEntry {
  /** Relative to the directory, with slashes. */
  readonly path: string;
  readonly size: number;
}

/** Lists the directory. Fails if it is no directory, is empty or exceeds the limits of a site, before it is read in full. */
export async function siteDirectory(root: string): Promise<SiteDirectory> {
  await mustBeDirectory(root);
  const files: SiteEntry[] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  const waiting = [""];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const entries = await readdir(join(root, directory), { withFileTypes: true }).catch(
      cannotRead(join(root, directory)),
    );
    for (const entry of entries) {
      const path = directory + entry.name;
      if (isHidden(path, entry.name) || !(entry.isDirectory() || entry.isFile())) {
        leftOut.push(path);
      } else if (entry.isDirectory()) waiting.push(`${path}/`);
      else {
        const { size } = await stat(join(root, path)).catch(cannotRead(join(root, path)));
        if (size > MAX_FILE_BYTES) throw tooLarge(join(root, path), MAX_FILE_BYTES);
        files.push({ path, size });
        bytes += size;
      }
    }
    if (files.length > MAX_ENTRIES) throw tooMany(root);
    if (bytes > MAX_TOTAL_BYTES) throw tooLarge(root, MAX_TOTAL_BYTES);
  }
  if (files.length === 0) {
    const why = leftOut.length === 0 ? "is empty" : `has no files except ${leftOut.join(", ")}`;
    throw new Failure("usage", `${root} ${why}. --starter publishes the storefront alone.`);
  }
  return { files: files.toSorted(byPath), bytes, leftOut: leftOut.toSorted() };
}

/** Dotfiles are skipped, except `/.well-known` (RFC 8615). */
function isHidden(path: string, name: string): boolean {
  return name.startsWith(".") && path !== ".well-known";
}

function byPath({ path: a }: SiteEntry, { path: b }: SiteEntry): number {
  return a < b ? -1 : 1;
}

async function mustBeDirectory(root: string): Promise<void> {
  const found = await stat(root).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT")
      throw new Failure("notFound", `The directory ${root} does not exist.`);
    return cannotRead(root)(error);
  });
  if (!found.isDirectory()) {
    throw new Failure("usage", `${root} is a file. Pass its directory.`);
  }
}

/** Fails with the reason. */
function cannotRead(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Failure) throw error;
    const exit = codeOf(error) === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  };
}

function tooLarge(path: string, limit: number): Failure {
  return new Failure(
    "failed",
    `${path} is larger than the limit of ${limit / 1_048_576} MiB. Host large files, such as videos, elsewhere.`,
  );
}

function tooMany(root: string): Failure {
  const limit = MAX_ENTRIES.toLocaleString("en");
  return new Failure(
    "failed",
    `${root} has more than ${limit} files, the limit of a site. Is it the right directory?`,
  );
}

/** The upload of a directory. */
export interface Upload {
  /** A tar.gz, packed as it is read. */
  readonly archive: ReadableStream<Uint8Array>;
  /** Bytes of the archive so far. */
  readonly sent: number;
  /** The local error that ended the upload, if any; the service only sees that it was cut off. */
  readonly failure: unknown;
}

/** Packs the files. `onRead` receives the number of files started and of bytes read. */
export function upload(
  root: string,
  { files }: SiteDirectory,
  onRead: (files: number, bytes: number) => void,
): Upload {
  let sent = 0;
  let failure: unknown;
  async function* watched(): AsyncGenerator<FileToPack> {
    let begun = 0;
    let read = 0;
    const more = (bytes: number): void => {
      read += bytes;
      onRead(begun, read);
    };
    const noted = (error: unknown): never => {
      failure ??= error;
      throw error;
    };
    for (const entry of files) {
      begun++;
      yield await packed(join(root, entry.path), entry, more, noted).catch(noted);
    }
  }
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return {
    archive: tarGz(watched()).pipeThrough(counted),
    get sent() {
      return sent;
    },
    get failure() {
      return failure;
    },
  };
}

/** Files up to this size are read whole, larger ones in pieces. */
const AT_ONCE = 1024 * 1024;
const PIECE = 256 * 1024;

async function packed(
  file: string,
  { path, size }: SiteEntry,
  onRead: (bytes: number) => void,
  noted: (error: unknown) => never,
): Promise<FileToPack> {
  if (size > AT_ONCE) {
    return { path, size, content: pieces(file, size, onRead, noted) };
  }
  const content = await Bun.file(file).bytes().catch(cannotRead(file));
  if (content.length !== size) throw changed(file);
  onRead(size);
  return { path, size, content };
}

function pieces(
  path: string,
  size: number,
  onRead: (bytes: number) => void,
  noted: (error: unknown) => never,
): ReadableStream<Uint8Array> {
  let opened: Promise<FileHandle> | undefined;
  let read = 0;
  const close = async (): Promise<void> => (await opened)?.close();
  const next = async (): Promise<Uint8Array | undefined> => {
    opened ??= open(path);
    const file = await opened;
    const { buffer, bytesRead } = await file.read(new Uint8Array(PIECE));
    read += bytesRead;
    // The size has changed since the directory was listed.
    if (bytesRead === 0 ? read < size : read > size) throw changed(path);
    if (bytesRead > 0) return buffer.subarray(0, bytesRead);
    return undefined;
  };
  return new ReadableStream({
    pull: async (controller) => {
      const piece = await next()
        .catch(cannotRead(path))
        .catch(async (error: unknown) => {
          // Opening may have failed.
          await close().catch(() => undefined);
          return noted(error);
        });
      if (piece !== undefined) {
        onRead(piece.length);
        controller.enqueue(piece);
        return;
      }
      await close();
      controller.close();
    },
    cancel: close,
  });
}

function changed(path: string): Failure {
  return new Failure(
    "failed",
    `${path} changed while it was read. Nothing was published. Try again.`,
  );
}
