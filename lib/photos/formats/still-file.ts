import { refused, type Result } from "../../base/result.ts";
import type { PictureFault } from "../fault.ts";
import type { Picture } from "../images.ts";
import { MAX_PARTS } from "../limits.ts";

/** A still picture as its reader finds it. `bytes` are a copy without metadata and without what lies behind the end. */
export interface StillFile extends Picture {
  /** The colour profile (ICC), unread. */
  readonly profile: Uint8Array | undefined;
}

/** The refusal of a file of too many parts. */
export const tooManyParts: Result<never, PictureFault> = refused({
  kind: "unusual",
  what: `made of more than ${MAX_PARTS} parts`,
});
