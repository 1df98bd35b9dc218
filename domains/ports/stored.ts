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
  readonly createdAt: number;
}
