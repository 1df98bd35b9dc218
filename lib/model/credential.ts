import { crc32 } from "../base/digest.ts";
import { base62, randomBase62, type Random } from "../base/id.ts";

/** The parts of a bearer credential: `pet_<kind>_<id>_<secret><checksum>`. */
export interface Credential {
  /** `live` or `test` (API keys), `manage` (management tokens), `session`, `setup` or `reset` (links). */
  readonly kind: string;
  /** 10 characters of base 62; safe to show and to log. */
  readonly id: string;
  readonly secret: string;
}

const FORM = /^pet_([a-z]{1,10})_([0-9A-Za-z]{10})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Parses a credential and verifies its checksum, without I/O; undefined for any other text. */
export function parseCredential(text: string): Credential | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, kind = "", id = "", secret = "", checksum] = match;
  return base62(crc32(text.slice(0, -6))) === checksum ? { kind, id, secret } : undefined;
}

/** Creates a credential with a 190-bit secret and a checksum against typos. */
export function createCredential(
  random: Random,
  kind: string,
): Credential & { readonly token: string } {
  const id = newCredentialId(random);
  const secret = randomBase62(random, SECRET_LENGTH);
  return { kind, id, secret, token: credentialText({ kind, id, secret }) };
}

export function newCredentialId(random: Random): string {
  return randomBase62(random, 10);
}

/** The length of a secret, in characters of base 62. */
export const SECRET_LENGTH = 32;

/** Returns a credential as it is sent. */
export function credentialText({ kind, id, secret }: Credential): string {
  const text = `pet_${kind}_${id}_${secret}`;
  return text + base62(crc32(text));
}

const BEARER = "Bearer ";

/** Longer than any credential. */
const MAX_LENGTH = 100;

/** Returns the token after `Bearer` and one space; the scheme is case-insensitive (RFC 6750 §2.1, RFC 9110 §11.1). */
export function bearerToken(header: string): string | undefined {
  if (header.length > MAX_LENGTH) return undefined;
  return header.slice(0, BEARER.length).toLowerCase() === "bearer "
    ? header.slice(BEARER.length)
    : undefined;
}
