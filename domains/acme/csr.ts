import { createPrivateKey, createPublicKey, verify } from "node:crypto";

import { context, integer, oid, sequence, set, type Der } from "./der.ts";
import { BadDer, member, oidOf, readDer, textOf, type Element } from "./read-der.ts";
import { keyUsage, name, OID, publicKeyInfo, signed, subjectAltName } from "./x509.ts";

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
