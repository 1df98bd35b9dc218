import type { Role } from "./principal.ts";

/** A bearer credential of the management API, as it is remembered: the secret itself is not. */
export interface ManagementToken {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly role: Role;
  /** Absent for an operator's. */
  readonly accountId?: string;
  readonly name: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** Accurate to a minute. */
  readonly lastUsedAt?: number;
}
