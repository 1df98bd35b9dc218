import { aClock, checkOptions, optional } from "../base/options.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { hex, webDigest } from "../base/digest.ts";
import { joined, partReader } from "../base/parts.ts";
import { BlobTooLarge, type Blobs } from "./blobs.ts";

interface Kept {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly putAt: number;
}

/**
 * Creates a blob store in memory, for tests and experiments. Runs anywhere. Throws a `TypeError` for invalid options.
 */
export function memoryBlobs(options: { readonly clock?: Clock } = {}): Blobs {
  checkOptions("memoryBlobs", options, { clock: optional(aClock) });
  const { clock = systemClock } = options;
  const kept = new Map<string, Kept>();

  return {
    put: async (content, { maxBytes = Infinity } = {}) => {
      const bytes = await whole(content, maxBytes);
      const sha256 = hex(await webDigest.sha256(bytes));
      const known = kept.get(sha256);
      kept.set(sha256, { content: known?.content ?? bytes, putAt: clock.now() });
      return { sha256, size: bytes.length, added: known === undefined };
    },
    size: (sha256) => kept.get(sha256)?.content.length,
    read: async (sha256) => kept.get(sha256)?.content.slice(),
    open: async (sha256, { start, end } = { start: 0, end: Infinity }) =>
      kept.get(sha256)?.content.slice(start, end),
    delete: async (sha256, putBefore = Infinity) => {
      const found = kept.get(sha256);
      if (found !== undefined && found.putAt < putBefore) kept.delete(sha256);
    },
    list: async function* () {
      for (const [sha256, { content, putAt }] of [...kept]) {
        yield { sha256, size: content.length, putAt };
      }
    },
  };
}

/** Copies the content, so that later writes by the caller do not change the blob. */
async function whole(
  content: Uint8Array | ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (content instanceof Uint8Array) {
    if (content.length > maxBytes) throw new BlobTooLarge(`More than ${maxBytes} bytes.`);
    return new Uint8Array(content);
  }
  const reader = content.getReader();
  const next = partReader(reader);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await next(); part !== undefined; part = await next()) {
    size += part.length;
    if (size > maxBytes) {
      const fault = new BlobTooLarge(`More than ${maxBytes} bytes.`);
      await reader.cancel(fault);
      throw fault;
    }
    parts.push(new Uint8Array(part));
  }
  return joined(parts);
}
