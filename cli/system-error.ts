import { statfsSync } from "node:fs";

/** `ENOENT` and its like, or what a library calls its own failures; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "string"
    ? error.code
    : undefined;
}

/** With less free space no database can be opened: it needs a log and an index of the log. */
const FULL_BYTES = 1_048_576;

/** A sentence that says so if the disk of `path` is full, to follow another one; else empty. */
export function fullDisk(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    if (free >= FULL_BYTES) return "";
    return ` The disk is full (${Math.floor(free / 1_024)} KiB free): make room, then try again.`;
  } catch {
    // The caller reports another error; this one would only hide it.
    return "";
  }
}

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? "";
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the disk",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of the path is not a directory",
  EISDIR: "it is a directory",
  ENOENT: "no such file or directory",
  ENAMETOOLONG: "the name is too long",
};
