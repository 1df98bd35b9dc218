import { createHash } from "node:crypto";
import { join } from "node:path";

import type { Clock } from "../lib/base/clock.ts";
import { WrongLength } from "../lib/base/blob-response.ts";
import { inTurn, once } from "../lib/base/eventual.ts";
import type { Expectation } from "../lib/base/options.ts";
import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import {
  BlobDamaged,
  BlobTooLarge,
  isBlobName,
  type Blobs,
  type ListedBlob,
} from "../lib/publishing/blobs.ts";
import { StoreUnavailable } from "../lib/sql/sql.ts";
import { directoryBlobs } from "./blobs-directory.ts";
import { fileStream } from "./file-body.ts";
import { isAbsent, isFileFailure } from "./file-system.ts";

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
  /** As `Blobs.delete`. Resolves with true if nothing is left. */
  delete(sha256: string, putBefore: number): Promise<boolean>;
  list: Blobs["list"];
}

/** A directory for copies of the blobs that were used last. */
export interface BlobCache {
  /** Created if absent; its parent must exist. */
  readonly cachePath: string;
  /** Bytes of the copies, without the one in use. Default: 2 GiB. */
  readonly cacheBytes?: number;
  readonly clock: Clock;
}

const GIB = 1_073_741_824;

/**
 * Blobs of an origin, with copies on the local disk. Contents are compared with their digest when they arrive, and when a
 * copy of an earlier process is used first, so copies need no sync. If the disk cannot take a copy, the blob is streamed
 * from the origin, and half of the copies are removed to make room for the next.
 */
