import type { OrderStep } from "../../../domains/model/order-state.ts";
import type { Resource } from "../../helpers/fault-ca/rule.ts";
import type { Change } from "./written.ts";

/** A reproducible moment at which a domain's program can be killed. */
export interface Moment {
  readonly name: string;
  /** The recorded state of the order; `none`: not begun, `active`: finished. */
  readonly step: OrderStep["step"] | "active" | "none";
  readonly at:
    /** The nth request of its kind: the CA never sees it, or processes it but the response is lost. */
    | {
        readonly by: "request";
        readonly resource: Resource;
        readonly nth: number;
        readonly when: "arrives" | "answered";
      }
    /** The CA validates the proof, and the request for that is recorded. */
    | { readonly by: "look" }
    /** The next write fails. */
    | { readonly by: "write"; readonly of: Change };
  /** The CA has an order that the program does not know. */
  readonly lostOrder?: true;
  /** The CA issues a certificate unknown to the program, which asks again and learns about the first request. */
  readonly lostFinalize?: true;
}

const arrives = (resource: Resource, nth = 1): Moment["at"] => ({
  by: "request",
  resource,
  nth,
  when: "arrives",
});
const answered = (resource: Resource, nth = 1): Moment["at"] => ({
  by: "request",
  resource,
  nth,
  when: "answered",
});

/**
 * In order: each state right after it was recorded, and each action right after it took effect with its response
 * lost.
 */
export const moments: readonly Moment[] = [
  { name: "the order is about to be made", step: "keyed", at: arrives("newOrder") },
  { name: "the order was made", step: "keyed", at: answered("newOrder"), lostOrder: true },
  { name: "the order is known", step: "ordered", at: arrives("authorization") },
  { name: "the challenge is chosen", step: "ordered", at: answered("authorization") },
  { name: "the proof is shown", step: "presented", at: arrives("challenge") },
  { name: "the CA was told to look", step: "presented", at: answered("challenge") },
  { name: "the CA looks", step: "answered", at: { by: "look" } },
  { name: "the CA is asked what it saw", step: "answered", at: arrives("authorization", 2) },
  { name: "the certificate is about to be asked for", step: "proven", at: arrives("finalize") },
  {
    name: "the certificate was asked for",
    step: "proven",
    at: answered("finalize"),
    lostFinalize: true,
  },
  { name: "the certificate is being made", step: "finalized", at: arrives("order") },
  { name: "the certificate can be fetched", step: "issued", at: arrives("certificate") },
  { name: "the certificate was fetched", step: "issued", at: answered("certificate") },
  {
    name: "the certificate is here",
    step: "downloaded",
    at: { by: "write", of: "certificate" },
  },
  { name: "the certificate is in use", step: "active", at: { by: "write", of: "live" } },
];

/** Before any order: while the CA account is created. */
export const beginnings: readonly Moment[] = [
  { name: "the account is about to be made", step: "none", at: arrives("newAccount") },
  { name: "the account was made", step: "none", at: answered("newAccount") },
];
