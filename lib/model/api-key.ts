import { crc32 } from "../base/digest.ts";
import { base62, randomBase62, type Random } from "../base/id.ts";
import type { Environment } from "./account.ts";
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

const marks: Readonly<Record<Environment, string>> = { production: "live", staging: "test" };

export interface ParsedToken {
  readonly environment: Environment;
  readonly id: string;
  readonly secret: string;
}

const TOKEN = /^pet_(live|test)_([0-9A-Za-z]{10})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** The parts of a token whose checksum holds; anything else is refused here, before any I/O. */
export function parseToken(token: string): ParsedToken | undefined {
  const match = TOKEN.exec(token);
  if (match === null) return undefined;
  const [, mark, id = "", secret = "", checksum] = match;
  if (base62(crc32(token.slice(0, -6))) !== checksum) return undefined;
  return { environment: mark === "live" ? "production" : "staging", id, secret };
}

/** A fresh token: 190 bits of secret, and a checksum against typos. */
export function createToken(
  random: Random,
  environment: Environment,
): ParsedToken & { readonly token: string } {
  const id = randomBase62(random, 10);
  const secret = randomBase62(random, 32);
  const text = `pet_${marks[environment]}_${id}_${secret}`;
  return { environment, id, secret, token: text + base62(crc32(text)) };
}
