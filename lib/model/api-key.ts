import { DAY_MS } from "../base/clock.ts";
import { environments, type Environment } from "./account.ts";
import { parseCredential } from "./credential.ts";
import type { Scope } from "./scope.ts";

/**
 * A bearer credential for one catalogue. The secret itself is not stored. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface ApiKey {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly accountId: string;
  readonly catalogueId: number;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** Accurate to about a second: it is saved with the counters. */
  readonly lastUsedAt?: number;
  /** The id of its successor after a rotation. */
  readonly replacedBy?: string;
  readonly ban?: Ban;
  /** The networks that may use the key, in normal form; absent: any network. */
  readonly allowedAddresses?: readonly string[];
}

/**
 * A temporary ban. Kept after `until`, because its level affects the next ban. Instants are in milliseconds since the
 * Unix epoch.
 */
export interface Ban {
  readonly until: number;
  /** 1 to 5; drops by one for each day without a ban. */
  readonly level: number;
  readonly bannedAt: number;
  /** When an operator or the account lifted the ban. */
  readonly liftedAt?: number;
}

/** How long keys are kept after they stopped working. */
export const ENDED_KEYS_KEPT_MS: number = 90 * DAY_MS;

/** Returns when a key stops or stopped working; undefined if it never does. */
export function endOfKey({
  expiresAt = Infinity,
  revokedAt = Infinity,
}: Pick<ApiKey, "expiresAt" | "revokedAt">): number | undefined {
  const end = Math.min(expiresAt, revokedAt);
  return end === Infinity ? undefined : end;
}

/** The kinds of credentials that API keys are, by environment. */
export const marks: Readonly<Record<Environment, string>> = { production: "live", staging: "test" };

export interface ParsedToken {
  readonly environment: Environment;
  readonly id: string;
  readonly secret: string;
}

/** Parses a key's token without I/O; undefined for any other text. */
export function parseToken(token: string): ParsedToken | undefined {
  const credential = parseCredential(token);
  if (credential === undefined) return undefined;
  const { kind, id, secret } = credential;
  const environment = environments.find((one) => marks[one] === kind);
  return environment === undefined ? undefined : { environment, id, secret };
}
