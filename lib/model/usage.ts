import type { Environment } from "./account.ts";

/** How much a key asked of one operation within one minute or day. */
export interface UsageRow {
  readonly keyId: string;
  readonly environment: Environment;
  /** `listPets`; `unknown` where the path or method named none. */
  readonly operation: string;
  /** Start of the minute, or of the UTC day. */
  readonly at: number;
  readonly requests: number;
  /** Of these, refused with 429. */
  readonly limited: number;
  /** Of these, answered with another 4xx. */
  readonly refused: number;
  /** Of these, failed by our fault (5xx). */
  readonly failed: number;
}

/** Which rows to read: one account's, of one length, from `from` up to, not including, `to`. */
export interface UsageQuery {
  readonly accountId: string;
  readonly by: "minute" | "day";
  readonly from: number;
  readonly to: number;
  readonly environment?: Environment;
  readonly keyId?: string;
}
