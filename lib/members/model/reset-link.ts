import { DAY_MS } from "../../base/clock.ts";

/** The one way to a new password without the old one. Good once; a newer one of the member puts an end to it. */
export interface ResetLink {
  /** 10 characters of base 62. */
  readonly id: string;
  readonly memberId: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly expiresAt: number;
}

/** What its tokens begin with: `pet_reset_`. */
export const RESET_KIND = "reset";

/** How long a link is good. */
export const RESET_MS: number = DAY_MS;
