import { hex, webDigest } from "../../lib/base/digest.ts";
import { inTurn } from "../../lib/base/eventual.ts";
import type { Expectation } from "../../lib/base/options.ts";
import { lazyStream } from "../../lib/publishing/archive/byte-source.ts";
import { BlobTooLarge, isBlobName, type Blobs } from "../../lib/publishing/blobs.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { BlobCopies, unlessDiskFails, type BlobCache } from "./blob-copies.ts";
import { damagedAt, streamFromOrigin, type BlobOrigin } from "./blob-origin.ts";
import { isAbsent, isFileFailure } from "./file-system.ts";

/**
 * Blobs of an origin, with copies on the local disk. Contents are compared with their digest when they arrive, and when a
 * copy of an earlier process is used first. If the disk cannot take a copy, the blob is streamed from the origin, and half of
 * the copies are removed to make room for the next.
 */
export function cachedBlobs(origin: BlobOrigin, cache: BlobCache): Blobs {
  const copies = new BlobCopies(cache);
  const oneAtATime = inTurn();
  const withCopy = copyUser(origin, copies);

  /** Stores a stream, which the disk must take to find its name. */
  const putStream: Blobs["put"] = async (content, limits) => {
    await copies.prepare();
    const written = await copies.write(content, limits).catch(async (error: unknown) => {
      if (isFileFailure(error)) await copies.makeRoom();
      throw error;
    });
    const { sha256, size } = written;
    const unpin = copies.pin(sha256);
    return oneAtATime(sha256, async () => {
      try {
        if (!written.added && !(await copies.isSound(sha256, size))) {
          await copies.remove(sha256);
          throw new StoreUnavailable(
            "The copy on the local disk was removed or damaged. Send the file again.",
          );
        }
        const added = await origin.store(sha256, size, () => copies.stream(sha256, 0, size));
        await copies.keep(sha256, size, true);
        return { sha256, size, added };
      } catch (error) {
        // A copy of a blob that is not stored would look stored.
        if (written.added) await copies.remove(sha256);
        throw error;
      } finally {
        unpin();
      }
    });
  };

  const putBytes = async (bytes: Uint8Array, maxBytes: number) => {
    const size = bytes.length;
    if (size > maxBytes) throw new BlobTooLarge(`The content is larger than ${maxBytes} bytes.`);
    const sha256 = hex(await webDigest.sha256(bytes));
    return oneAtATime(sha256, async () => {
      const added = await origin.store(sha256, size, () => streamOf(bytes));
      const isKept = await unlessDiskFails(async () => {
        await copies.prepare();
        const copy = await copies.write(bytes);
        await copies.keep(sha256, size, copy.added || copies.isVerified(sha256));
        return true;
      });
      if (isKept === undefined) await copies.makeRoom();
      return { sha256, size, added };
    });
  };

  /** Streams a range. Opens the copy or the origin on the first read, so that an unused body costs nothing. */
  const bodyOf = (sha256: string, start: number, end: number): ReadableStream<Uint8Array> => {
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
                () => first(copies.stream(sha256, start, end)),
                () => first(streamFromOrigin(origin, sha256, start, end)),
              )
            : await reader.read();
        if (next === undefined) throw new Error(`The blob ${sha256} was removed.`);
        return next.value;
      },
      async (reason) => reader?.cancel(reason),
    );
  };

  return {
    put: (content, limits) =>
      content instanceof Uint8Array
        ? putBytes(content, limits?.maxBytes ?? Infinity)
        : putStream(content, limits),
    size: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      await unlessDiskFails(async () => copies.prepare());
      return copies.sizeOf(sha256) ?? origin.size(sha256);
    },
    read: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      return withCopy(
        sha256,
        () => copies.read(sha256),
        async () => {
          const size = await origin.size(sha256);
          if (size === undefined) return undefined;
          const all = streamFromOrigin(origin, sha256, 0, size);
          return new Uint8Array(await new Response(all).arrayBuffer());
        },
      );
    },
    open: async (sha256, range) => {
      if (!isBlobName(sha256)) return undefined;
      const size = await withCopy(
        sha256,
        () => copies.fileSize(sha256),
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
        const begun = copies.instant();
        if (!(await origin.delete(sha256, putBefore)) || copies.isPinned(sha256)) return;
        await unlessDiskFails(async () => {
          await copies.prepare();
          await copies.remove(sha256, begun);
        });
      }),
    list: () => origin.list(),
  };
}

/** What became of a copy. `uncopied`: the disk cannot take it. */
type Arrival = "copied" | "absent" | "uncopied";

/** How often a copy is used that was removed before it could be. */
const ATTEMPTS = 5;

type UseCopy = <Value>(
  sha256: string,
  use: () => Promise<Value | undefined>,
  directly: () => Promise<Value | undefined>,
) => Promise<Value | undefined>;

/**
 * Returns a function that uses the copy of a blob, which it fetches first if there is none; again, if the copy was removed
 * before it could be used. Without a copy, it calls `directly`. It returns undefined if the origin has no such blob.
 */
function copyUser(origin: BlobOrigin, copies: BlobCopies): UseCopy {
  /** Those who want one blob share its copy. */
  const arriving = new Map<string, Promise<Arrival>>();

  const download = async (sha256: string): Promise<Arrival> => {
    let damaged = false;
    for await (const content of origin.contents(sha256)) {
      const written = await unlessDiskFails(() => copies.write(content));
      if (written === undefined) {
        await content.cancel().catch(() => undefined);
        await copies.makeRoom();
        return "uncopied";
      }
      if (written.sha256 === sha256) {
        await copies.keep(sha256, written.size, true);
        return "copied";
      }
      damaged = true;
      if (written.added) await copies.remove(written.sha256);
    }
    if (damaged) throw damagedAt(origin, sha256);
    return "absent";
  };

  const arrive = async (sha256: string): Promise<Arrival> => {
    await copies.prepare();
    const known = arriving.get(sha256);
    if (known !== undefined) return known;
    const mine = (async () => ((await copies.use(sha256)) ? "copied" : download(sha256)))();
    arriving.set(sha256, mine);
    try {
      return await mine;
    } finally {
      arriving.delete(sha256);
    }
  };

  return async (sha256, use, directly) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const arrival = (await unlessDiskFails(() => arrive(sha256))) ?? "uncopied";
      if (arrival === "absent") return undefined;
      if (arrival === "uncopied") break;
      const used = await unlessDiskFails(use);
      if (used !== undefined) return used;
      copies.forget(sha256);
    }
    return directly();
  };
}

function streamOf(...parts: Uint8Array[]): ReadableStream<Uint8Array> {
  return lazyStream(async () => parts.shift());
}

/** The rule for `cacheBytes`. */
export const aByteCount: Expectation = {
  what: "a number of bytes",
  holds: (value) => Number(value) >= 0,
};
