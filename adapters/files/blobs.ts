import { aBoolean, aClock, aText, checkOptions, optional } from "../../lib/base/options.ts";
import { createHash, randomBytes } from "node:crypto";
import { open, readdir, readFile, rename, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS, systemClock, type Clock } from "../../lib/base/clock.ts";
import { hex, webDigest } from "../../lib/base/digest.ts";
import { inTurn, once } from "../../lib/base/eventual.ts";
import { partReader } from "../../lib/base/parts.ts";
import {
  BlobTooLarge,
  isBlobName,
  type Blobs,
  type StoredBlob,
} from "../../lib/publishing/blobs.ts";
import { fileBody } from "../hosts/file-body.ts";
import { fileFailure, isAbsent, makeDirectory, syncDirectory, using } from "./file-system.ts";

/** Options of a store of blobs in a directory. */
export interface DirectoryBlobsOptions {
  /** Created if absent, readable by its owner alone. Its parent must exist. */
  readonly path: string;
  /**
   * If false, puts do not wait for the disk, and a crash of the machine can lose blobs or damage their contents. Default: true.
   */
  readonly durable?: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Blobs as files of a directory, `ab/cdef…`: written to a temporary file, synced, then renamed, so that a name never
 * leads to a partial blob. Works on Node and Bun. Several processes may share it; `putBefore` of `delete` is exact
 * within one. Throws a `TypeError` for invalid options.
 */
export function directoryBlobs(options: DirectoryBlobsOptions): Blobs {
  checkOptions("directoryBlobs", options, {
    path: aText,
    durable: optional(aBoolean),
    clock: optional(aClock),
  });
  const { path, durable = true, clock = systemClock } = options;
  const oneAtATime = inTurn();
  const unfinished = join(path, "unfinished");
  const prepare = once(async () => {
    await makeDirectory(path);
    await makeDirectory(unfinished);
    await removeAbandoned(unfinished, clock.now() - DAY_MS);
  });

  const keep = (sha256: string, size: number, write: () => Promise<string>): Promise<StoredBlob> =>
    oneAtATime(sha256, async () => {
      const place = placeOf(path, sha256);
      const now = clock.now() / 1_000;
      if (await touched(place.file, now)) {
        // Another process may have renamed it into place without a sync yet.
        if (durable) await syncDirectory(place.folder);
        return { sha256, size, added: false };
      }
      const draft = await write();
      await utimes(draft, now, now);
      await makeDirectory(place.folder);
      await rename(draft, place.file);
      if (durable) await syncDirectory(place.folder);
      return { sha256, size, added: true };
    });

  return {
    put: async (content, { maxBytes = Infinity } = {}) => {
      const draft = join(unfinished, randomBytes(12).toString("hex"));
      try {
        await prepare();
        if (content instanceof Uint8Array) {
          if (content.length > maxBytes) throw tooLarge(maxBytes);
          const sha256 = hex(await webDigest.sha256(content));
          return await keep(sha256, content.length, async () => {
            await writeDraft(draft, [content], durable);
            return draft;
          });
        }
        const hash = createHash("sha256");
        let size = 0;
        const note = (part: Uint8Array): void => {
          size += part.length;
          if (size > maxBytes) throw tooLarge(maxBytes);
          hash.update(part);
        };
        await writeDraft(draft, noted(content, note), durable);
        const stored = await keep(hash.digest("hex"), size, async () => draft);
        if (!stored.added) await unlink(draft);
        return stored;
      } catch (error) {
        await unlink(draft).catch(() => undefined);
        throw fileFailure(error, WHAT);
      }
    },
    size: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      return (await unlessAbsent(stat(placeOf(path, sha256).file)))?.size;
    },
    read: async (sha256) => {
      if (!isBlobName(sha256)) return undefined;
      return unlessAbsent(readFile(placeOf(path, sha256).file));
    },
    open: async (sha256, range) => {
      if (!isBlobName(sha256)) return undefined;
      const { file } = placeOf(path, sha256);
      const found = await unlessAbsent(stat(file));
      if (found === undefined) return undefined;
      const { start, end } = range ?? { start: 0, end: found.size };
      if (start >= Math.min(end, found.size)) return new Uint8Array();
      return fileBody(file, { start, end: Math.min(end, found.size) });
    },
    delete: (sha256, putBefore = Infinity) =>
      oneAtATime(sha256, async () => {
        if (!isBlobName(sha256)) return;
        const { file } = placeOf(path, sha256);
        const found = await unlessAbsent(stat(file));
        if (found === undefined || Math.round(found.mtimeMs) >= putBefore) return;
        await unlessAbsent(unlink(file));
      }),
    list: async function* () {
      for (const folder of (await unlessAbsent(readdir(path))) ?? []) {
        for (const rest of (await unlessAbsent(readdir(join(path, folder)))) ?? []) {
          if (!isBlobName(folder + rest)) continue;
          const found = await unlessAbsent(stat(join(path, folder, rest)));
          if (found === undefined) continue;
          yield { sha256: folder + rest, size: found.size, putAt: Math.round(found.mtimeMs) };
        }
      }
    },
  };
}

const WHAT = "The directory of blobs";

interface Place {
  readonly folder: string;
  readonly file: string;
}

/** Returns where a blob is stored. The first two characters of its name are a directory, which keeps directories small. */
function placeOf(path: string, sha256: string): Place {
  const folder = join(path, sha256.slice(0, 2));
  return { folder, file: join(folder, sha256.slice(2)) };
}

async function writeDraft(
  draft: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  durable: boolean,
): Promise<void> {
  await using(await open(draft, "wx", 0o600), async (handle) => {
    for await (const chunk of content) await handle.writeFile(chunk);
    if (durable) await handle.sync();
  });
}

/** Yields a stream in few parts, each after `note`, which may throw. */
async function* noted(
  content: ReadableStream<Uint8Array>,
  note: (part: Uint8Array) => void,
): AsyncIterable<Uint8Array> {
  const reader = content.getReader();
  const next = partReader(reader);
  let fault: unknown;
  try {
    for (let part = await next(); part !== undefined; part = await next()) {
      note(part);
      yield part;
    }
  } catch (error) {
    fault = error;
    throw error;
  } finally {
    // Also if the file could not be written. The content may be what failed; then cancelling it fails too.
    await reader.cancel(fault).catch(() => undefined);
  }
}

function tooLarge(maxBytes: number): BlobTooLarge {
  return new BlobTooLarge(`The content is larger than ${maxBytes} bytes.`);
}

/** Sets the time of the last put. Returns true if the file exists. */
async function touched(file: string, seconds: number): Promise<boolean> {
  return (await unlessAbsent(utimes(file, seconds, seconds).then(() => true))) ?? false;
}

/** Removes temporary files of crashed processes. */
async function removeAbandoned(unfinished: string, before: number): Promise<void> {
  for (const name of await readdir(unfinished)) {
    const file = join(unfinished, name);
    const found = await unlessAbsent(stat(file));
    if (found !== undefined && found.mtimeMs < before) await unlessAbsent(unlink(file));
  }
}

async function unlessAbsent<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw fileFailure(error, WHAT);
  }
}
