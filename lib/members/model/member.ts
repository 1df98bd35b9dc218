import type { Role } from "../../accounts/principal.ts";
import { DAY_MS, MINUTE_MS } from "../../base/clock.ts";

/** A person who can sign in: an operator or a member of an account. */
export interface Member {
  /** `mem_` and 12 characters of base 62. */
  readonly id: string;
  /** Normalised by `normalEmail`; unique. */
  readonly email: string;
  /** Display name; may be empty. */
  readonly name: string;
  readonly role: Role;
  /** Absent for an operator. */
  readonly accountId?: string;
  /** Hash of the password; absent until the member has chosen one. */
  readonly password?: string;
  readonly createdAt: number;
  /** Accurate to a minute; absent before the first sign-in. */
  readonly lastSeenAt?: number;
}

/** Most members of an account, and most operators. */
export const MAX_MEMBERS = 100;

/** A browser's session. Its secret is not stored. */
export interface Session {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly memberId: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly createdAt: number;
  /** Accurate to a minute. */
  readonly lastSeenAt: number;
  /** The latest end, whatever its use. */
  readonly expiresAt: number;
  /** IP address of the sign-in; empty when unknown. */
  readonly address: string;
  /** `User-Agent` of the browser; may be empty. */
  readonly userAgent: string;
}

/** The kind in a session's token: `pet_session_`. */
export const SESSION_KIND = "session";

/** Longest lifetime of a session. */
export const SESSION_MS: number = 30 * DAY_MS;
/** Longest time that a session may be idle. */
export const IDLE_MS: number = 7 * DAY_MS;
/** How long a proof of identity is valid. */
export const PROOF_MS: number = 15 * MINUTE_MS;
/** Most sessions of a member; one more ends the session that was idle longest. */
export const MAX_SESSIONS = 50;

/** True while the session has neither expired nor been idle for too long. */
export function isAlive(
  { expiresAt, lastSeenAt }: Pick<Session, "expiresAt" | "lastSeenAt">,
  now: number,
): boolean {
  return now < expiresAt && now < lastSeenAt + IDLE_MS;
}

/**
 * True while a proof of identity, a sign-in included, is recent enough for sensitive actions. A proof from the far
 * future is not: the clock was put back, and the age of the proof is unknown.
 */
export function isFresh(provenAt: number, now: number): boolean {
  return Math.abs(now - provenAt) <= PROOF_MS;
}

/** The public part of a passkey. */
export interface Passkey {
  /** 10 characters of base 62; used in paths. */
  readonly id: string;
  readonly memberId: string;
  /** The authenticator's id for it: base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Uses reported by the authenticator; always 0 for a passkey that is synced between devices. */
  readonly counter: number;
  /** Ways to reach it, for browsers: `internal`, `usb`, `hybrid` … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** Most passkeys of a member. */
export const MAX_PASSKEYS = 20;

/** A link for setting a password without the old one. Valid once; a newer link of the member replaces it. */
export interface ResetLink {
  /** 10 characters of base 62. */
  readonly id: string;
  readonly memberId: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly expiresAt: number;
}

/** The kind in a reset link's token: `pet_reset_`. */
export const RESET_KIND = "reset";

/** Lifetime of a reset link. */
export const RESET_MS: number = DAY_MS;
