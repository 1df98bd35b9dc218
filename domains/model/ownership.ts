import { recordsOf, type Answer } from "./answer.ts";

/** Why a TXT record is asked for as long as the domain's own target is not seen as its CNAME. */
export type OwnershipReason =
  /** Another account has the name too. */
  | "contested"
  /** Another account had it before. */
  | "attached_before"
  /** It led here already when it was added: whoever adds it need not be the one who made it do so. */
  | "led_here_when_added"
  /** A proxy hides where it leads. */
  | "proxied";

/** What is known of who owns a domain. */
export interface OwnershipFacts {
  /** What the record must say, in whole. */
  readonly value: string;
  /** All but `proxied`, which is seen at each survey. */
  readonly reasons: readonly Exclude<OwnershipReason, "proxied">[];
}

/** What the ownership record says. `unknown`: nobody could be asked. */
export type OwnershipState =
  | { readonly kind: "proven" | "missing" | "unknown" }
  /** With what it says instead. */
  | { readonly kind: "mismatch"; readonly values: readonly string[] };

/**
 * What one server says of the ownership record. Any of several records may have the value; it is compared as a
 * whole, for a part of it is no proof.
 */
export function ownershipIn(answer: Answer<string>, value: string): OwnershipState {
  if (answer.kind === "unknown") return { kind: "unknown" };
  const values = recordsOf(answer);
  if (values.length === 0) return { kind: "missing" };
  return values.includes(value) ? { kind: "proven" } : { kind: "mismatch", values };
}

/** The name of the TXT record by which the ownership of a domain is proven. */
export function ownershipName(domain: string): string {
  return `_petstore.${domain}`;
}
