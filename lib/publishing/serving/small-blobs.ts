import { sizedCache } from "../../base/cache.ts";
import type { Eventual } from "../../base/eventual.ts";
import type { Blobs } from "../blobs.ts";

/** Blobs that are read whole and kept while they are asked for. */
export interface SmallBlobs {
  /**
   * At hand when it was asked before. Rejects when it cannot be read, or is not there. A `Blob`: of bytes every
   * `Response` would make a copy.
   */
  read(sha256: string): Eventual<Blob>;
}

/** Counted besides the bytes themselves: a map of many tiny ones is not free. */
const OVERHEAD = 200;

export function smallBlobs(blobs: Blobs, maxBytes: number): SmallBlobs {
  const kept = sizedCache<Blob>(maxBytes, ({ size }) => size + OVERHEAD);
  const coming = new Map<string, Promise<Blob>>();

  const fetch = async (sha256: string): Promise<Blob> => {
    try {
      const bytes = await blobs.read(sha256);
      if (bytes === undefined) throw new MissingBlob(sha256);
      const content = new Blob([asPart(bytes)]);
      kept.set(sha256, content);
      return content;
    } finally {
      coming.delete(sha256);
    }
  };

  return {
    read: (sha256) => {
      const known = kept.get(sha256) ?? coming.get(sha256);
      if (known !== undefined) return known;
      const arriving = fetch(sha256);
      coming.set(sha256, arriving);
      return arriving;
    },
  };
}

/** A deploy names a blob that is not there. */
export class MissingBlob extends Error {
  override readonly name = "MissingBlob";

  constructor(sha256: string) {
    super(`The blob ${sha256} is missing.`);
  }
}

// The DOM types want an ArrayBuffer behind a view; no blob is read into a shared one.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const asPart = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;
