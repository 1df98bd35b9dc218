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
  /** The answer to a challenge can be had from every process; the CA is being told to look. */
  | {
      readonly step: "presented";
      readonly url: string;
      readonly authorizationUrl: string;
      /** What is presented; absent in rows of older versions. */
      readonly proof?: PresentedProof;
    }
  /** The CA was told, and looks. */
  | { readonly step: "answered"; readonly url: string; readonly authorizationUrl: string }
  /** Control is proven; the certificate is being asked for. */
  | { readonly step: "proven"; readonly url: string }
  /** It was asked for; the CA is making it. */
  | { readonly step: "finalized"; readonly url: string }
  /** It can be fetched. */
  | { readonly step: "issued"; readonly url: string; readonly certificateUrl: string }
  /** It is here; it is being checked and put to use. */
  | { readonly step: "downloaded"; readonly url: string; readonly chainPem: string };

/** A challenge with the answer that every process gives. */
export interface PresentedProof {
  readonly challengeUrl: string;
  readonly token: string;
  readonly keyAuthorization: string;
  /** Fingerprint of the account key that the answer was made with: another key has another answer. */
  readonly accountKey: string;
}

/** One certificate in the making. */
export interface OpenOrder {
  /** `ord_` and 12 characters of base 62. */
  readonly id: string;
  readonly domainId: string;
  readonly name: string;
  /** Id of the authority that it was begun with, and is ended with. */
  readonly authority: string;
  /** Address of the account that it was begun with: no other one can go on with it. Absent in rows of older versions. */
  readonly account?: string;
  /** Sealed PEM of the certificate's private key. */
  readonly sealedKey: string;
  readonly state: OrderStep;
  /** The way of proving that was chosen; absent before, and when the CA asked for no proof. */
  readonly challenge?: ChallengeKind;
  /** The other way of proving that the CA offered: tried at once, by a new order, if the chosen one fails. */
  readonly fallback?: ChallengeKind;
  /** The way of proving that failed before this one was tried; there is no third. */
  readonly failedBefore?: ChallengeKind;
  /** Where the certificate is asked for; absent before there is an order at the CA, and in rows of older versions. */
  readonly finalizeUrl?: string;
  readonly openedAt: number;
  /** When it came to its step. */
  readonly steppedAt: number;
  /** Rights to issue that the CA granted or was asked for: given up if the domain is. */
  readonly authorizationUrls: readonly string[];
  readonly version: number;
}

/** An order that was not filled by then is given up: no CA takes that long. */
export const ORDER_MAX_MS: number = 60 * 60_000;

/** How long an open challenge is answered. */
export const CHALLENGE_MAX_MS: number = 2 * ORDER_MAX_MS;

/** How long the CA has for what it was just asked to do, before it is asked for the result. */
const FIRST_POLL_MS = 500;

/**
 * When the CA is asked again: when it says, or else half a second after the step began, then less often the longer it
 * takes, every 1 to 30 s.
 */
export function pollAt(steppedAt: number, now: number, retryAt: number | undefined): number {
  if (retryAt !== undefined) return Math.max(now + 250, retryAt);
  const waited = Math.max(0, now - steppedAt);
  if (waited === 0) return now + FIRST_POLL_MS;
  return now + Math.min(30_000, Math.max(1_000, Math.ceil(waited / 4)));
}
