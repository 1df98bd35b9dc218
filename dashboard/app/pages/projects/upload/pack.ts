import { tarGz, type FileToPack } from "../../../../../lib/publishing/archive/write-tar.ts";
import type { FoundFile } from "./found-file.ts";

/** The files as one archive, as the service takes it. Tells how many bytes of the files went in; rejects with the signal's reason when it is aborted. */
export async function pack(
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
