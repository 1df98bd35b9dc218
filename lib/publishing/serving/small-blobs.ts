import { sizedCache } from "../../base/cache.ts";
import type { Eventual } from "../../base/eventual.ts";
import type { Blobs } from "../blobs.ts";

/** Blobs that are read whole and kept while they are asked for. */
export interface SmallBlobs {
  /** At hand when it was asked before. Rejects when it cannot be read, or is not there. */
  read(sha256: string): Eventual<Uint8Array>;
}

/** Counted besides the bytes themselves: a map of many tiny ones is not free. */
const OVERHEAD = 200;

export function smallBlobs(blobs: Blobs, maxBytes: number): SmallBlobs {
  const kept = sizedCache<Uint8Array>(maxBytes, ({ length }) => length + OVERHEAD);
  const coming = new Map<string, Promise<Uint8Array>>();

  const fetch = async (sha256: string): Promise<Uint8Array> => {
    try {
      const content = await blobs.read(sha256);
      if (content === undefined) throw new MissingBlob(sha256);
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
