import { crc32 } from "../../lib/base/digest.ts";
import { base62 } from "../../lib/base/id.ts";
import { parseCredential } from "../../lib/model/credential.ts";

/**
 * Forges a credential from a known id: another secret, or the same secret in another kind of credential. Everything
 * else is valid, including the checksum.
 */
export function forged(
  credential: string,
  { secret = "0".repeat(32), kind }: { readonly secret?: string; readonly kind?: string } = {},
): string {
  const known = parseCredential(credential);
  if (known === undefined) throw new Error("This is no credential.");
  const text = `pet_${kind ?? known.kind}_${known.id}_${secret}`;
  return text + base62(crc32(text));
}
