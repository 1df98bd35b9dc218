import type { Eventual } from "./eventual.ts";
import { andThen } from "./eventual.ts";

/** Hash functions, passed in because the fast synchronous ones depend on the runtime. */
export interface Digest {
  sha256(data: Uint8Array): Eventual<Uint8Array>;
  /** HMAC-SHA-256 (RFC 2104). */
  hmac(key: Uint8Array, data: Uint8Array): Eventual<Uint8Array>;
}

// The DOM types require an ArrayBuffer behind a view; Web Crypto refuses a shared one itself.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const bytes = (data: Uint8Array): Uint8Array<ArrayBuffer> => data as Uint8Array<ArrayBuffer>;

/** Works on every runtime with Web Crypto; each call costs a promise. */
export const webDigest: Digest = {
  sha256: async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(data))),
  hmac: async (key, data) => {
    const imported = await crypto.subtle.importKey(
      "raw",
      bytes(key),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign"],
    );
    return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes(data)));
  },
};

const encoder = /* @__PURE__ */ new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Derives a 32-byte key for `purpose` from the root key: HKDF-SHA-256, empty salt, one block (RFC 5869). */
export function deriveKey(digest: Digest, root: Uint8Array, purpose: string): Eventual<Uint8Array> {
  const info = new Uint8Array([...utf8(purpose), 1]);
  return andThen(digest.hmac(new Uint8Array(32), root), (pseudoRandomKey) =>
    digest.hmac(pseudoRandomKey, info),
  );
}

/** Returns the hash under which a secret is stored, in hex: HMAC-SHA-256 with the pepper as its key. */
export function hashSecret(digest: Digest, pepper: Uint8Array, secret: string): Eventual<string> {
  return andThen(digest.hmac(pepper, utf8(secret)), hex);
}

/** Returns true if `hash` is the hash of the secret. A missing hash takes as long as a wrong one. */
export function isHashOf(
  digest: Digest,
  pepper: Uint8Array,
  secret: string,
  hash: string | undefined,
): Eventual<boolean> {
  return andThen(hashSecret(digest, pepper, secret), (right) =>
    equalTexts(right, hash ?? "0".repeat(64)),
  );
}

/** Returns true if both hold the same bytes. The time taken depends only on the length. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) {
    difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  }
  return difference === 0;
}

/** The same of texts, by their UTF-16 code units. */
export function equalTexts(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}

export function hex(data: Uint8Array): string {
  let text = "";
  for (const byte of data) text += byte.toString(16).padStart(2, "0");
  return text;
}

export function base64url(data: Uint8Array): string {
  return btoa(String.fromCharCode(...data))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

const crcTable: Uint32Array = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** Returns the CRC-32 of an ASCII text, as in gzip (RFC 1952 §8). Detects typos, not forgery. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Continues a CRC-32 with more bytes (RFC 1952 §8); `before` is 0 at the beginning. Detects damage, not forgery. */
export function crc32Of(data: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of data) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
