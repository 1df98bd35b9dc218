import { MAX_SKEW_MS } from "./clock-skew.ts";

/** What matters of one certificate. */
export interface CertificateFacts {
  /** In hexadecimal, as it is encoded: with the zeros before it. */
  readonly serial: string;
  /** Who signed it, in its own words: a common name, else an organization; may be empty. */
  readonly issuer: string;
  readonly subject: string;
  /** Both in milliseconds since the Unix epoch; the last second is part of it. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Its DNS names, in lower case. */
  readonly names: readonly string[];
  /** SHA-256 of its SubjectPublicKeyInfo, in hexadecimal. */
  readonly publicKey: string;
  /** It may sign other certificates. */
  readonly authority: boolean;
  /** SHA-256 of the whole, in hexadecimal. */
  readonly fingerprint: string;
  /** How a CA knows it in questions of renewal (RFC 9773 §4.1); absent when it does not name the key that signed it. */
  readonly renewalId?: string;
}

export interface ChainFacts {
  /** The leaf first, as they came. */
  readonly certificates: readonly [CertificateFacts, ...CertificateFacts[]];
  /** For each but the last, whether the one after it signed it. */
  readonly signedByNext: readonly boolean[];
}

/** Why a chain must not be served. The message is for people. */
export interface ChainFault {
  readonly code:
    /** It belongs to another key. */
    | "wrong_key"
    /** It is for other names, fewer or more. */
    | "wrong_names"
    /** It, or the one that signed it. */
    | "expired"
    /** The CA made it for later: worth another look at `validFrom`. */
    | "not_yet_valid"
    /** Its first certificate may sign others. */
    | "leaf_is_authority"
    /** One of the others may not. */
    | "issuer_is_no_authority"
    /** One was not signed by the one after it. */
    | "broken_chain"
    | "too_long";
  readonly message: string;
  readonly validFrom?: number;
}

export interface ChainExpectations {
  /** What was ordered, in lower case and in any order. */
  readonly names: readonly string[];
  /** SHA-256 of the SubjectPublicKeyInfo of our key, in hexadecimal. */
  readonly publicKey: string;
  /** In the CA's time. Absent: not known, and the dates are not judged: a CA makes no expired certificate. */
  readonly now?: number;
}

/** So many certificates a chain has at most: the leaf, and four above it. */
export const MAX_CHAIN = 5;

/** What is wrong with a downloaded chain, looked at before it becomes active; undefined when nothing is. */
export function faultOfChain(
  { certificates, signedByNext }: ChainFacts,
  { names, publicKey, now }: ChainExpectations,
): ChainFault | undefined {
  const [leaf, ...issuers] = certificates;
  if (certificates.length > MAX_CHAIN) {
    return fault("too_long", `The chain has ${certificates.length} certificates.`);
  }
  if (leaf.publicKey !== publicKey) {
    return fault("wrong_key", "The certificate was issued for another key.");
  }
  if (leaf.authority) {
    return fault("leaf_is_authority", "The certificate belongs to a certificate authority.");
  }
  if (!sameNames(leaf.names, names)) {
    return fault("wrong_names", `The certificate is for ${told(leaf.names)}.`);
  }
  // Further up, CAs have been known to keep an expired one on purpose.
  if (now !== undefined && certificates.slice(0, 2).some(({ notAfter }) => now > notAfter)) {
    return fault("expired", "The certificate, or the one that signed it, has expired.");
  }
  if (leaf.notBefore >= leaf.notAfter) {
    return fault("expired", "The certificate expires before it becomes valid.");
  }
  if (now !== undefined && now + MAX_SKEW_MS < leaf.notBefore) {
    const message = "The certificate is not valid yet.";
    return { ...fault("not_yet_valid", message), validFrom: leaf.notBefore };
  }
  if (issuers.some(({ authority }) => !authority)) {
    return fault("issuer_is_no_authority", "A certificate was signed by one that is not a certificate authority.");
  }
  if (!signedByNext.every(Boolean)) {
    return fault("broken_chain", "A certificate was not signed by the next one in the chain.");
  }
  return undefined;
}

function fault(code: ChainFault["code"], message: string): ChainFault {
  return { code, message };
}

/** The same names, in whatever order. */
export function sameNames(some: readonly string[], others: readonly string[]): boolean {
  const [left, right] = [new Set(some), new Set(others)];
  return left.size === right.size && [...left].every((name) => right.has(name));
}

const MAX_TOLD = 3;

function told(names: readonly string[]): string {
  if (names.length === 0) return "no name";
  const more = names.length > MAX_TOLD ? ` and ${names.length - MAX_TOLD} more` : "";
  return `${names.slice(0, MAX_TOLD).join(", ")}${more}`;
}
