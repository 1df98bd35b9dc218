import type { Role } from "../../accounts/principal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/clock.ts";

/**
 * A person who can sign in: an operator, or a member of an account. Instants are in milliseconds since the Unix epoch.
 */
export interface Member {
  /** `mem_` and 12 characters of base 62. */
  readonly id: string;
  /** Normalized by `normalEmail`; unique. */
  readonly email: string;
  /** Display name; may be empty. */
  readonly name: string;
  readonly role: Role;
  /** Absent for an operator. */
  readonly accountId?: string;
  /** The password's hash; absent until the member has set one. */
  readonly password?: string;
  /** The language that the member chose, as a tag (BCP 47), for the dashboard and for mails; absent until then. */
  readonly language?: string;
  /** The kinds of mails that the member turned off, with some that only a newer version knows; absent for none. */
  readonly mailsOff?: readonly string[];
  readonly createdAt: number;
  /** Accurate to a minute; absent before the first sign-in. */
  readonly lastSeenAt?: number;
}

/** The most members of an account, and the most operators. */
export const MAX_MEMBERS = 100;

/** A browser's session. The secret itself is not stored. Instants are in milliseconds since the Unix epoch. */
export interface Session {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly memberId: string;
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  /** Accurate to a minute. */
  readonly lastSeenAt: number;
  /** When it ends at the latest, however it is used. */
  readonly expiresAt: number;
  /** The IP address of the sign-in; empty if unknown. */
  readonly address: string;
  /** `User-Agent` of the browser; may be empty. */
  readonly userAgent: string;
}

/** The `<kind>` of a session's token: `pet_session_…`. */
export const SESSION_KIND = "session";

/** How long a session lasts at most. */
export const SESSION_MS: number = 30 * DAY_MS;
/** How long a session may be idle. */
export const IDLE_MS: number = 7 * DAY_MS;
/** How long a proof of identity is valid. */
export const PROOF_MS: number = 15 * MINUTE_MS;
/** The most sessions of a member; one more ends the session that has been idle longest. */
export const MAX_SESSIONS = 50;

/** Returns true until the session expires or has been idle for too long. */
export function isAlive(
  { expiresAt, lastSeenAt }: Pick<Session, "expiresAt" | "lastSeenAt">,
  now: number,
): boolean {
  return now < expiresAt && now < lastSeenAt + IDLE_MS;
}

/**
 * Returns true if a proof of identity, or a sign-in, is recent enough for sensitive actions. A time in the far future is
 * not: the clock was set back, so the age is unknown.
 */
export function isFresh(provenAt: number, now: number): boolean {
  return Math.abs(now - provenAt) <= PROOF_MS;
}

/** The public part of a passkey. Instants are in milliseconds since the Unix epoch. */
export interface Passkey {
  /** 10 characters of base 62; used in paths. */
  readonly id: string;
  readonly memberId: string;
  /** The authenticator's id for the passkey, in base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The uses reported by the authenticator; always 0 for a passkey that is synced between devices. */
  readonly counter: number;
  /** How browsers can reach the authenticator: `internal`, `usb`, `hybrid` … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** The most passkeys of a member. */
export const MAX_PASSKEYS = 20;

/**
 * A link for setting a password without the old one. Works once; a newer link for the same member replaces it. Instants
 * are in milliseconds since the Unix epoch.
 */
export interface ResetLink {
  /** 10 characters of base 62. */
  readonly id: string;
  readonly memberId: string;
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
  readonly expiresAt: number;
}

/** The `<kind>` of a reset link's token: `pet_reset_…`. */
export const RESET_KIND = "reset";

/** How long a reset link is valid. */
export const RESET_MS: number = DAY_MS;
/** How long a reset link is valid that its member has asked for by mail. */
export const ASKED_RESET_MS: number = HOUR_MS;
