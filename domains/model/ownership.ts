import { recordsOf, type Answer } from "./answer.ts";

/** Why the ownership record is required while the CNAME does not lead to the domain's own target. */
export type OwnershipReason =
  /** Another account has attached the name as well. */
  | "contested"
  /** Another account attached the name before. */
  | "attached_before"
  /** The name pointed here before it was added, so the account may not be the one that set its records. */
  | "led_here_when_added"
  /** A proxy hides where the name points. */
  | "proxied";

/** The ownership record and why it is required. */
export interface OwnershipFacts {
  /** The complete value of the record. */
  readonly value: string;
  /** Without `proxied`, which is determined by each survey. */
  readonly reasons: readonly Exclude<OwnershipReason, "proxied">[];
}

/** The state of the ownership record. `unknown`: no server answered. */
export type OwnershipState =
  | { readonly kind: "proven" | "missing" | "unknown" }
  /** The records have other values. */
  | { readonly kind: "mismatch"; readonly values: readonly string[] };

/** Judges one server's answer. One of several records must have exactly the expected value. */
export function ownershipIn(answer: Answer<string>, value: string): OwnershipState {
  if (answer.kind === "unknown") return { kind: "unknown" };
  const values = recordsOf(answer);
  if (values.length === 0) return { kind: "missing" };
  return values.includes(value) ? { kind: "proven" } : { kind: "mismatch", values };
}

/** Returns the name of the TXT record that proves ownership. */
export function ownershipName(domain: string): string {
  return `_petstore.${domain}`;
}
