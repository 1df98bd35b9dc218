import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

import { countedCache } from "../../lib/base/counted-cache.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { isPromise, type Eventual } from "../../lib/base/eventual.ts";
import type { CertificateFor, Presented } from "../ports/certificates.ts";

/** A certificate ready for handshakes. */
export interface Credential {
  readonly context: SecureContext;
  /** Reports whether the certificate is valid for `host`, exactly or by a wildcard of one label (RFC 9525 §6.3). */
  covers(host: string): boolean;
}

/** The only path from a server name to what its handshake presents. */
export interface Credentials {
  /** Returns undefined for a name without a certificate. Rejects or throws what loading or reading it does. */
  find(serverName: string): Eventual<Credential | undefined>;
  /** How many are cached. */
  readonly size: number;
}

export interface CredentialsOptions {
  readonly certificateFor: CertificateFor;
  readonly clock: Pick<Clock, "now">;
  /** Credentials cached; the least recently used is evicted. */
  readonly maxContexts: number;
  /** Certificates loaded at a time; names that need another one are refused meanwhile. Default 1,000. */
  readonly maxLoading?: number;
}

/** How long a certificate that could not be found is not loaded again, and how many of these are remembered. */
const MISSING_MS = SECOND_MS;
const MAX_MISSING = 10_000;

/** Caches by certificate id: the name is resolved in every handshake, so a change applies to the next one. */
export function createCredentials({
  certificateFor,
  clock,
  maxContexts,
  maxLoading = 1_000,
}: CredentialsOptions): Credentials {
  const cached = countedCache<Credential>(maxContexts, () => undefined);
  const loading = new Map<string, Promise<Credential | undefined>>();
  const missing = countedCache<{ readonly until: number }>(MAX_MISSING, () => undefined);

  const keep = (id: string, presented: Presented | undefined): Credential | undefined => {
    if (presented === undefined) {
      missing.set(id, { until: clock.now() + MISSING_MS });
      return undefined;
    }
    const credential = credentialOf(presented);
    cached.set(id, credential);
    return credential;
  };

  return {
    find: (serverName) => {
      const certificate = certificateFor(serverName);
      if (certificate === undefined) return undefined;
      const { id } = certificate;
      const known = cached.get(id) ?? loading.get(id);
      if (known !== undefined) return known;
      if (clock.now() < (missing.get(id)?.until ?? 0)) return undefined;
      if (loading.size >= maxLoading) return undefined;
      const loaded = certificate.load();
      if (!isPromise(loaded)) return keep(id, loaded);
      const credential = loaded
        .then((presented) => keep(id, presented))
        .finally(() => loading.delete(id));
      loading.set(id, credential);
      return credential;
    },
    get size() {
      return cached.size;
    },
  };
}

/** Builds a credential. Throws when the certificate and its key are unfit for TLS. */
export function credentialOf({
  chainPem,
  privateKeyPem,
}: Pick<Presented, "chainPem" | "privateKeyPem">): Credential {
  let leaf: X509Certificate | undefined;
  return {
    context: createSecureContext({ cert: chainPem, key: privateKeyPem, ...PROTOCOL }),
    covers: (host) => {
      leaf ??= new X509Certificate(chainPem);
      return leaf.checkHost(host, { subject: "never", partialWildcards: false }) !== undefined;
    },
  };
}

/**
 * TLS 1.0 and 1.1 are deprecated (RFC 8996). TLS 1.2 is limited to AEAD suites with forward secrecy (RFC 9325 §4.2).
 * Node offers TLS 1.3 only if one of its suites is listed.
 */
export const PROTOCOL = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
  ].join(":"),
} as const;
