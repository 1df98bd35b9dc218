import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import type { Blobs } from "../lib/publishing/blobs.ts";

/**
 * Returns a function to call with the amount of what was just processed, which collects garbage after every `every`. The
 * runtime does so late that memory would grow with the size of an installation.
 */
export function createCollector(every: number): (amount: number) => void {
  let uncollected = 0;
  return (amount) => {
    uncollected += amount;
    if (uncollected < every) return;
    uncollected = 0;
    Bun.gc(true);
  };
}

/** Shared by all streams, because most are short. */
const collect = createCollector(16_777_216);
/** Roughly what a stream takes. */
const STREAM_BYTES = 4_096;

/** Passes a stream on, and calls `look` with each part. */
function observed(
  stream: ReadableStream<Uint8Array>,
  look: (part: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  collect(STREAM_BYTES);
  return lazyStream(
    async () => {
      const next = await reader.read();
      if (next.done) return undefined;
      look(next.value);
      collect(next.value.length);
      return next.value;
    },
    (reason) => reader.cancel(reason),
  );
}

/** Passes a stream on, and calls `onBytes` with the number of bytes so far. */
export function counting(
  stream: ReadableStream<Uint8Array>,
  onBytes: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return observed(stream, (part) => {
    bytes += part.length;
    onBytes(bytes);
  });
}

/** Returns the SHA-256 in hex. */
export function sha256Of(content: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

/** The digest and size of what was read. */
export interface Measured {
  /** The SHA-256 in hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Passes a stream on; `end` returns its measure once it was read. */
export function measuring(stream: ReadableStream<Uint8Array>): {
  readonly stream: ReadableStream<Uint8Array>;
  readonly end: () => Measured;
} {
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  let measured: Measured | undefined;
  const passed = observed(stream, (part) => {
    hash.update(part);
    bytes += part.length;
  });
  return {
    stream: passed,
    end: () => (measured ??= { sha256: hash.digest("hex"), bytes }),
  };
}

/** Reads a stream to its end. */
export async function measure(stream: ReadableStream<Uint8Array>): Promise<Measured> {
  const { stream: passed, end } = measuring(stream);
  const reader = passed.getReader();
  while (!(await reader.read()).done);
  return end();
}

/** Reads a small stream as text; undefined if it is longer than `maxBytes`. */
export async function textOf(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Opens the content of a blob; undefined if it is missing. */
export async function contentOf(
  blobs: Pick<Blobs, "open">,
  sha256: string,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const body = await blobs.open(sha256);
  return body === undefined ? undefined : (new Response(body).body ?? undefined);
}
