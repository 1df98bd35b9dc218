import type { Eventual } from "../base/eventual.ts";

/**
 * Stores files by the SHA-256 of their content. Every adapter must guarantee (`blobsContract`):
 *
 * - A blob is durable and complete once `put` returns its name: it survives a crash, and never in part.
 * - The same content always has the same name. Putting it again is cheap.
 * - Names are 64 characters of lower-case hex. Other names find nothing and touch nothing.
 * - A missing blob is `undefined` or `false`. Methods throw for unexpected failures, and `StoreUnavailable` if a
 *   retry may succeed (a full disk).
 * - Memory does not grow with the size of a blob that is put as a stream or opened.
 */
export interface Blobs {
  /** Stores content. Rejects and keeps nothing if the stream fails or yields more than `maxBytes`. */
  put(content: Uint8Array | ReadableStream<Uint8Array>, options?: PutOptions): Promise<StoredBlob>;
  /** Size in bytes. */
  size(sha256: string): Eventual<number | undefined>;
  /** Returns a whole blob, for callers who know that it is small. */
  read(sha256: string): Promise<Uint8Array | undefined>;
  /** Returns a body for a `Response`: the bytes of the range, or all of them. */
  open(sha256: string, range?: ByteRange): Promise<BlobBody | undefined>;
  /**
   * Does nothing if the blob does not exist. Readers that have opened it can read it to its end. With `putBefore`,
   * deletes it only if it was last put before that time, so that a collector removes no blob that was just put again.
   */
  delete(sha256: string, putBefore?: number): Promise<void>;
  /** Lists all blobs in any order. */
  list(): AsyncIterable<ListedBlob>;
}

/** A body for a `Response`. The name `BodyInit` exists only with the DOM's types. */
export type BlobBody = NonNullable<ConstructorParameters<typeof Response>[0]>;

/** Options of storing a blob. */
export interface PutOptions {
  /** Default: unlimited. */
  readonly maxBytes?: number;
}

/** What storing a blob has resulted in. */
export interface StoredBlob {
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** True if the blob is new. */
  readonly added: boolean;
}

/** A blob in a list, by its SHA-256. Instants are in milliseconds since the Unix epoch. */
export interface ListedBlob {
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** The time of its last put. */
  readonly putAt: number;
}

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Thrown when `put` receives more than `maxBytes`. */
export class BlobTooLarge extends Error {
  override readonly name = "BlobTooLarge";
}

/** Thrown if the stored content of a blob is not the content that its name promises. */
export class BlobDamaged extends Error {
  override readonly name = "BlobDamaged";
}

const NAME = /^[0-9a-f]{64}$/;

/** Returns whether `sha256` is a valid blob name. */
export function isBlobName(sha256: string): boolean {
  return NAME.test(sha256);
}
