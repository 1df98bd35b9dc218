import type { ChallengeKind } from "./domain.ts";

/**
 * How far an order is. Each step is written down before it is taken, so that whoever comes next knows what may have
 * been done: to be at a step means that everything before it is done, and that its own deed may be.
 */
export type OrderStep =
  /** A private key is kept; the order is being made. */
  | { readonly step: "keyed" }
  /** The CA has an order; what it wants is being asked. */
  | { readonly step: "ordered"; readonly url: string }
  /** The answer to a challenge can be had from every node; the CA is being told to look. */
  | ({ readonly step: "presented" } & Presented)
  /** The CA was told, and looks. */
  | ({ readonly step: "answered" } & Presented)
  /** Control is proven; the certificate is being asked for. */
  | { readonly step: "proven"; readonly url: string }
  /** It was asked for; the CA is making it. */
  | { readonly step: "finalized"; readonly url: string }
  /** It can be fetched. */
  | { readonly step: "issued"; readonly url: string; readonly certificateUrl: string }
  /** It is here; it is being checked and put to use. */
  | { readonly step: "downloaded"; readonly url: string; readonly chainPem: string };

interface Presented {
  readonly url: string;
  readonly authorizationUrl: string;
  readonly challenge: ChallengeKind;
}

/** One certificate in the making. */
export interface OpenOrder {
  /** `ord_` and 12 characters of base 62. */
  readonly id: string;
  readonly domainId: string;
  readonly name: string;
  /** Id of the authority that it was begun with, and is ended with. */
  readonly authority: string;
  /** Sealed PEM of the certificate's private key. */
  readonly sealedKey: string;
  readonly state: OrderStep;
  readonly openedAt: number;
  /** Rights to issue that the CA granted or was asked for: given up if the domain is. */
  readonly authorizationUrls: readonly string[];
  readonly version: number;
}

/** An order that was not filled by then is given up: no CA takes that long. */
export const ORDER_MAX_MS: number = 60 * 60_000;

/** How long an open challenge is answered. */
export const CHALLENGE_MAX_MS: number = 2 * ORDER_MAX_MS;

/** How long the CA is left alone before it is asked again, where it does not say: more the longer it takes. */
export function pollAt(openedAt: number, now: number, retryAt: number | undefined): number {
  if (retryAt !== undefined) return Math.max(now + 250, Math.min(retryAt, now + 5 * 60_000));
  const waited = Math.max(0, now - openedAt);
  return now + Math.min(30_000, Math.max(1_000, waited / 4));
}
