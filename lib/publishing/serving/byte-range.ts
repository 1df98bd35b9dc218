import type { ByteRange } from "../blobs.ts";

/** A part that can be had, all of it because the header asks for nothing that we give in parts, or no part there is. */
export type Ranged = ByteRange | "whole" | "unsatisfiable";

const SINGLE = /^bytes=[ \t]*(\d{0,20})-(\d{0,20})[ \t]*$/i;

/**
 * Reads `Range` for something of `size` bytes (RFC 9110 §14.2). Several ranges at once, other units and what is
 * malformed are answered by the whole, as a server may.
 */
export function rangeOf(header: string, size: number): Ranged {
  const [, first = "", last = ""] = SINGLE.exec(header) ?? [];
  if (first === "") {
    if (last === "") return "whole";
    const length = Number(last);
    if (length === 0 || size === 0) return "unsatisfiable";
    return { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(size, Number(last) + 1) };
}

/** `bytes 0-99/1234`; without a range, what a 416 says. */
export function contentRange(range: ByteRange | undefined, size: number): string {
  return range === undefined ? `bytes */${size}` : `bytes ${range.start}-${range.end - 1}/${size}`;
}
