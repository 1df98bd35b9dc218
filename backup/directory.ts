import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

import { isAbsent, syncDirectory, using } from "../adapters/files/file-system.ts";
import { lazyStream } from "../lib/publishing/archive/byte-source.ts";
import { codeOf, Failure, reasonOf } from "../settings/failure.ts";
import type { Objects } from "./ports.ts";

const PARTIAL = ".partial";
/** What is written at once. A service on the same disk cannot commit in the meantime. */
const SLICE_BYTES = 262_144;
/** The longest rest after a slice. */
const REST_MS = 50;

/** Stores objects as files below a directory, which is created for its owner only. */
export function directoryObjects(path: string): Objects {
  return {
    place: path,
    put: async (name, content, verify) => {
      const file = join(path, name);
      await makeDirectories(dirname(file));
      await writeWhole(file, content, verify);
    },
    get: (name) => readWhole(join(path, name)),
    list: async function* (prefix) {
      for await (const name of filesBelow(path, prefix)) {
        if (isPartial(name)) continue;
        const found = await unlessAbsent(stat(join(path, name)), path);
        if (found !== undefined) yield { name, bytes: found.size };
      }
    },
    delete: async (name) => {
      await unlessAbsent(rm(join(path, name)), path);
    },
    sweep: async (prefix, owned) => {
      for await (const name of filesBelow(path, prefix)) {
        if (!isPartial(name) || !owned(name.slice(0, -PARTIAL.length))) continue;
        await unlessAbsent(rm(join(path, name)), path);
      }
    },
  };
}

/** Opens a file; undefined if it does not exist. */
export async function readWhole(path: string): Promise<ReadableStream<Uint8Array> | undefined> {
  const found = await unlessAbsent(stat(path), path);
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new Failure("usage", `${path} is not a file.`);
  return fileStream(path, found.size);
}

const PART_BYTES = 262_144;

/** Opens the file for each part, so that a reader who stops midway leaves nothing open. */
function fileStream(path: string, size: number): ReadableStream<Uint8Array> {
  let offset = 0;
  return lazyStream(async () => {
    const part = new Uint8Array(Math.min(PART_BYTES, size - offset));
    if (part.length === 0) return undefined;
    const { bytesRead } = await using(await open(path, "r"), (handle) =>
      handle.read(part, 0, part.length, offset),
    );
    offset += bytesRead;
    return bytesRead === 0 ? undefined : part.subarray(0, bytesRead);
  });
}

/**
 * Writes a file for its owner only: into `<path>.partial`, synced, read back by `verify`, then renamed. A failure removes
 * the partial file, and a crash leaves nothing under the final name.
 */
export async function writeWhole(
  path: string,
  content: ReadableStream<Uint8Array>,
  verify?: (readBack: () => Promise<ReadableStream<Uint8Array>>) => Promise<void>,
): Promise<void> {
  const partial = partialOf(path);
  const reader = content.getReader();
  try {
    await using(await unlessFailed(open(partial, "w", 0o600), path), async (handle) => {
      let unsynced = 0;
      // A failure of the source is not a failure of the file.
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        await unlessFailed(handle.writeFile(next.value), path);
        unsynced += next.value.length;
        if (unsynced < SLICE_BYTES) continue;
        const startedAt = performance.now();
        await unlessFailed(handle.datasync(), path);
        unsynced = 0;
        // As long as it took: half of the time belongs to others.
        await Bun.sleep(Math.min(performance.now() - startedAt, REST_MS));
      }
      await unlessFailed(handle.sync(), path);
    });
    await verify?.(async () => {
      const stored = await readWhole(partial);
      if (stored === undefined) throw new Failure("failed", `${partial} was removed.`);
      return stored;
    });
    await unlessFailed(rename(partial, path), path);
    await unlessFailed(syncDirectory(dirname(path)), path);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Returns the path of a file that is being written. */
export function partialOf(path: string): string {
  return path + PARTIAL;
}

export function isPartial(path: string): boolean {
  return path.endsWith(PARTIAL);
}

/** Creates a directory and its parents for their owner only, durably. */
export async function makeDirectories(path: string): Promise<void> {
  const first = await unlessFailed(mkdir(path, { recursive: true, mode: 0o700 }), path);
  if (first === undefined) return;
  for (let made = path; made !== dirname(first); made = dirname(made)) {
    // A directory that we may write but not read cannot be synced.
    await syncDirectory(dirname(made)).catch(() => undefined);
  }
}

/** Lists the files whose relative paths begin with `prefix`. */
async function* filesBelow(path: string, prefix: string): AsyncIterable<string> {
  const top = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  const entries = await unlessAbsent(readdir(join(path, top), { withFileTypes: true }), path);
  for (const entry of entries ?? []) {
    const name = top + entry.name;
    if (!name.startsWith(prefix)) continue;
    if (entry.isDirectory()) yield* filesBelow(path, `${name}/`);
    else if (entry.isFile()) yield name;
  }
}

async function unlessFailed<Value>(asked: Promise<Value>, path: string): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    throw failureAt(path, error);
  }
}

async function unlessAbsent<Value>(
  asked: Promise<Value>,
  path: string,
): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw failureAt(path, error);
  }
}

/** Describes a failed access to `path`, and what to do about it. */
export function failureAt(path: string, error: unknown): Failure {
  const code = codeOf(error) ?? "";
  const exit = code === "EACCES" || code === "EPERM" ? "denied" : "failed";
  const advice =
    code === "ENOSPC" || code === "EDQUOT" ? " Free some space there, then try again." : "";
  return new Failure(exit, `${path}: ${reasonOf(error)}.${advice}`, { cause: error });
}
