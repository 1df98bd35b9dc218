import { checkOptions, oneOf, optional } from "../../lib/base/options.ts";
import { X509Certificate } from "node:crypto";

import { base64url, hex } from "../../lib/base/digest.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { cleanText } from "../model/acme-problem.ts";
import type { CertificateFacts, ChainFacts } from "../model/certificate.ts";
import { TAG, BadDer, member, oidOf, readDer, textOf, timeOf, type Element } from "./der.ts";
import { sha256 } from "./keys.ts";
import { firstBlock, readPem, toPem } from "./pem.ts";
import { dnsNames } from "./x509.ts";

const OID = {
  authorityKeyIdentifier: "2.5.29.35",
  basicConstraints: "2.5.29.19",
  commonName: "2.5.4.3",
  extendedKeyUsage: "2.5.29.37",
  organization: "2.5.4.10",
  subjectAltName: "2.5.29.17",
} as const;

/** Purposes that allow a TLS server, or any use (RFC 5280 §4.2.1.12). */
const SERVER_PURPOSES = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0"];

/** Longest chain that is read; real chains have up to five certificates. */
const MAX_CERTIFICATES = 10;
/** Enough for ten certificates of three times the usual size. */
const MAX_PEM_CHARACTERS = 400_000;

const LABEL = "CERTIFICATE";

/** A chain of which every byte was read. */
export interface ReadChain extends ChainFacts {
  /** Our own encoding of what was read: certificates only. This is what may be stored and served. */
  readonly pem: string;
}

/**
 * Reads a PEM chain, leaf first. Refuses, with the reason for people, whatever a TLS library could read differently: a
 * block that is damaged or cut off, a certificate that is not DER, and, unless they are `skipped`, blocks of other
 * kinds, such as a private key (RFC 8555 §11.4). Text between blocks is dropped. Throws a `TypeError` for invalid
 * options.
 */
export function readChain(
  pem: string,
  options: { readonly others?: "refused" | "skipped" } = {},
): Result<ReadChain, string> {
  checkOptions("readChain", options, { others: optional(oneOf(["refused", "skipped"])) });
  const read = certificatesIn(pem, options.others ?? "refused");
  if (!read.ok) return read;
  const ders = read.value;
  try {
    const [leaf, ...above] = ders.map(factsOf);
    if (leaf === undefined) return refused(NONE);
    const certificates = ders.map((der) => new X509Certificate(der));
    return done({
      certificates: [leaf, ...above],
      signedByNext: signaturesOf(certificates),
      pem: ders.map((der) => toPem(LABEL, der)).join(""),
    });
  } catch {
    // Thrown as `BadDer`, or by the runtime's own parser.
    return refused("a certificate in it cannot be decoded");
  }
}

/** Returns why a chain is damaged as PEM; undefined if its certificates can be decoded. Takes a tenth of `readChain`. */
export function damageIn(pem: string): string | undefined {
  const read = certificatesIn(pem, "refused");
  return read.ok ? undefined : read.failure;
}

const NONE = "it contains no certificate";

/** Returns the certificates in a PEM text, at least one, as DER. */
function certificatesIn(
  pem: string,
  others: "refused" | "skipped",
): Result<readonly Uint8Array[], string> {
  if (pem.length > MAX_PEM_CHARACTERS) return refused("it is too long");
  const blocks = readPem(pem);
  if (!blocks.ok) return blocks;
  const other = blocks.value.find(({ label }) => label !== LABEL);
  if (other !== undefined && others === "refused") {
    const isKey = other.label.endsWith("PRIVATE KEY");
    return refused(isKey ? "it contains a private key" : "it contains more than certificates");
  }
  const ders = blocks.value.filter(({ label }) => label === LABEL).map(({ der }) => der);
  if (ders.length === 0) return refused(NONE);
  return ders.length > MAX_CERTIFICATES
    ? refused(`it has ${ders.length} certificates`)
    : done(ders);
}

/** Returns what `readChain` reads; undefined when it refuses the chain. */
export function inspectChain(pem: string): ReadChain | undefined {
  const read = readChain(pem);
  return read.ok ? read.value : undefined;
}

