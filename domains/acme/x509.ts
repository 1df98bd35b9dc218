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

/** The object identifiers of what is read and written here. */
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

/** What is certified (RFC 5280 §4.1.2). */
export interface CertificateContent {
  readonly serial: Uint8Array;
  /** From `name`, or the subject of the issuer as it stands there. */
  readonly issuer: Der;
  readonly subject: Der;
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Der;
  readonly extensions: readonly Der[];
}

/** A certificate in DER, signed with ECDSA and SHA-256. */
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

/** `toBeSigned` with its signature behind it. */
function signed(toBeSigned: Der, key: KeyObject): Der {
  return sequence(toBeSigned, algorithm, bitString(sign("sha256", toBeSigned, key)));
}

const algorithm = sequence(oid(OID.ecdsaWithSha256));

/** 127 random bits: positive, and enough that nobody guesses the next (RFC 5280 §4.1.2.2). */
export function randomSerial(random: Random): Uint8Array {
  const bytes = random(new Uint8Array(16));
  return Uint8Array.from(bytes, (byte, index) => (index === 0 ? (byte % 0x40) + 0x40 : byte));
}

/** A distinguished name of a common name alone; without one it is empty. */
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

/** Bits of RFC 5280 §4.2.1.3, from the first on. */
export function keyUsage(
  ...usages: readonly ("digitalSignature" | "keyCertSign" | "cRLSign")[]
): Der {
  const bits = { digitalSignature: 0x80, keyCertSign: 0x04, cRLSign: 0x02 };
  const byte = usages.reduce((sum, usage) => sum + bits[usage], 0);
  // DER drops the zeros at the end.
  const unused = Math.log2(byte & -byte);
  return extension(OID.keyUsage, bitString(Uint8Array.of(byte), unused), true);
}

export function extendedKeyUsage(...usages: readonly string[]): Der {
  return extension(OID.extendedKeyUsage, sequence(...usages.map(oid)));
}

/** `authority` with the number of CAs that may stand between it and a leaf; false: a leaf. */
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

/** The SHA-256 of the bits of the key, cut to 160 bits (RFC 7093 §2). */
function keyIdentifier(publicKey: Der): Uint8Array {
  const bits = member(readDer(publicKey), 1).contents.subarray(1);
  return createHash("sha256").update(bits).digest().subarray(0, 20);
}

/**
 * A request for a certificate (RFC 2986) in DER, for ECDSA keys. The names stand in the SAN alone: a common name is
 * of no use, and could not hold more than 64 characters.
 */
export function createCsr(names: readonly [string, ...string[]], privateKeyPem: string): Der {
  const key = createPrivateKey(privateKeyPem);
  // An ECDSA key enciphers nothing.
  const extensions = sequence(keyUsage("digitalSignature"), subjectAltName(names));
  const toBeSigned = sequence(
    integer(Uint8Array.of(0)),
    name(),
    publicKeyInfo(key),
    context(0, sequence(oid(OID.extensionRequest), set(extensions))),
  );
  return signed(toBeSigned, key);
}

/** What a request asks for. */
export interface CsrFacts {
  readonly names: readonly string[];
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Der;
}

/** Reads a request; undefined when it is none, or not signed by its own key with ECDSA and SHA-256. */
export function readCsr(csr: Uint8Array): CsrFacts | undefined {
  try {
    const [toBeSigned, , signature] = readDer(csr).members;
    if (toBeSigned === undefined || signature === undefined) return undefined;
    const publicKey = member(toBeSigned, 2).whole;
    const key = createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" });
    const holds = verify("sha256", toBeSigned.whole, key, signature.contents.subarray(1));
    return holds ? { names: namesIn(toBeSigned), publicKey } : undefined;
  } catch {
    // Neither `BadDer` nor what a runtime says of a strange key helps anybody.
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

/** The DNS names of a subjectAltName; throws `BadDer` for names of other kinds. */
export function dnsNames(value: Uint8Array): readonly string[] {
  return readDer(value).members.map((one) => {
    if (one.tag !== 0x82) throw new BadDer("not a DNS name");
    return textOf(one).toLowerCase();
  });
}
