import { createHash, createPrivateKey, createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/** Generates a private key for an account or a certificate: ECDSA P-256, PEM (PKCS #8). Secret. */
export async function createPrivateKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

/** Returns the public key of a private key as SubjectPublicKeyInfo in DER. */
export function publicKeyOf(privateKeyPem: string): Uint8Array {
  const key = createPublicKey(createPrivateKey(privateKeyPem));
  return new Uint8Array(key.export({ type: "spki", format: "der" }));
}

/** Returns the SHA-256 of the key's SubjectPublicKeyInfo in hexadecimal, as in `CertificateFacts.publicKey`. */
export function keyFingerprint(privateKeyPem: string): string {
  return sha256(publicKeyOf(privateKeyPem)).toString("hex");
}

/** Returns the thumbprint of an account key (RFC 7638), the second half of an http-01 response. */
export function keyThumbprint(privateKeyPem: string): string {
  const { crv, kty, x, y } = createPublicKey(createPrivateKey(privateKeyPem)).export({
    format: "jwk",
  });
  // Exactly these members, in this order (RFC 7638 §3.2).
  return sha256(Buffer.from(JSON.stringify({ crv, kty, x, y }))).toString("base64url");
}

export function sha256(data: Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}
