import { DAY_MS } from "../base/clock.ts";
import type { Random } from "../base/id.ts";
import { environments, type Environment } from "./account.ts";
import { createCredential, parseCredential } from "./credential.ts";
import type { Scope } from "./scope.ts";

/** A bearer credential of one catalogue. Its secret is not stored. */
export interface ApiKey {
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly accountId: string;
  readonly catalogueId: number;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Hex of HMAC-SHA-256 of the secret under the pepper. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  /** Accurate to about a second: saved with the counters. */
  readonly lastUsedAt?: number;
  /** The successor after a rotation. */
  readonly replacedBy?: string;
  readonly ban?: Ban;
  /** Networks from which it may be used, in normal form; absent: any. */
  readonly allowedAddresses?: readonly string[];
}

/** A temporary ban; kept after `until` for its level. */
export interface Ban {
  readonly until: number;
  /** 1 to 5; it decreases by one for each clean day. */
  readonly level: number;
  readonly bannedAt: number;
  /** When a person lifted it. */
  readonly liftedAt?: number;
}

/** Retention of keys that no longer work. */
export const ENDED_KEYS_KEPT_MS: number = 90 * DAY_MS;

/** Returns when a key stops or stopped working; undefined when it has no end. */
export function endOfKey({
  expiresAt = Infinity,
  revokedAt = Infinity,
}: Pick<ApiKey, "expiresAt" | "revokedAt">): number | undefined {
  const end = Math.min(expiresAt, revokedAt);
  return end === Infinity ? undefined : end;
}

const marks: Readonly<Record<Environment, string>> = { production: "live", staging: "test" };

export interface ParsedToken {
  readonly environment: Environment;
  readonly id: string;
  readonly secret: string;
}

/** Returns the parts of a key's token; undefined for any other text. Causes no I/O. */
export function parseToken(token: string): ParsedToken | undefined {
  const credential = parseCredential(token);
  if (credential === undefined) return undefined;
  const { kind, id, secret } = credential;
  const environment = environments.find((one) => marks[one] === kind);
  return environment === undefined ? undefined : { environment, id, secret };
}

/** Creates the token of a new key. */
export function createToken(
  random: Random,
  environment: Environment,
): ParsedToken & { readonly token: string } {
  const { id, secret, token } = createCredential(random, marks[environment]);
  return { environment, id, secret, token };
}
