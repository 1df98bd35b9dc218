import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

import { tarGz, type FileToPack } from "../lib/publishing/index.ts";
import { Failure } from "../settings/failure.ts";
import { cannotRead, type SiteDirectory, type SiteEntry } from "./site-directory.ts";

/** A directory on its way to the service. */
export interface Upload {
  /** A tar.gz, made while it is read. */
  readonly archive: ReadableStream<Uint8Array>;
  /** Bytes of the archive so far. */
  readonly sent: number;
  /** Why it broke off, if it did: whoever was to receive it knows less. */
  readonly failure: unknown;
}

/** Packs the files. `onRead` is told how many were begun, and how many bytes were read. */
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

/** Small files are read at once, the others piece by piece. */
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
    // Grown since it was looked at, or become shorter.
    if (bytesRead === 0 ? read < size : read > size) throw changed(path);
    if (bytesRead > 0) return buffer.subarray(0, bytesRead);
    return undefined;
  };
  return new ReadableStream({
    pull: async (controller) => {
      const piece = await next()
        .catch(cannotRead(path))
        .catch(async (error: unknown) => {
          // One that could not be opened need not be closed.
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
    `${path} changed while it was read. Nothing was published: try again.`,
  );
}
