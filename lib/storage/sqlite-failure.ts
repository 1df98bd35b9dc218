import { StoreUnavailable } from "./store.ts";

/** Primary result codes after which trying later makes sense, in words for the operator (sqlite.org/rescode.html). */
const passing: Readonly<Record<number, string>> = {
  5: "is locked by another process",
  6: "is locked",
  7: "has no memory left",
  8: "cannot be written",
  10: "cannot be read or written",
  13: "has no space left on its disk",
  14: "cannot be opened",
  15: "is locked by another process",
};

/** An error of ours for whatever a SQLite handle threw, which stays on as its cause. */
export function failureOf(error: unknown): Error {
  const words = passing[resultCode(error) & 0xff];
  if (words !== undefined) return new StoreUnavailable(`The database ${words}.`, { cause: error });
  return error instanceof Error ? error : new Error("The database failed.", { cause: error });
}

/** The result code, possibly an extended one: `errno` in bun:sqlite, `errcode` in node:sqlite; 0 if neither. */
function resultCode(error: unknown): number {
  if (typeof error !== "object" || error === null) return 0;
  if ("errno" in error && typeof error.errno === "number") return error.errno;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  return 0;
}
