import { statfsSync } from "node:fs";
import { problems, type Problem, type Result } from "../lib/index.ts";

/** The exit codes; scripts may rely on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  notFound: 4,
  denied: 5,
  notOk: 6,
  tryLater: 75,
} as const;

export type Exit = keyof typeof exitCodes;

/** Ends a command with a message for its user. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}

/** Returns the code of a system or library error, such as `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "string"
    ? error.code
    : undefined;
}

/** With less free space no database can be opened, because it needs a log and an index of the log. */
const FULL_BYTES = 1_048_576;

/** Returns a sentence to append if the disk of `path` is full; else an empty text. */
export function fullDisk(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(path);
    const free = bavail * bsize;
    if (free >= FULL_BYTES) return "";
    return ` The disk is full (${Math.floor(free / 1_024)} KiB free). Free some space, then try again.`;
  } catch {
    // The caller reports another error, which this one must not hide.
    return "";
  }
}

/** Describes a system error. */
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
  EEXIST: "a file of this name exists",
  ELOOP: "too many symbolic links",
  ENAMETOOLONG: "the name is too long",
};

/** Returns the value; fails with the problem. */
export function must<Value>(result: Result<Value, Problem>): Value {
  if (result.ok) return result.value;
  throw new Failure(exitOf(result.failure), result.failure.message);
}

function exitOf({ code }: Problem): Exit {
  const { status } = problems[code];
  if (status === 400) return "usage";
  if (status === 401 || status === 403) return "denied";
  if (status === 404) return "notFound";
  return status === 429 || status === 503 ? "tryLater" : "failed";
}
