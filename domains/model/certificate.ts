import { MAX_SKEW_MS } from "./clock-skew.ts";

/** The relevant facts of one certificate. */
export interface CertificateFacts {
  /** The serial number in hexadecimal, as encoded, with leading zeros. */
  readonly serial: string;
  /** The issuer's common name, else its organization; may be empty. */
  readonly issuer: string;
  readonly subject: string;
  /** Both in milliseconds since the Unix epoch, inclusive. */
  readonly notBefore: number;
  /** In milliseconds since the Unix epoch, inclusive. */
  readonly notAfter: number;
  /** DNS names, in lower case. */
  readonly names: readonly string[];
  /** SHA-256 of its SubjectPublicKeyInfo, in hexadecimal. */
  readonly publicKey: string;
  /** It may sign certificates. */
  readonly authority: boolean;
  /** It may be used by a TLS server. */
  readonly server: boolean;
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly fingerprint: string;
  /** Identifies it for renewal information (RFC 9773 §4.1). Absent without an authority key identifier. */
  readonly renewalId?: string;
}

/** The relevant facts of a chain of certificates. */
export interface ChainFacts {
  /** Leaf first, in the order of the chain. */
  readonly certificates: readonly [CertificateFacts, ...CertificateFacts[]];
  /** Tells for each but the last whether the next one signed it. */
  readonly signedByNext: readonly boolean[];
}

/** Why a chain must not be served. The message is for people. */
export interface ChainFault {
  readonly code:
    /** Issued for another key. */
    | "wrong_key"
    /** The names differ from those ordered. */
    | "wrong_names"
    /** The leaf or its issuer has expired. */
    | "expired"
    /** Becomes valid at `validFrom`. */
    | "not_yet_valid"
    /** The leaf may sign certificates. */
    | "leaf_is_authority"
    /** The leaf is not meant for TLS servers. */
    | "wrong_purpose"
    /** An issuer may not sign certificates. */
    | "issuer_is_no_authority"
    /** A certificate was not signed by the next one. */
    | "broken_chain"
    | "too_long";
  readonly message: string;
  readonly validFrom?: number;
}

export interface ChainExpectations {
  /** The ordered names, in lower case, in any order. */
  readonly names: readonly string[];
  /** SHA-256 of our key's SubjectPublicKeyInfo, in hexadecimal. */
  readonly publicKey: string;
  /** The time of the CA. Absent: unknown, and the dates are not checked, because no CA issues expired certificates. */
  readonly now?: number | undefined;
}

/** Longest chain: the leaf and four issuers. */
export const MAX_CHAIN = 5;

/** Returns the first fault of a downloaded chain. Undefined: it may be served. */
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
  if (!leaf.server) {
    return fault("wrong_purpose", "The certificate is not for web servers.");
  }
  if (!sameNames(leaf.names, names)) {
    return fault("wrong_names", `The certificate is for ${formatNames(leaf.names)}.`);
  }
  // Some CAs deliberately keep an expired certificate further up.
  if (now !== undefined && certificates.slice(0, 2).some(({ notAfter }) => now > notAfter)) {
    return fault("expired", "The certificate, or the one that signed it, has expired.");
  }
  if (leaf.notBefore >= leaf.notAfter) {
    return fault("expired", "The certificate expires before it becomes valid.");
  }
  const validFrom = Math.max(...certificates.slice(0, 2).map(({ notBefore }) => notBefore));
  if (now !== undefined && now + MAX_SKEW_MS < validFrom) {
    return { ...fault("not_yet_valid", "The certificate is not valid yet."), validFrom };
  }
  if (issuers.some(({ authority }) => !authority)) {
    return fault(
      "issuer_is_no_authority",
      "A certificate was signed by one that is not a certificate authority.",
    );
  }
  if (!signedByNext.every(Boolean)) {
    return fault("broken_chain", "A certificate was not signed by the next one in the chain.");
  }
  return undefined;
}

function fault(code: ChainFault["code"], message: string): ChainFault {
  return { code, message };
}

/** Compares names in any order. */
export function sameNames(some: readonly string[], others: readonly string[]): boolean {
  const [left, right] = [new Set(some), new Set(others)];
  return left.size === right.size && [...left].every((name) => right.has(name));
}

const MAX_LISTED = 3;

function formatNames(names: readonly string[]): string {
  if (names.length === 0) return "no name";
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return `${names.slice(0, MAX_LISTED).join(", ")}${more}`;
}
