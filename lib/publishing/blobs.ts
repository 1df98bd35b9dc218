import type { Eventual } from "../base/eventual.ts";

/**
 * Files by the SHA-256 of their content. What every adapter must promise (test/contract/blobs.ts):
 *
 * - A blob that `put` has named is durable and whole: after a crash it is there, and never half of it.
 * - The same content has the same name, however often and by however many it is put; putting it again is cheap.
 * - Names are 64 characters of lower-case hex. Anything else is not found, and touches nothing.
 * - Absence is `undefined` or `false`. What throws is the broken world; `StoreUnavailable` when trying later
 *   makes sense (a full disk).
 * - Memory does not grow with the size of a blob that is put as a stream or opened.
 */
export interface Blobs {
  /** Takes in content; when the stream breaks, or yields more than `maxBytes`, nothing of it stays, and it rejects. */
  put(content: Uint8Array | ReadableStream<Uint8Array>, options?: PutOptions): Promise<StoredBlob>;
  /** Size in bytes. */
  size(sha256: string): Eventual<number | undefined>;
  /** The whole of a blob that is known to be small enough. */
  read(sha256: string): Promise<Uint8Array | undefined>;
  /** Something a `Response` can be made of: the bytes from `start` up to, not including, `end`. */
  open(sha256: string, range?: ByteRange): Promise<BlobBody | undefined>;
  /**
   * Nothing happens when it is not there. Whoever has begun to read it may read it to its end. With `putBefore`
   * only if it was last put before that instant: so that a collector takes nothing that was just put again.
   */
  delete(sha256: string, putBefore?: number): Promise<void>;
  /** All names, in any order, with the instant that each was last put. */
  list(): AsyncIterable<{ readonly sha256: string; readonly putAt: number }>;
}

/** What a `Response` can be made of. `BodyInit` has a name only where the types of the DOM are. */
export type BlobBody = NonNullable<ConstructorParameters<typeof Response>[0]>;

export interface PutOptions {
  /** Default: no bound. */
  readonly maxBytes?: number;
}

export interface StoredBlob {
  readonly sha256: string;
  readonly size: number;
  /** It was not there before. */
  readonly added: boolean;
}

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** `put` met more than `maxBytes`. */
export class BlobTooLarge extends Error {
  override readonly name = "BlobTooLarge";
}

const NAME = /^[0-9a-f]{64}$/;

/** Whether a blob can have this name. */
export function isBlobName(sha256: string): boolean {
  return NAME.test(sha256);
}
