import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { ManagementToken } from "./model/token.ts";

/** A write, as data. `at` is the instant it was decided. Each writes its event and notice in the same commit. */
export type TokenChange =
  /**
   * Of those of its account, or of the operators, that ended by `at` the newest `max` stay.
   * Event `token.created`. Notice `token`. Refused `missing` without its account, `exists` for a known id, `limit`
   * when its account, or the operators together, have `max` tokens that are neither revoked nor expired at `at`.
   */
  | {
      readonly kind: "token.create";
      readonly token: ManagementToken;
      readonly max: number;
      readonly at: number;
    }
  /** A second time changes nothing. Event `token.revoked`. Notice `token`. Refused `missing`. */
  | { readonly kind: "token.revoke"; readonly tokenId: string; readonly at: number }
  /** When tokens were last used; unknown ones are passed over. No event, no notice. */
  | { readonly kind: "token.use"; readonly uses: readonly TokenUse[] }
  /** Puts this setup link in the place of any other. No event. */
  | { readonly kind: "setup.offer"; readonly link: SetupLink }
  /** Takes the setup link of that id away. Refused `missing` when there is none, or when it is over at `at`. */
  | { readonly kind: "setup.take"; readonly linkId: string; readonly at: number }
  /**
   * Removes at most `limit` tokens that were revoked or expired before `endedBefore`, or whose account is gone,
   * and setup links that are over at `at`.
   */
  | {
      readonly kind: "purge";
      readonly endedBefore: number;
      readonly at: number;
      readonly limit: number;
    };

export interface TokenUse {
  readonly tokenId: string;
  readonly at: number;
}

/** The one way to an operator's token that needs no token. */
export interface SetupLink {
  /** 10 characters of base 62. */
  readonly id: string;
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly expiresAt: number;
}

export type TokenRefusal = "missing" | "exists" | "limit";

/**
 * Management tokens and the setup link, as they are remembered: beside the store's own tables, in the same database.
 * What every adapter must promise (test/contract/tokens.ts):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable. It resolves with
 *   the first refusal when there is one.
 * - A read sees every commit that had resolved, in this process, before it was called.
 * - Of two commits that take the same setup link, one is refused.
 */
export interface TokenStore {
  byId(id: string): Eventual<ManagementToken | undefined>;
  /** Newest first, revoked and expired ones included: of an account, or the operators'. */
  list(accountId: string | undefined): Eventual<readonly ManagementToken[]>;
  /** The newest one, also when it is over. */
  setupLink(): Eventual<SetupLink | undefined>;
  commit(changes: readonly TokenChange[]): Promise<Result<undefined, TokenRefusal>>;
}
