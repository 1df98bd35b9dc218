import type { CaaRecord, Explanation, UnknownReason } from "./answer.ts";

/** What climbing the tree for CAA records found (RFC 8659 §3). */
export type CaaLookup =
  /** The first set that is not empty, from the name upwards. */
  | {
      readonly kind: "found";
      /** The name of the domain or above it at which the set answered. */
      readonly at: string;
      /** Where the records are when `at` is an alias, else the same. */
      readonly owner: string;
      readonly records: readonly [CaaRecord, ...CaaRecord[]];
    }
  /** No name up to the top has any: everybody may issue. */
  | { readonly kind: "absent" }
  /** One name could not be asked before a set was found: a CA would refuse. */
  | {
      readonly kind: "unknown";
      readonly at: string;
      readonly reason: UnknownReason;
      readonly bogus: boolean;
      readonly explanation?: Explanation;
    };
