import type { OnProgress } from "../backup/progress.ts";
import { contentOf, createCollector } from "../backup/streams.ts";
import { BlobDamaged, type Blobs } from "../lib/publishing/blobs.ts";
import { BYTES_PER_COLLECTION } from "./lines.ts";
import type { BlobLine } from "./model/manifest.ts";

const DIGEST_BYTES = 32;

/** The names of many blobs, in a sixth of the memory that texts take. */
export class BlobNames {
  #bytes = new Uint8Array(1_024 * DIGEST_BYTES);
  #count = 0;

  static async of(names: Iterable<string> | AsyncIterable<string>): Promise<BlobNames> {
    const packed = new BlobNames();
    for await (const name of names) packed.#add(name);
    return packed;
  }

  #add(name: string): void {
    const at = this.#count++ * DIGEST_BYTES;
    if (at === this.#bytes.length) {
      const larger = new Uint8Array(2 * at);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(Buffer.from(name, "hex"), at);
  }

  get count(): number {
    return this.#count;
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (let index = 0; index < this.#count; index++) {
      yield this.#bytes.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES).toHex();
    }
  }
}

/** Keeps the content of a blob; returns its size. Rejects with `BlobDamaged`, and keeps nothing, if it has another name. */
export type KeepBlob = (sha256: string, content: ReadableStream<Uint8Array>) => Promise<number>;

/** Copies blobs one by one. One that is missing or damaged has no size. */
export async function* copyBlobs(
  names: Iterable<string>,
  from: Pick<Blobs, "open">,
  keep: KeepBlob,
  onProgress: OnProgress,
): AsyncGenerator<BlobLine, void, undefined> {
  const collect = createCollector(BYTES_PER_COLLECTION);
  let copied = 0;
  for (const sha256 of names) {
    const bytes = await copyBlob(sha256, from, keep);
    if (bytes !== null) onProgress("copying files", ++copied);
    collect(bytes ?? 0);
    yield { sha256, bytes };
  }
}

async function copyBlob(
  sha256: string,
  from: Pick<Blobs, "open">,
  keep: KeepBlob,
): Promise<number | null> {
  try {
    const content = await contentOf(from, sha256);
    return content === undefined ? null : await keep(sha256, content);
  } catch (error) {
    if (error instanceof BlobDamaged) return null;
    throw error;
  }
}

/** Returns a function that puts blobs into a store. */
export function putting(store: Pick<Blobs, "put" | "delete">): KeepBlob {
  return async (sha256, content) => {
    const stored = await store.put(content);
    if (stored.sha256 === sha256) return stored.size;
    if (stored.added) await store.delete(stored.sha256);
    throw new BlobDamaged();
  };
}
