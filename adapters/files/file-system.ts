import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

/** File system errors after which a retry may succeed, with a description for the operator. */
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

/** Converts a temporary file system error to `StoreUnavailable`; returns other errors unchanged. */
export function fileFailure(error: unknown, what: string): unknown {
  const words = passing[codeOf(error) ?? ""];
  return words === undefined ? error : new StoreUnavailable(`${what} ${words}.`, { cause: error });
}

/** Returns whether the error is a temporary one of the file system, possibly converted by `fileFailure`. */
export function isFileFailure(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return passing[codeOf(cause) ?? ""] !== undefined;
}

/** Returns whether the error means that the file or a parent directory does not exist. */
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

/** Creates a directory for its owner only, durably. Does nothing if it exists. Its parent must exist. */
export async function makeDirectory(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncDirectory(dirname(path));
}

/** Passes `handle` to `body` and closes it in every case. */
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
