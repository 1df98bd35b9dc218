import { createHash, createPrivateKey, createPublicKey, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/** A new private key for an account or a certificate: ECDSA P-256, PEM (PKCS #8). Secret. */
export async function createPrivateKeyPem(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" });
}

/** The public key that belongs to a private one, as certificates carry it: SubjectPublicKeyInfo in DER. */
export function publicKeyOf(privateKeyPem: string): Uint8Array {
  const key = createPublicKey(createPrivateKey(privateKeyPem));
  return new Uint8Array(key.export({ type: "spki", format: "der" }));
}

/** By which a public key is known in `CertificateFacts`: the SHA-256 of its SubjectPublicKeyInfo, in hexadecimal. */
export function keyFingerprint(privateKeyPem: string): string {
  return sha256(publicKeyOf(privateKeyPem)).toString("hex");
}

/** The thumbprint of an account key (RFC 7638), with which http-01 answers end. */
export function keyThumbprint(privateKeyPem: string): string {
  const { crv, kty, x, y } = createPublicKey(createPrivateKey(privateKeyPem)).export({
    format: "jwk",
  });
  // Exactly these members, in this order (RFC 7638 §3.2).
  return sha256(Buffer.from(JSON.stringify({ crv, kty, x, y }))).toString("base64url");
}

/** The value of the TXT record at `_acme-challenge` that proves a dns-01 challenge (RFC 8555 §8.4). */
export function dnsProof(keyAuthorization: string): string {
  return sha256(Buffer.from(keyAuthorization)).toString("base64url");
}

export function sha256(data: Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** `label` says what it is: `CERTIFICATE`, `PRIVATE KEY` (RFC 7468). */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${(lines ?? []).join("\n")}\n-----END ${label}-----\n`;
}

/** What the parts of `pem` with that label hold, in order; what is between them is skipped. */
export function fromPem(label: string, pem: string): readonly Uint8Array[] {
  const parts = pem.matchAll(
    new RegExp(`-----BEGIN ${label}-----([A-Za-z\\d+/=\\s]*)-----END ${label}-----`, "g"),
  );
  return Array.from(parts, ([, body = ""]) => new Uint8Array(Buffer.from(body, "base64")));
}
