/** Encrypts and decrypts backups. */
export interface Sealing {
  /** Identifies the recipient; a blob that was sealed for another one is not reused. */
  readonly recipient: string;
  /** Whether `open` can decrypt what `seal` encrypts. */
  readonly opens: boolean;
  seal(plain: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  /** Rejects with `WrongKey`. The stream fails if the content was changed or cut off. */
  open(sealed: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  /** Size of a sealed content, from its size in bytes. */
  sealedBytes(plain: number): number;
}

/** None of the keys opens the backup, or its first bytes are damaged. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
}

/** The contents of a backup are not what was written. */
export class BackupDamaged extends Error {
  override readonly name = "BackupDamaged";
}

export function notAsWritten(): BackupDamaged {
  return new BackupDamaged("what was read back is not what was written");
}

/**
 * Stores the objects of backups: a directory or a bucket. Every adapter guarantees (test/contract/objects.ts):
 *
 * - An object appears whole and durable, or not at all. Names are relative paths with slashes, without dot segments.
 * - Memory does not grow with the size of an object.
 * - Failures are `Failure`s, with a message for the operator.
 */
export interface Objects {
  /** The place as messages name it: `/mnt/backups`, `s3://bucket/prefix`. */
  readonly place: string;
  /**
   * Replaces an existing object. `verify` gets the stored bytes, read back; if it rejects, nothing is kept. In a bucket, the
   * object is visible while `verify` reads it.
   */
  put(
    name: string,
    content: ReadableStream<Uint8Array>,
    verify?: (readBack: () => Promise<ReadableStream<Uint8Array>>) => Promise<void>,
  ): Promise<void>;
  get(name: string): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Lists the objects whose names begin with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Does nothing if the object does not exist. */
  delete(name: string): Promise<void>;
  /** Removes what interrupted calls of `put` left of objects whose names begin with `prefix` and are `owned`. */
  sweep(prefix: string, owned: (name: string) => boolean): Promise<void>;
}

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}
