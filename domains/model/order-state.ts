import type { ChallengeKind } from "./domain.ts";

/**
 * The progress of an order. A step is stored before it is taken: all earlier steps are complete, and the request of
 * this step may have been sent.
 */
export type OrderStep =
  /** The private key is stored; the order is being created. */
  | { readonly step: "keyed" }
  /** The CA has created the order; its authorizations are being read. */
  | { readonly step: "ordered"; readonly url: string }
  /** Every process can answer the challenge; the CA is being asked to validate. */
  | {
      readonly step: "presented";
      readonly url: string;
      readonly authorizationUrl: string;
      /** Absent in rows written by earlier versions. */
      readonly proof?: PresentedProof;
    }
  /** The CA was asked to validate. */
  | { readonly step: "answered"; readonly url: string; readonly authorizationUrl: string }
  /** Control is proven; the certificate is being requested. */
  | { readonly step: "proven"; readonly url: string }
  /** The certificate was requested. */
  | { readonly step: "finalized"; readonly url: string }
  /** The certificate can be downloaded. */
  | { readonly step: "issued"; readonly url: string; readonly certificateUrl: string }
  /** The certificate is downloaded; it is being checked and activated. */
  | { readonly step: "downloaded"; readonly url: string; readonly chainPem: string };

/** A challenge with its answer. */
export interface PresentedProof {
  readonly challengeUrl: string;
  readonly token: string;
  readonly keyAuthorization: string;
  /** Fingerprint of the account key in the answer. Another key has another answer. */
  readonly accountKey: string;
}

/** An open order for one certificate. Instants are in milliseconds since the Unix epoch. */
export interface OpenOrder {
  /** `ord_` and 12 characters of base 62. */
  readonly id: string;
  readonly domainId: string;
  readonly name: string;
  /** The id of the authority that the order belongs to. */
  readonly authority: string;
  /** The address of the account that the order belongs to. Absent in rows written by earlier versions. */
  readonly account?: string;
  /** The certificate's private key, PEM, sealed. */
  readonly sealedKey: string;
  readonly state: OrderStep;
  /** The chosen challenge. Absent before the choice, or if the CA required none. */
  readonly challenge?: ChallengeKind;
  /** The other challenge that the CA offered. Tried at once, in a new order, if the chosen one fails. */
  readonly fallback?: ChallengeKind;
  /** The challenge that failed before this one. */
  readonly failedBefore?: ChallengeKind;
  /** Absent before the CA created the order, and in rows written by earlier versions. */
  readonly finalizeUrl?: string;
  /** When the CA discards the order or its authorization, in the CA's time. Absent: unknown. */
  readonly expiresAt?: number;
  readonly openedAt: number;
  /** When the present step was stored. */
  readonly steppedAt: number;
  /** Authorizations granted or requested. Given up if the domain is. */
  readonly authorizationUrls: readonly string[];
  readonly version: number;
}

/** An order that takes longer is given up. */
export const ORDER_MAX_MS: number = 60 * 60_000;

const FINALIZED_MAX_MS: number = 8 * ORDER_MAX_MS;

/**
 * Returns how long an order may take. One whose certificate was requested takes longer: a certificate at the CA that
 * cannot be downloaded is not replaced by another one within hours, as CAs limit them. That costs a certificate in use a
 * quarter of its remaining life at most, which is `leftMs`; undefined: there is none.
 */
export function mayTakeMs({ state: { step } }: OpenOrder, leftMs: number | undefined): number {
  const isFinal = step === "finalized" || step === "issued" || step === "downloaded";
  if (!isFinal) return ORDER_MAX_MS;
  if (leftMs === undefined) return FINALIZED_MAX_MS;
  return Math.max(ORDER_MAX_MS, Math.min(3 * FINALIZED_MAX_MS, leftMs / 4));
}

/** The steps in their order. */
const STEPS: readonly OrderStep["step"][] = [
  "keyed",
  "ordered",
  "presented",
  "answered",
  "proven",
  "finalized",
  "issued",
  "downloaded",
];

/** Reports whether a step was taken before. */
export function isStepBack(from: OrderStep, to: OrderStep): boolean {
  return STEPS.indexOf(to.step) < STEPS.indexOf(from.step);
}

/**
 * Returns when an order repeats a step: after a quarter of the time since it was opened, as a CA may send it back again and
 * again.
 */
export function repeatedAt({ openedAt }: Pick<OpenOrder, "openedAt">, now: number): number {
  return now + Math.max(MIN_POLL_MS, Math.ceil((now - openedAt) / 4));
}

/** How long an open challenge is answered. */
export const CHALLENGE_MAX_MS: number = 2 * ORDER_MAX_MS;

/** The shortest wait between two requests for one order. */
const MIN_POLL_MS = 250;
const MAX_POLL_MS = 30_000;
/** Likewise after `ORDER_MAX_MS`. */
const MAX_LATE_POLL_MS = 10 * 60_000;
/** A CA that works is polled at least this often, whatever it says: orders expire, and most take seconds. */
const MAX_NAMED_MS = 60_000;

/**
 * Returns when to poll the CA: when it says, but at most `maxNamedMs` later, or 0.25, 0.5, 1 and 2 s after the step
 * started, and then every second to every 30 s, as a quarter of the time waited; every ten minutes after an hour.
 */
export function pollAt(
  steppedAt: number,
  now: number,
  retryAt: number | undefined,
  maxNamedMs: number = MAX_NAMED_MS,
): number {
  if (retryAt !== undefined)
    return now + Math.max(MIN_POLL_MS, Math.min(retryAt - now, maxNamedMs));
  const waited = Math.max(0, now - steppedAt);
  const wait = Math.max(MIN_POLL_MS, Math.min(waited, 1_000), Math.ceil(waited / 4));
  return now + Math.min(wait, waited < ORDER_MAX_MS ? MAX_POLL_MS : MAX_LATE_POLL_MS);
}
