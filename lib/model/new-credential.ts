import { crc32 } from "../base/digest.ts";
import { base62, randomBase62, type Random } from "../base/id.ts";
import type { Environment } from "./account.ts";
import { marks, type ParsedToken } from "./api-key.ts";
import type { Credential } from "./credential.ts";

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

/** Creates the token of a new key. */
export function createToken(
  random: Random,
  environment: Environment,
): ParsedToken & { readonly token: string } {
  const { id, secret, token } = createCredential(random, marks[environment]);
  return { environment, id, secret, token };
}
