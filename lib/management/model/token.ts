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

/** A token as it may be shown. */
export type TokenView = Omit<ManagementToken, "hash"> & {
  readonly status: "active" | "expired" | "revoked";
};

/** The token without its secret, with its status at `now`. */
export function viewOfToken({ hash: _hash, ...shown }: ManagementToken, now: number): TokenView {
  return { ...shown, status: statusOf(shown, now) };
}

function statusOf(
  { revokedAt, expiresAt }: Pick<ManagementToken, "revokedAt" | "expiresAt">,
  now: number,
): TokenView["status"] {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && expiresAt <= now ? "expired" : "active";
}

/** What the bearer tokens begin with: `pet_manage_`. */
export const TOKEN_KIND = "manage";
