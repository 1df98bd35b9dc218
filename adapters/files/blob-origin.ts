import { createHash } from "node:crypto";

import { lazyStream } from "../../lib/publishing/archive/byte-source.ts";
import { BlobDamaged, type Blobs } from "../../lib/publishing/blobs.ts";

/** Storage of blobs that other machines share. Rejects with `StoreUnavailable` if a later attempt may succeed. */
export interface BlobOrigin {
  /** Names it in messages. */
  readonly name: string;
  size(sha256: string): Promise<number | undefined>;
  /**
   * Stores a blob durably and renews the time of its last put. `content` returns a stream of all of it, at each call.
   * Resolves with true if the blob is new.
   */
  store(sha256: string, size: number, content: () => ReadableStream<Uint8Array>): Promise<boolean>;
  /** Opens the contents under a name, the best first; more than one only if a put is replacing another. */
  contents(sha256: string): AsyncIterable<ReadableStream<Uint8Array>>;
  /** Deletes a blob like `Blobs.delete`. Resolves with true if nothing is left. */
  delete(sha256: string, putBefore: number): Promise<boolean>;
  list: Blobs["list"];
}

/**
 * Streams a range of a blob from its origin, from the first read on. Ends before the last part, with `BlobDamaged`, if the
 * whole is not what the name promises.
 */
export function streamFromOrigin(
  origin: BlobOrigin,
  sha256: string,
  start: number,
  end: number,
): ReadableStream<Uint8Array> {
  const parts = verifiedRange(origin, sha256, start, end);
  return lazyStream(
    async () => (await parts.next()).value,
    async () => void (await parts.return(undefined)),
  );
}

async function* verifiedRange(
  origin: BlobOrigin,
  sha256: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const content of origin.contents(sha256)) {
    const hash = createHash("sha256");
    const reader = content.getReader();
    let held: Uint8Array | undefined;
    try {
      let offset = 0;
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const part = next.value.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
        hash.update(next.value);
        offset += next.value.length;
        if (part.length === 0) continue;
        if (held !== undefined) yield held;
        held = part;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    if (hash.digest("hex") !== sha256) throw damagedAt(origin, sha256);
    if (held !== undefined) yield held;
    return;
  }
}

export function damagedAt({ name }: BlobOrigin, sha256: string): BlobDamaged {
  return new BlobDamaged(`The blob ${sha256} in ${name} is damaged.`);
}
