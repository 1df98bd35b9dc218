import { createPrivateKey } from "node:crypto";

import type * as x509 from "@peculiar/x509";

import { dateOf } from "../../lib/base/clock.ts";
import { hex } from "../../lib/base/digest.ts";
import { once } from "../../lib/base/eventual.ts";
import type { Random } from "../../lib/base/id.ts";
import { BadDer, member, readDer, textOf } from "./der.ts";
import { publicKeyOf, sha256 } from "./keys.ts";

/** The library that encodes certificates and requests. */
type X509 = typeof x509;

// 80 ms and 20 MB: only needed where certificates are ordered or issued, or a tls-alpn-01 challenge is answered.
const load = once((): Promise<X509> => import("@peculiar/x509"));

const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };

/** The contents of a certificate to be signed (RFC 5280 §4.1.2). */
export interface CertificateContent {
  /** The serial number in hexadecimal. */
  readonly serial: string;
  /** `CN=…`, or the issuing certificate's subject in DER, which is kept byte for byte. */
  readonly issuer: string | Uint8Array;
  /** `CN=…`, or empty. */
  readonly subject: string;
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** Makes the extensions with the library's classes. */
  readonly extensions: (library: X509) => x509.Extension[];
}

/** Returns a certificate in DER, signed with ECDSA and SHA-256 by a P-256 key in PEM. */
export async function signedCertificate(
  content: CertificateContent,
  issuerKeyPem: string,
): Promise<Uint8Array> {
  const library = await load();
  const { serial, issuer, subject, notBefore, notAfter, publicKey, extensions } = content;
  const certificate = await library.X509CertificateGenerator.create({
    serialNumber: serial,
    issuer: typeof issuer === "string" ? issuer : new library.Name(bufferOf(issuer)),
    subject,
    notBefore: dateOf(notBefore),
    notAfter: dateOf(notAfter),
    publicKey: bufferOf(publicKey),
    signingKey: (await keyPair(issuerKeyPem)).privateKey,
    signingAlgorithm: SIGNATURE,
    extensions: extensions(library),
  });
  return new Uint8Array(certificate.rawData);
}

/** Returns a positive serial number of 126 random bits in hexadecimal (RFC 5280 §4.1.2.2 wants at least 64). */
export function randomSerial(random: Random): string {
  const bytes = random(new Uint8Array(16));
  return hex(Uint8Array.from(bytes, (byte, index) => (index === 0 ? (byte % 0x40) + 0x40 : byte)));
}

export function subjectAltName(
  { SubjectAlternativeNameExtension }: X509,
  names: readonly string[],
  critical = false,
): x509.Extension {
  const entries = names.map((value) => ({ type: "dns", value }) as const);
  return new SubjectAlternativeNameExtension(entries, critical);
}

/** Returns the SHA-256 of the public key's bits, truncated to 160 bits (RFC 7093 §2), in hexadecimal. */
export function keyIdentifier(publicKey: Uint8Array): string {
  const bits = member(readDer(publicKey), 1).contents.subarray(1);
  return sha256(bits).toString("hex", 0, 20);
}

/**
 * Returns a certificate signing request (RFC 2986) in DER, for a P-256 key in PEM. The names are in the subjectAltName
 * only: clients ignore the common name, and it holds at most 64 characters.
 */
export async function createCsr(
  names: readonly [string, ...string[]],
  privateKeyPem: string,
): Promise<Uint8Array> {
  const library = await load();
  const { KeyUsageFlags, KeyUsagesExtension, Pkcs10CertificateRequestGenerator } = library;
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: await keyPair(privateKeyPem),
    signingAlgorithm: SIGNATURE,
    extensions: [
      // An ECDSA key cannot encipher.
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      subjectAltName(library, names),
    ],
  });
  return new Uint8Array(request.rawData);
}

/** The request's contents. */
export interface CsrFacts {
  readonly names: readonly string[];
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
}

/** Reads a signing request; undefined when it is malformed or not signed by its own key. */
export async function readCsr(csr: Uint8Array): Promise<CsrFacts | undefined> {
  const { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } = await load();
  try {
    const request = new Pkcs10CertificateRequest(bufferOf(csr));
    if (!(await request.verify())) return undefined;
    const names = request.extensions.find((one) => one instanceof SubjectAlternativeNameExtension);
    return {
      names: names === undefined ? [] : dnsNames(new Uint8Array(names.value)),
      publicKey: new Uint8Array(request.publicKey.rawData),
    };
  } catch {
    // Neither `BadDer` nor the library's errors help the caller.
    return undefined;
  }
}

/** Reads the DNS names of a subjectAltName. Throws `BadDer` for names of other kinds. */
export function dnsNames(value: Uint8Array): readonly string[] {
  return readDer(value).members.map((one) => {
    if (one.tag !== 0x82) throw new BadDer("not a DNS name");
    return textOf(one).toLowerCase();
  });
}

async function keyPair(privateKeyPem: string): Promise<CryptoKeyPair> {
  const pkcs8 = createPrivateKey(privateKeyPem).export({ type: "pkcs8", format: "der" });
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey("pkcs8", bufferOf(pkcs8), curve, false, ["sign"]),
    crypto.subtle.importKey("spki", bufferOf(publicKeyOf(privateKeyPem)), curve, true, ["verify"]),
  ]);
  return { privateKey, publicKey };
}

/** Copies the bytes: the library and WebCrypto require an ArrayBuffer. */
function bufferOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