/** Returns the facts of the first certificate alone, whatever follows it; undefined when it cannot be read. */
export function inspectLeaf(pem: string): CertificateFacts | undefined {
  const der = firstBlock(LABEL, pem);
  return der === undefined ? undefined : inspectChain(toPem(LABEL, der))?.certificates[0];
}

/** Reports for each certificate but the last whether the next one signed it. */
function signaturesOf(certificates: readonly X509Certificate[]): readonly boolean[] {
  return certificates.slice(1).map((issuer, index) => {
    const certificate = certificates[index];
    if (certificate === undefined) return false;
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  });
}

function factsOf(der: Uint8Array): CertificateFacts {
  const toBeSigned = member(readDer(der), 0, TAG.sequence);
  // Only v1 certificates omit the version.
  const start = toBeSigned.members[0]?.tag === 0xa0 ? 1 : 0;
  const validity = member(toBeSigned, start + 3, TAG.sequence);
  const extensions = extensionsIn(toBeSigned);
  const names = extensions.get(OID.subjectAltName);
  const serial = member(toBeSigned, start, TAG.integer).contents;
  const keyId = keyIdentifierIn(extensions.get(OID.authorityKeyIdentifier));
  return {
    serial: hex(serial),
    issuer: displayName(member(toBeSigned, start + 2, TAG.sequence)),
    subject: displayName(member(toBeSigned, start + 4, TAG.sequence)),
    notBefore: timeOf(member(validity, 0)),
    notAfter: timeOf(member(validity, 1)),
    names: names === undefined ? [] : dnsNames(names),
    publicKey: sha256(member(toBeSigned, start + 5, TAG.sequence).whole).toString("hex"),
    authority: isAuthority(extensions.get(OID.basicConstraints)),
    server: isForServers(extensions.get(OID.extendedKeyUsage)),
    fingerprint: sha256(der).toString("hex"),
    ...(keyId === undefined ? {} : { renewalId: `${base64url(keyId)}.${base64url(serial)}` }),
  };
}

/** Returns the extensions' values by object identifier. */
function extensionsIn(toBeSigned: Element): ReadonlyMap<string, Uint8Array> {
  const wrapped = toBeSigned.members.find(({ tag }) => tag === 0xa3);
  const all = wrapped === undefined ? [] : member(wrapped, 0, TAG.sequence).members;
  return new Map(
    all.map((one) => {
      const value = one.members.at(-1);
      if (value?.tag !== TAG.octetString) throw new BadDer("no value of an extension");
      return [oidOf(member(one, 0)), value.contents];
    }),
  );
}

/** Returns the keyIdentifier member of an authority key identifier (RFC 5280 §4.2.1.1). */
function keyIdentifierIn(authorityKeyIdentifier: Uint8Array | undefined): Uint8Array | undefined {
  if (authorityKeyIdentifier === undefined) return undefined;
  return readDer(authorityKeyIdentifier).members.find(({ tag }) => tag === 0x80)?.contents;
}

function isAuthority(basicConstraints: Uint8Array | undefined): boolean {
  if (basicConstraints === undefined) return false;
  const [claim] = readDer(basicConstraints).members;
  return claim?.tag === TAG.boolean && claim.contents[0] === 0xff;
}

/** A certificate without the extension may be used for anything. */
function isForServers(extendedKeyUsage: Uint8Array | undefined): boolean {
  if (extendedKeyUsage === undefined) return true;
  return readDer(extendedKeyUsage).members.some((one) => SERVER_PURPOSES.includes(oidOf(one)));
}

/** Returns the common name of a distinguished name, else its organization, else an empty text, as one line. */
function displayName(distinguished: Element): string {
  const parts = distinguished.members.flatMap((part) => part.members);
  const valueOf = (id: string): Element | undefined =>
    parts.find((one) => oidOf(member(one, 0)) === id)?.members[1];
  const value = valueOf(OID.commonName) ?? valueOf(OID.organization);
  return value === undefined ? "" : cleanText(textOf(value));
}
