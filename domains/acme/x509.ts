import {
  createHash,
  createPublicKey,
  sign,
  type KeyObject,
  createPrivateKey,
  verify,
} from "node:crypto";
import { utf8 } from "../../lib/base/digest.ts";
import type { Random } from "../../lib/base/id.ts";
import {
  bitString,
  boolean,
  context,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  set,
  time,
  utf8String,
  type Der,
  member,
  readDer,
  BadDer,
  oidOf,
  textOf,
  type Element,
} from "./der.ts";

/** The object identifiers used here. */
export const OID = {
  acmeIdentifier: "1.3.6.1.5.5.7.1.31",
  authorityKeyIdentifier: "2.5.29.35",
  basicConstraints: "2.5.29.19",
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  extendedKeyUsage: "2.5.29.37",
  extensionRequest: "1.2.840.113549.1.9.14",
  keyUsage: "2.5.29.15",
  organization: "2.5.4.10",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  subjectAltName: "2.5.29.17",
  subjectKeyIdentifier: "2.5.29.14",
} as const;

/** The contents of a certificate to be signed (RFC 5280 §4.1.2). */
export interface CertificateContent {
  readonly serial: Uint8Array;
  /** From `name`, or the issuing certificate's subject, byte for byte. */
  readonly issuer: Der;
  readonly subject: Der;
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Der;
  readonly extensions: readonly Der[];
}

/** Returns a certificate in DER, signed with ECDSA and SHA-256. */
export function signedCertificate(content: CertificateContent, issuerKey: KeyObject): Der {
  const { serial, issuer, subject, notBefore, notAfter, publicKey, extensions } = content;
  const toBeSigned = sequence(
    context(0, integer(Uint8Array.of(2))),
    integer(serial),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    context(3, sequence(...extensions)),
  );
  return signed(toBeSigned, issuerKey);
}

/** Appends the algorithm and the signature. */
function signed(toBeSigned: Der, key: KeyObject): Der {
  return sequence(toBeSigned, algorithm, bitString(sign("sha256", toBeSigned, key)));
}

const algorithm = sequence(oid(OID.ecdsaWithSha256));

/** Returns a positive serial number of 126 random bits (RFC 5280 §4.1.2.2 wants at least 64). */
export function randomSerial(random: Random): Uint8Array {
  const bytes = random(new Uint8Array(16));
  return Uint8Array.from(bytes, (byte, index) => (index === 0 ? (byte % 0x40) + 0x40 : byte));
}

/** Encodes a distinguished name of a common name only; empty without one. */
export function name(commonName?: string): Der {
  if (commonName === undefined) return sequence();
  return sequence(set(sequence(oid(OID.commonName), utf8String(commonName))));
}

export function publicKeyInfo(key: KeyObject): Der {
  return new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }));
}

export function subjectAltName(names: readonly string[], critical = false): Der {
  const entries = names.map((dnsName) => implicit(2, utf8(dnsName)));
  return extension(OID.subjectAltName, sequence(...entries), critical);
}

/** Encodes the key usage bits (RFC 5280 §4.2.1.3). */
export function keyUsage(
  ...usages: readonly ("digitalSignature" | "keyCertSign" | "cRLSign")[]
): Der {
  const bits = { digitalSignature: 0x80, keyCertSign: 0x04, cRLSign: 0x02 };
  const byte = usages.reduce((sum, usage) => sum + bits[usage], 0);
  // DER drops trailing zero bits.
  const unused = Math.log2(byte & -byte);
  return extension(OID.keyUsage, bitString(Uint8Array.of(byte), unused), true);
}

export function extendedKeyUsage(...usages: readonly string[]): Der {
  return extension(OID.extendedKeyUsage, sequence(...usages.map(oid)));
}

/** Encodes basic constraints: for a CA, `below` is its path length; false for a leaf. */
export function basicConstraints(authority: { readonly below: number } | false): Der {
  const members =
    authority === false ? [] : [boolean(true), integer(Uint8Array.of(authority.below))];
  return extension(OID.basicConstraints, sequence(...members), true);
}

export function subjectKeyIdentifier(publicKey: Der): Der {
  return extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey)));
}

export function authorityKeyIdentifier(publicKey: Der): Der {
  return extension(OID.authorityKeyIdentifier, sequence(implicit(0, keyIdentifier(publicKey))));
}

export function extension(id: string, value: Der, critical = false): Der {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));
}

/** Returns the SHA-256 of the public key's bits, truncated to 160 bits (RFC 7093 §2). */
function keyIdentifier(publicKey: Der): Uint8Array {
  const bits = member(readDer(publicKey), 1).contents.subarray(1);
  return createHash("sha256").update(bits).digest().subarray(0, 20);
}

/**
 * Returns a certificate signing request (RFC 2986) in DER, signed with ECDSA. The names are in the subjectAltName
 * only: clients ignore the common name, and it holds at most 64 characters.
 */
export function createCsr(names: readonly [string, ...string[]], privateKeyPem: string): Der {
  const key = createPrivateKey(privateKeyPem);
  // An ECDSA key cannot encipher.
  const extensions = sequence(keyUsage("digitalSignature"), subjectAltName(names));
  const toBeSigned = sequence(
    integer(Uint8Array.of(0)),
    name(),
    publicKeyInfo(key),
    context(0, sequence(oid(OID.extensionRequest), set(extensions))),
  );
  return signed(toBeSigned, key);
}

/** The request's contents. */
export interface CsrFacts {
  readonly names: readonly string[];
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Der;
}

/** Reads a signing request; undefined when it is malformed or not signed by its own key with ECDSA and SHA-256. */
export function readCsr(csr: Uint8Array): CsrFacts | undefined {
  try {
    const [toBeSigned, , signature] = readDer(csr).members;
    if (toBeSigned === undefined || signature === undefined) return undefined;
    const publicKey = member(toBeSigned, 2).whole;
    const key = createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" });
    const holds = verify("sha256", toBeSigned.whole, key, signature.contents.subarray(1));
    return holds ? { names: namesIn(toBeSigned), publicKey } : undefined;
  } catch {
    // The caller needs no reason, whether `BadDer` or the runtime's.
    return undefined;
  }
}

function namesIn(toBeSigned: Element): readonly string[] {
  const attributes = member(toBeSigned, 3, 0xa0).members;
  const request = attributes.find((one) => oidOf(member(one, 0)) === OID.extensionRequest);
  if (request === undefined) throw new BadDer("no extensions");
  const extensions = member(member(request, 1), 0).members;
  const found = extensions.find((one) => oidOf(member(one, 0)) === OID.subjectAltName);
  const value = found?.members.at(-1);
  return value === undefined ? [] : dnsNames(value.contents);
}

/** Reads the DNS names of a subjectAltName. Throws `BadDer` for names of other kinds. */
export function dnsNames(value: Uint8Array): readonly string[] {
  return readDer(value).members.map((one) => {
    if (one.tag !== 0x82) throw new BadDer("not a DNS name");
    return textOf(one).toLowerCase();
  });
}
