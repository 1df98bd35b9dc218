import type { Digest } from "../base/digest.ts";
import { hashAfter, type AuditRow, type ChainPlace } from "./model.ts";

/** What is wrong with a chain, by the first row that shows it. */
export type ChainFault =
  /** The row does not have the hash of its content: the content, the hash or the row before it was changed. */
  | { readonly code: "changed"; readonly seq: number }
  /** Rows are missing before this one. */
  | { readonly code: "missing"; readonly seq: number; readonly expected: number }
  /** The row is here, although one with a higher number was before it. */
  | { readonly code: "reordered"; readonly seq: number; readonly expected: number }
  /** The row records an event at or before the one of the row before it. */
  | { readonly code: "repeated"; readonly seq: number }
  /** Rows are missing at the end, or the last one is not the one that the end names. */
  | { readonly code: "truncated"; readonly seq: number; readonly expected: number }
  /** The row that was noted elsewhere has another hash, or the chain ends before it. */
  | { readonly code: "not_the_noted"; readonly seq: number };

/** The result of a verification. */
export interface Verified {
  /** Absent if the chain is whole. */
  readonly fault?: ChainFault;
  /** The rows that were checked, up to the fault. */
  readonly rows: number;
  /** The place before the first row. */
  readonly from: ChainPlace;
  /** The last row that was checked. */
  readonly head: ChainPlace;
  /** False if the row that was noted elsewhere is older than the oldest row: then it could not be compared. */
  readonly noted?: boolean;
}

/** Checks the rows of a chain one after another. */
export interface ChainVerifier {
  /** Checks the next row. Returns false after a fault: further rows are not checked. */
  add(row: AuditRow): Promise<boolean>;
  /** Ends the check. The chain must end at `end`, if it is given. */
  end(end?: ChainPlace): Verified;
}

/**
 * Verifies the rows after `from`. `noted` is a place that was noted elsewhere, such as the head of an earlier verification: with
 * it, a chain that was rewritten as a whole, or cut off before it, is found as well.
 */
export function chainVerifier(digest: Digest, from: ChainPlace, noted?: ChainPlace): ChainVerifier {
  let head = from;
  let event = 0;
  let rows = 0;
  let fault: ChainFault | undefined;
  let seen = noted === undefined || (noted.seq === from.seq && noted.hash === from.hash);

  const faultOf = async (row: AuditRow): Promise<ChainFault | undefined> => {
    const expected = head.seq + 1;
    const { seq } = row;
    if (seq > expected) return { code: "missing", seq, expected };
    if (seq < expected) return { code: "reordered", seq, expected };
    if ((await hashAfter(digest, head.hash, row)) !== row.hash) return { code: "changed", seq };
    if (row.event <= event) return { code: "repeated", seq };
    if (seq !== noted?.seq) return undefined;
    seen = row.hash === noted.hash;
    return seen ? undefined : { code: "not_the_noted", seq };
  };

  return {
    add: async (row) => {
      if (fault !== undefined) return false;
      fault = await faultOf(row);
      if (fault !== undefined) return false;
      head = { seq: row.seq, hash: row.hash };
      event = row.event;
      rows++;
      return true;
    },
    end: (end) => {
      if (fault === undefined && end !== undefined && !isSame(end, head)) {
        fault = { code: "truncated", seq: head.seq, expected: end.seq };
      }
      const isOlder = noted !== undefined && noted.seq <= from.seq && !seen;
      if (fault === undefined && noted !== undefined && !seen && !isOlder) {
        fault = { code: "not_the_noted", seq: noted.seq };
      }
      return {
        ...(fault === undefined ? {} : { fault }),
        rows,
        from,
        head,
        ...(noted === undefined || fault !== undefined ? {} : { noted: seen }),
      };
    },
  };
}

function isSame(a: ChainPlace, b: ChainPlace): boolean {
  return a.seq === b.seq && a.hash === b.hash;
}
