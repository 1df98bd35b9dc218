import type { ChallengeKind } from "../model/domain.ts";

/** A certificate at rest. */
export interface StoredCertificate {
  readonly id: string;
  readonly domainId: string;
  /** PEM, the leaf first. */
  readonly chainPem: string;
  readonly sealedKey: string;
  readonly notAfter: number;
  readonly createdAt: number;
}

/** A proof that can be asked for. */
export interface OpenChallenge {
  readonly name: string;
  readonly kind: ChallengeKind;
  readonly token: string;
  readonly keyAuthorization: string;
  readonly expiresAt: number;
}

/** Who we are to an authority. */
export interface StoredAuthorityAccount {
  readonly authority: string;
  /** Undefined: the key is kept, and the authority may not have heard of it. */
  readonly url?: string;
  readonly sealedKey: string;
  /**
   * A key that the authority was about to be told of, for this account or for one that takes its place: which of the
   * two it accepts has to be asked.
   */
  readonly nextSealedKey?: string;
  readonly createdAt: number;
}

/** An account that another one took the place of; certificates that were ordered with it may still be served. */
export interface ReplacedAccount {
  readonly authority: string;
  readonly url: string;
  readonly sealedKey: string;
  readonly createdAt: number;
  readonly replacedAt: number;
}
