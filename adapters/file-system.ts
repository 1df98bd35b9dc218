import { StoreUnavailable } from "../lib/sql/sql.ts";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

/** Refusals of a file system after which trying later makes sense, in words for the operator. */
const passing: Readonly<Record<string, string>> = {
  ENOSPC: "has no space left on its disk",
  EDQUOT: "has used up its quota",
  EROFS: "is on a read-only file system",
  EACCES: "may not be written by this user",
  EPERM: "may not be written by this user",
  EIO: "cannot be read or written",
  EMFILE: "cannot be opened: too many files are open",
  ENFILE: "cannot be opened: too many files are open",
};

/** What a file system threw, as an error of ours where trying later makes sense; the rest unchanged. */
export function fileFailure(error: unknown, what: string): unknown {
  const words = passing[codeOf(error) ?? ""];
  return words === undefined ? error : new StoreUnavailable(`${what} ${words}.`, { cause: error });
}

/** Returns whether there is no such file, or no such directory on the way to it. */
export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Makes the names in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  await using(await open(path, "r"), (handle) => handle.sync());
}

/** Creates a directory for its owner alone, durably; nothing happens when it is there. Its parent must be there. */
export async function makeDirectory(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncDirectory(dirname(path));
}

/** Hands `handle` to `body`, and closes it whatever happens. */
export async function using<Value>(
  handle: FileHandle,
  body: (handle: FileHandle) => Promise<Value>,
): Promise<Value> {
  try {
    return await body(handle);
  } finally {
    await handle.close();
  }
}
