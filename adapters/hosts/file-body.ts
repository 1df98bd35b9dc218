import { open, type FileHandle } from "node:fs/promises";
import { WrongLength } from "../../lib/base/blob-response.ts";
import type { BlobBody, ByteRange } from "../../lib/publishing/blobs.ts";

const CHUNK = 64 * 1_024;

/** Returns a range of a file as a response body. The file is opened on the first read, so an unused body costs nothing. */
export function fileBody(path: string, { start, end }: ByteRange): BlobBody {
  // Any part of such a body can be read alone, and Bun.serve of an embedder lets the kernel send it directly.
  if (typeof Bun !== "undefined") return Bun.file(path).slice(start, end);
  return fileStream(path, start, end);
}

/** Streams the bytes from `start` up to `end`, for runtimes that cannot send files directly. */
export function fileStream(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let handle: FileHandle | undefined;
  let offset = start;
  const close = async (): Promise<void> => {
    await handle?.close();
    handle = undefined;
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        handle ??= await open(path, "r");
        const into = new Uint8Array(Math.min(CHUNK, end - offset));
        const { bytesRead } = await handle.read(into, 0, into.length, offset);
        if (bytesRead > 0) controller.enqueue(into.subarray(0, bytesRead));
        offset += bytesRead;
        if (bytesRead > 0 && offset < end) return;
        await close();
        if (offset < end) throw new WrongLength(end - start, offset - start);
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