export function cachedBlobs(
  origin: BlobOrigin,
  { cachePath, cacheBytes = 2 * GIB, clock }: BlobCache,
): Blobs {
  let tick = 0;
  // Each instant once: a copy that was stored again since a decision to remove it is kept.
  const instant = (): number => (tick = Math.max(tick + 1, Math.floor(clock.now())));
  const local = directoryBlobs({
    path: cachePath,
    durable: false,
    clock: { ...clock, now: instant },
  });
  const oneAtATime = inTurn();
  const arriving = new Map<string, Promise<Arrival>>();
  const copies = new Map<string, Copy>();
  /** Copies that are being stored; not removed meanwhile. */
  const pinned = new Map<string, number>();
  let copied = 0;

  /** Copies of an earlier process count, too. */
  const prepare = once(async () => {
    const found: ListedBlob[] = [];
    for await (const one of local.list()) found.push(one);
    for (const { putAt } of found) tick = Math.max(tick, putAt);
    for (const { sha256, size } of found.toSorted((a, b) => a.putAt - b.putAt)) {
      await keep(sha256, size, false);
    }
  });

  /** Counts a copy as used last, and removes those that were not used for longest. */
  const keep = async (sha256: string, size: number, verified: boolean): Promise<void> => {
    forget(sha256);
    copies.set(sha256, { size, verified });
    copied += size;
    await shrink(cacheBytes, sha256);
  };
  const forget = (sha256: string): void => {
    copied -= copies.get(sha256)?.size ?? 0;
    copies.delete(sha256);
  };
  const shrink = async (most: number, except?: string): Promise<void> => {
    for (const [other] of copies) {
      if (copied <= most) return;
      if (other === except || pinned.has(other)) continue;
      forget(other);
      await local.delete(other, instant());
    }
  };

  /** Runs work on copies without which the blob can be served. Returns undefined if the disk fails. */
  const ifPossible = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isFileFailure(error)) throw error;
      return undefined;
    }
  };
  const makeRoom = (): Promise<void> => ifPossible(() => shrink(copied / 2));

  /** Returns whether a sound copy exists, and counts it as used last. */
  const isCopied = async (sha256: string): Promise<boolean> => {
    const copy = copies.get(sha256);
    if (copy === undefined) return false;
    if (!copy.verified && (await digestOf(fileOf(sha256), copy.size)) !== sha256) {
      forget(sha256);
      await local.delete(sha256);
      return false;
    }
    await keep(sha256, copy.size, true);
    return true;
  };
  const fileOf = (sha256: string): string => join(cachePath, sha256.slice(0, 2), sha256.slice(2));

  const download = async (sha256: string): Promise<Arrival> => {
    let damaged = false;
    for await (const content of origin.contents(sha256)) {
      const stored = await ifPossible(() => local.put(content));
      if (stored === undefined) {
        await content.cancel().catch(() => undefined);
        await makeRoom();
        return "uncopied";
      }
      if (stored.sha256 === sha256) {
        await keep(sha256, stored.size, true);
        return "copied";
      }
      damaged = true;
      if (stored.added) await local.delete(stored.sha256);
    }
    if (damaged) throw damagedAt(origin, sha256);
    return "absent";
  };

  const fetchCopy = async (sha256: string): Promise<Arrival> => {
    await prepare();
    const known = arriving.get(sha256);
    if (known !== undefined) return known;
    const mine = (async () => ((await isCopied(sha256)) ? "copied" : download(sha256)))();
    arriving.set(sha256, mine);
    try {
      return await mine;
    } finally {
      arriving.delete(sha256);
    }
  };

  /** Uses the copy of a blob; again, if it was removed before it could be used. Without a copy, calls `directly`. */
  const withCopy = async <Value>(
    sha256: string,
    use: () => Promise<Value | undefined>,
    directly: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const arrival = (await ifPossible(() => fetchCopy(sha256))) ?? "uncopied";
      if (arrival === "absent") return undefined;
      if (arrival === "uncopied") break;
      const used = await ifPossible(use);
      if (used !== undefined) return used;
      forget(sha256);
    }
    return directly();
  };

  /** Stores a stream, which the disk must take to find its name. */
  const putStream: Blobs["put"] = async (content, limits) => {
    await prepare();
    const stored = await local.put(content, limits).catch(async (error: unknown) => {
      if (isFileFailure(error)) await makeRoom();
      throw error;
    });
    const { sha256, size } = stored;
    pinned.set(sha256, (pinned.get(sha256) ?? 0) + 1);
    return oneAtATime(sha256, async () => {
      try {
        if (!stored.added && (await digestOf(fileOf(sha256), size)) !== sha256) {
          forget(sha256);
          await local.delete(sha256);
          throw new StoreUnavailable(
            "The copy on the local disk was removed or damaged. Send the file again.",
          );
        }
        const file = (): ReadableStream<Uint8Array> => fileStream(fileOf(sha256), 0, size);
        const added = await origin.store(sha256, size, file);
        await keep(sha256, size, true);
        return { sha256, size, added };
      } catch (error) {
        // A copy of a blob that is not stored would look stored.
        if (stored.added) await local.delete(sha256);
        throw error;
      } finally {
        const others = (pinned.get(sha256) ?? 1) - 1;
        if (others > 0) pinned.set(sha256, others);
        else pinned.delete(sha256);
      }
    });
  };

  const putBytes = async (bytes: Uint8Array, maxBytes: number) => {
    const size = bytes.length;
    if (size > maxBytes) throw new BlobTooLarge(`The content is larger than ${maxBytes} bytes.`);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return oneAtATime(sha256, async () => {
      const added = await origin.store(sha256, size, () => streamOf([bytes]));
      const isKept = await ifPossible(async () => {
        await prepare();
        const copy = await local.put(bytes);
        await keep(sha256, size, copy.added || copies.get(sha256)?.verified === true);
        return true;
      });
      if (isKept === undefined) await makeRoom();
      return { sha256, size, added };
    });
  };

  /** Streams a range from the origin. */
  const direct = (sha256: string, start: number, end: number): ReadableStream<Uint8Array> => {
    const parts = verifiedRange(origin, sha256, start, end);
    return lazyStream(
      async () => (await parts.next()).value,
      async () => void (await parts.return(undefined)),
    );
  };

  const sizeOf = async (sha256: string): Promise<number | undefined> => {
    await ifPossible(async () => prepare());
    return copies.get(sha256)?.size ?? origin.size(sha256);
  };

  return {
    put: (content, limits) =>
      content instanceof Uint8Array
        ? putBytes(content, limits?.maxBytes ?? Infinity)
        : putStream(content, limits),
    size: async (sha256) => (isBlobName(sha256) ? sizeOf(sha256) : undefined),
    read: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      return withCopy(
        sha256,
        () => local.read(sha256),
        async () => {
          const size = await origin.size(sha256);
          return size === undefined
            ? undefined
            : new Response(direct(sha256, 0, size))
                .arrayBuffer()
                .then((all) => new Uint8Array(all));
        },
      );
    },
    open: async (sha256, range) => {
      if (!isBlobName(sha256)) return undefined;
      const size = await withCopy(
        sha256,
        async () => local.size(sha256),
        () => origin.size(sha256),
      );
      if (size === undefined) return undefined;
      const { start, end } = { start: 0, end: size, ...range };
      if (start >= Math.min(end, size)) return new Uint8Array();
      return bodyOf(sha256, start, Math.min(end, size));
    },
    delete: (sha256, putBefore = Infinity) =>
      oneAtATime(sha256, async () => {
        if (!isBlobName(sha256)) return;
        const begun = instant();
        if (!(await origin.delete(sha256, putBefore)) || pinned.has(sha256)) return;
        await ifPossible(async () => {
          await prepare();
          forget(sha256);
          await local.delete(sha256, begun);
        });
      }),
    list: () => origin.list(),
  };

  /** Streams a copy. Opens it on the first read, so that an unused body costs nothing. */
  function bodyOf(sha256: string, start: number, end: number): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const first = async (content: ReadableStream<Uint8Array>) => {
      reader = content.getReader();
      return reader.read().catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
    };
    return lazyStream(
      async () => {
        const next =
          reader === undefined
            ? await withCopy(
                sha256,
                () => first(fileStream(fileOf(sha256), start, end)),
                () => first(direct(sha256, start, end)),
              )
            : await reader.read();
        if (next === undefined) throw new Error(`The blob ${sha256} was removed.`);
        return next.value;
      },
      async (reason) => reader?.cancel(reason),
    );
  }
}

/** What became of a copy. `uncopied`: the disk cannot take it. */
type Arrival = "copied" | "absent" | "uncopied";

const ATTEMPTS = 5;

/** A blob on the local disk. */
interface Copy {
  readonly size: number;
  /** False for a copy of an earlier process that was not compared with its digest yet. */
  readonly verified: boolean;
}

/** Yields a range of a blob; its last part only if the whole is what the name promises. */
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

function damagedAt({ name }: BlobOrigin, sha256: string): BlobDamaged {
  return new BlobDamaged(`The blob ${sha256} in ${name} is damaged.`);
}

function streamOf(parts: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = parts[Symbol.iterator]();
  return lazyStream(async () => rest.next().value);
}

async function digestOf(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  try {
    const reader = fileStream(path, 0, Math.max(1, size)).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read())
      hash.update(next.value);
  } catch (error) {
    if (isAbsent(error)) return "absent";
    // That of what is there is asked for.
    if (!(error instanceof WrongLength)) throw error;
  }
  return hash.digest("hex");
}

/** The rule for `cacheBytes`. */
export const aByteCount: Expectation = {
  what: "a number of bytes",
  holds: (value) => Number(value) >= 0,
};
