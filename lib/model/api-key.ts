import { DAY_MS } from "../base/clock.ts";
import type { Random } from "../base/id.ts";
import { environments, type Environment } from "./account.ts";
import { createCredential, parseCredential } from "./credential.ts";
import type { Scope } from "./scope.ts";

/** A bearer credential of one catalogue, as it is remembered: the secret itself is not. */
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
  /** Accurate to the second or so: written with the counters. */
  readonly lastUsedAt?: number;
  /** The key that a rotation put in this one's place. */
  readonly replacedBy?: string;
  readonly ban?: Ban;
  /** Networks that it may be used from, in normal form; absent: from anywhere. */
  readonly allowedAddresses?: readonly string[];
}

/** A temporary ban; over at `until`, remembered for its level. */
export interface Ban {
  readonly until: number;
  /** 1 to 5: index into the lengths, one less per clean day. */
  readonly level: number;
  readonly bannedAt: number;
  /** Lifted by a person at this instant. */
  readonly liftedAt?: number;
}

/** How long a key that no longer works is remembered. */
export const ENDED_KEYS_KEPT_MS: number = 90 * DAY_MS;

/** When a key stopped working, or will; undefined when it goes on. */
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

/** The parts of a token that is a key's; anything else is refused here, before any I/O. */
export function parseToken(token: string): ParsedToken | undefined {
  const credential = parseCredential(token);
  if (credential === undefined) return undefined;
  const { kind, id, secret } = credential;
  const environment = environments.find((one) => marks[one] === kind);
  return environment === undefined ? undefined : { environment, id, secret };
}

/** A fresh token of a key. */
export function createToken(
  random: Random,
  environment: Environment,
): ParsedToken & { readonly token: string } {
  const { id, secret, token } = createCredential(random, marks[environment]);
  return { environment, id, secret, token };
}
