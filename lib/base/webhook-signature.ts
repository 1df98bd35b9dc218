import { utf8, type Digest } from "./digest.ts";
import { fromBase64 } from "./seal.ts";

/** Begins a secret; the key in base64 follows (Standard Webhooks). */
const SECRET_PREFIX = "whsec_";

/** The versions of a signature: HMAC-SHA-256 with a shared secret. */
const VERSION = "v1";

/** The least and the most bytes of a key, by the specification. */
const KEY_BYTES = { least: 24, most: 64 } as const;

/** Returns a secret with this key. */
export function webhookSecret(key: Uint8Array): string {
  return SECRET_PREFIX + base64(key);
}

/** Returns the key in a secret, with or without its prefix; undefined if it has none of 24 to 64 bytes. */
export function keyOfSecret(secret: string): Uint8Array | undefined {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  if (!/^[\w+/-]{32,86}={0,2}$/.test(encoded)) return undefined;
  let key: Uint8Array;
  try {
    key = fromBase64(encoded);
  } catch {
    // Base64 of a length that has no bytes.
    return undefined;
  }
  return key.length >= KEY_BYTES.least && key.length <= KEY_BYTES.most ? key : undefined;
}

/** Returns the signature of a message with a key, as `webhook-signature` contains it: `v1,` and base64. */
export async function webhookSignature(
  digest: Pick<Digest, "hmac">,
  key: Uint8Array,
  {
    id,
    timestamp,
    body,
  }: {
    /** The `webhook-id`, without a full stop. */
    readonly id: string;
    /** The `webhook-timestamp`: seconds since the Unix epoch. */
    readonly timestamp: string;
    readonly body: Uint8Array;
  },
): Promise<string> {
  const head = utf8(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return `${VERSION},${base64(await digest.hmac(key, signed))}`;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
