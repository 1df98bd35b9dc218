import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import type { Role } from "./principal.ts";

/**
 * A bearer credential of the management API. Its secret is not stored. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface ManagementToken {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly role: Role;
  /** Absent for an operator's token. */
  readonly accountId?: string;
  readonly name: string;
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** Accurate to a minute. */
  readonly lastUsedAt?: number;
}

/** A token without its hash. */
export type TokenView = Omit<ManagementToken, "hash"> & {
  readonly status: "active" | "expired" | "revoked";
};

/** A new token. Its bearer credential cannot be read again later. */
export interface IssuedToken {
  readonly view: TokenView;
  /** The bearer credential. A secret. */
  readonly token: string;
}

/** Returns a token without its hash, and its status at `now`. */
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

/** The `<kind>` of a management token: `pet_manage_…`. */
export const TOKEN_KIND = "manage";

/**
 * A write, as data. `at` is when it was decided. Each change writes its event and notice in the same commit. Instants
 * are in milliseconds since the Unix epoch.
 */
export type TokenChange =
  /**
   * Creates a token and keeps only the newest `max` ended tokens of its account, or of the operators. Event
   * `token.created`. Notice `token`. Refused `missing` without the account, `exists` for a known id, `limit` if the
   * account, or the operators together, already have `max` tokens that are neither revoked nor expired at `at`.
   */
  | {
      readonly kind: "token.create";
      readonly token: ManagementToken;
      readonly max: number;
      readonly at: number;
    }
  /** Repeating it changes nothing. Event `token.revoked`. Notice `token`. Refused `missing`. */
  | { readonly kind: "token.revoke"; readonly tokenId: string; readonly at: number }
  /** Saves when tokens were last used. Ignores unknown ids. No event, no notice. */
  | { readonly kind: "token.use"; readonly uses: readonly TokenUse[] }
  /**
   * Replaces the setup link. Refused `exists` if there is one that expires after `unlessAfter`. An entry of the audit log,
   * and no event.
   */
  | {
      readonly kind: "setup.offer";
      readonly link: SetupLink;
      readonly unlessAfter?: number;
      readonly at: number;
    }
  /** Removes the setup link. Refused `missing` if there is none or if it has expired at `at`. */
  | { readonly kind: "setup.take"; readonly linkId: string; readonly at: number }
  /**
   * Removes at most `limit` tokens that were revoked or expired before `endedBefore` or whose account was deleted, and
   * setup links that have expired at `at`.
   */
  | {
      readonly kind: "purge";
      readonly endedBefore: number;
      readonly at: number;
      readonly limit: number;
    };

/** The use of a token. `at` is in milliseconds. */
export interface TokenUse {
  readonly tokenId: string;
  readonly at: number;
}

/** A link that makes its first user an operator. Instants are in milliseconds since the Unix epoch. */
export interface SetupLink {
  /** 10 characters of base 62. */
  readonly id: string;
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
  readonly expiresAt: number;
}

/** Why a change of a token was refused. */
export type TokenRefusal = "missing" | "exists" | "limit";

/**
 * Stores management tokens and the setup link, in the same database as the store. Every adapter must guarantee
 * (`tokenStoreContract`):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable. It resolves with the
 *   first refusal, if there is one.
 * - A read sees every commit of this process that had resolved when the read was called.
 * - Of two commits that take the same setup link, one is refused.
 */
export interface TokenStore {
  byId(id: string): Eventual<ManagementToken | undefined>;
  /** The tokens of an account, or of the operators; newest first, including revoked and expired ones. */
  list(accountId: string | undefined): Eventual<readonly ManagementToken[]>;
  /** The newest link, expired or not. */
  setupLink(): Eventual<SetupLink | undefined>;
  commit(changes: readonly TokenChange[], actor: Actor): Promise<Result<undefined, TokenRefusal>>;
}
