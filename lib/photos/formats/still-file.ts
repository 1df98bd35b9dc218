import { refused, type Result } from "../../base/result.ts";
import type { PictureFault } from "../fault.ts";
import type { Picture } from "../images.ts";
import { MAX_PARTS, MAX_PROFILE_BYTES } from "../limits.ts";

/** A still picture as its reader finds it. `bytes` have no metadata, and nothing of what lies behind the end. */
export interface StillFile extends Picture {
  /** The colour profile (ICC), unread. */
  readonly profile: Uint8Array | undefined;
}

/** Returns a copy of a profile: of a longer one, so much that it is known as too long. */
export function profileAt(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return bytes.slice(start, Math.min(end, start + MAX_PROFILE_BYTES));
}

/** The refusal of a file of too many parts. */
export const tooManyParts: Result<never, PictureFault> = refused({
  kind: "unusual",
  what: `made of more than ${MAX_PARTS} parts`,
});
