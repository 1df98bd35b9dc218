import { DAY_MS, MINUTE_MS } from "../../base/clock.ts";

/** What a browser has after signing in, as it is remembered: the secret itself is not. */
export interface Session {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly memberId: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly createdAt: number;
  /** Accurate to a minute. */
  readonly lastSeenAt: number;
  /** The latest end, however much it is used. */
  readonly expiresAt: number;
  /** IP address that it was made from; empty where nobody knew. */
  readonly address: string;
  /** What the browser calls itself; may be empty. */
  readonly userAgent: string;
}

/** What the tokens of sessions begin with: `pet_session_`. */
export const SESSION_KIND = "session";

/** How long a session can be used. */
export const SESSION_MS: number = 30 * DAY_MS;
/** How long it may lie unused. */
export const IDLE_MS: number = 7 * DAY_MS;
/** How long having proved who they are shows that somebody is there. */
export const PROOF_MS: number = 15 * MINUTE_MS;
/** Of one member; with one more the one unused for longest ends. */
export const MAX_SESSIONS = 50;

/** True while the session is good, as far as time goes. */
export function isAlive(
  { expiresAt, lastSeenAt }: Pick<Session, "expiresAt" | "lastSeenAt">,
  now: number,
): boolean {
  return now < expiresAt && now < lastSeenAt + IDLE_MS;
}

/**
 * True while a proof of who somebody is, by signing in or anew, is so young that they need not give another one. How old
 * one is that comes from far ahead cannot be told: the clock was put back.
 */
export function isFresh(provenAt: number, now: number): boolean {
  return Math.abs(now - provenAt) <= PROOF_MS;
}
