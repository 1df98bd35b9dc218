import type { OrderStep } from "../../../domains/model/order-state.ts";
import type { Resource } from "../../helpers/fault-ca/rule.ts";
import type { Change } from "./written.ts";

/** A time in the life of a domain at which its program can be killed, the same every time. */
export interface Moment {
  readonly name: string;
  /** How far the order is then, as it is written down; `none`: not begun, `active`: over. */
  readonly step: OrderStep["step"] | "active" | "none";
  readonly at:
    /** The nth request of its kind: the CA never sees it, or does what it asks for and nobody hears of it. */
    | {
        readonly by: "request";
        readonly resource: Resource;
        readonly nth: number;
        readonly when: "arrives" | "answered";
      }
    /** The CA looks at the proof, and it is written down that it was told to. */
    | { readonly by: "look" }
    /** What comes next could not be written. */
    | { readonly by: "write"; readonly of: Change };
  /** The CA has an order that we never heard of. */
  readonly lostOrder?: true;
  /** The CA makes a certificate that we do not know of: we ask for it again, and learn that it was asked for. */
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
 * In the order in which they come: each step once as it was just written down, and each deed once as it was done and
 * nobody heard.
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

/** Before there is any order: the account with the CA is made. */
export const beginnings: readonly Moment[] = [
  { name: "the account is about to be made", step: "none", at: arrives("newAccount") },
  { name: "the account was made", step: "none", at: answered("newAccount") },
];
