import type { Seen } from "../model/drift.ts";

/** An event for metrics. All texts are from closed sets or issuer ids from the options. */
export type Observation =
  | {
      readonly kind: "order_ended";
      /** The issuer's id. */
      readonly issuer: string;
      /** `issued`, or the failure's code. */
      readonly outcome: string;
    }
  | {
      readonly kind: "dns_checked";
      /** The findings' codes. */
      readonly findings: readonly string[];
    }
  /** A look at a live name. */
  | { readonly kind: "looked"; readonly seen: Seen };

/** Receives events for metrics. Must not throw. */
export type Observe = (observation: Observation) => void;
