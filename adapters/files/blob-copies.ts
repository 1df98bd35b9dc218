import { createHash } from "node:crypto";
import { join } from "node:path";

import { WrongLength } from "../../lib/base/blob-response.ts";
import type { Clock } from "../../lib/base/clock.ts";
import { once } from "../../lib/base/eventual.ts";
import type { Blobs, ListedBlob, PutOptions, StoredBlob } from "../../lib/publishing/blobs.ts";
import { directoryBlobs } from "./blobs.ts";
import { fileStream } from "../hosts/file-body.ts";
import { isAbsent, isFileFailure } from "./file-system.ts";

/** A directory for copies of the blobs that were used last. */
export interface BlobCache {
  /** Created if absent; its parent must exist. */
  readonly cachePath: string;
  /** Bytes of the copies, without the one in use. Default: 2 GiB. */
  readonly cacheBytes?: number;
  readonly clock: Clock;
}

const GIB = 1_073_741_824;

/** A copy on the local disk. */
interface Copy {
  readonly size: number;
  /** False for a copy of an earlier process that was not compared with its digest yet. */
  readonly verified: boolean;
}

/**
 * Copies of blobs on the local disk. Those that were not used for longest are removed when the copies have too many bytes.
 * The files need no sync, because those of an earlier process are compared with their digest when they are used first.
 */
export class BlobCopies {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #clock: Clock;
  readonly #files: Blobs;
  /** The copies in the order of their last use. */
  readonly #copies = new Map<string, Copy>();
  #bytes = 0;
  /** How many puts are storing a copy at the origin; it is not removed meanwhile. */
  readonly #pins = new Map<string, number>();
  #lastInstant = 0;
  /** Finds the copies of an earlier process, which count, too. To be awaited before any other method is called. */
  readonly prepare = once(async () => {
    const found: ListedBlob[] = [];
    for await (const one of this.#files.list()) found.push(one);
    for (const { putAt } of found) this.#lastInstant = Math.max(this.#lastInstant, putAt);
    for (const { sha256, size } of found.toSorted((a, b) => a.putAt - b.putAt)) {
      await this.keep(sha256, size, false);
    }
  });

  constructor({ cachePath, cacheBytes = 2 * GIB, clock }: BlobCache) {
    this.#path = cachePath;
    this.#maxBytes = cacheBytes;
    this.#clock = clock;
    const files = { ...clock, now: () => this.instant() };
    this.#files = directoryBlobs({ path: cachePath, durable: false, clock: files });
  }

  /** Returns each instant once, so that a copy that was written again since a decision to remove it is kept. */
  instant(): number {
    this.#lastInstant = Math.max(this.#lastInstant + 1, Math.floor(this.#clock.now()));
    return this.#lastInstant;
  }

  /** Returns the size of a copy; undefined if there is none. */
  sizeOf(sha256: string): number | undefined {
    return this.#copies.get(sha256)?.size;
  }

  isVerified(sha256: string): boolean {
    return this.#copies.get(sha256)?.verified === true;
  }

  /** Returns whether there is a sound copy, and counts it as used last. Removes a damaged one. */
  async use(sha256: string): Promise<boolean> {
    const copy = this.#copies.get(sha256);
    if (copy === undefined) return false;
    if (!copy.verified && !(await this.isSound(sha256, copy.size))) {
      await this.remove(sha256);
      return false;
    }
    await this.keep(sha256, copy.size, true);
    return true;
  }

  /** Returns whether the file has the content that its name promises. */
  async isSound(sha256: string, size: number): Promise<boolean> {
    return (await digestOf(this.#fileOf(sha256), size)) === sha256;
  }

  /** Writes a file, which does not count as a copy before `keep`. */
  write(
    content: Uint8Array | ReadableStream<Uint8Array>,
    limits?: PutOptions,
  ): Promise<StoredBlob> {
    return this.#files.put(content, limits);
  }

  /** Counts a copy as used last, and removes others to make room for it. */
  async keep(sha256: string, size: number, verified: boolean): Promise<void> {
    this.forget(sha256);
    this.#copies.set(sha256, { size, verified });
    this.#bytes += size;
    await this.#shrink(this.#maxBytes, sha256);
  }

  /** Counts a copy no longer, whose file may be absent. */
  forget(sha256: string): void {
    this.#bytes -= this.sizeOf(sha256) ?? 0;
    this.#copies.delete(sha256);
  }

  /** Removes a copy, unless its file was written at or after `writtenBefore`. */
  async remove(sha256: string, writtenBefore?: number): Promise<void> {
    this.forget(sha256);
    await this.#files.delete(sha256, writtenBefore);
  }

  /** Keeps a file from being removed until the function that it returns is called. */
  pin(sha256: string): () => void {
    const pins = this.#pins;
    pins.set(sha256, (pins.get(sha256) ?? 0) + 1);
    return () => {
      const others = (pins.get(sha256) ?? 1) - 1;
      if (others > 0) pins.set(sha256, others);
      else pins.delete(sha256);
    };
  }

  isPinned(sha256: string): boolean {
    return this.#pins.has(sha256);
  }

  /** Removes half of the copies, because the disk could not take another one. */
  async makeRoom(): Promise<void> {
    await unlessDiskFails(() => this.#shrink(this.#bytes / 2));
  }

  async #shrink(most: number, except?: string): Promise<void> {
    for (const [other] of this.#copies) {
      if (this.#bytes <= most) return;
      if (other !== except && !this.isPinned(other)) await this.remove(other, this.instant());
    }
  }

  /** Returns the whole copy; undefined if its file is absent. */
  read(sha256: string): Promise<Uint8Array | undefined> {
    return this.#files.read(sha256);
  }

  /** Returns the size of the file; undefined if it is absent. */
  async fileSize(sha256: string): Promise<number | undefined> {
    return this.#files.size(sha256);
  }

  /** Streams a range of a copy, whose file is opened on the first read. */
  stream(sha256: string, start: number, end: number): ReadableStream<Uint8Array> {
    return fileStream(this.#fileOf(sha256), start, end);
  }

  #fileOf(sha256: string): string {
    return join(this.#path, sha256.slice(0, 2), sha256.slice(2));
  }
}

/** Runs work on copies, without which a blob can be served. Returns undefined if the disk fails. */
export async function unlessDiskFails<Value>(
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    return undefined;
  }
}

/** Returns the digest of a file; another text if it is absent, or of another size than it was. */
async function digestOf(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  try {
    const reader = fileStream(path, 0, Math.max(1, size)).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read())
      hash.update(next.value);
  } catch (error) {
    if (isAbsent(error)) return "absent";
    // A shorter file has the digest of its content.
    if (!(error instanceof WrongLength)) throw error;
  }
  return hash.digest("hex");
}
