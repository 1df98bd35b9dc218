import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

import { countedCache } from "../../lib/base/cache.ts";
import type { Presented } from "../ports/certificates.ts";

/** What handshakes are made with. */
export interface Contexts {
  /** Throws when the certificate and its key are not fit for TLS. */
  of(presented: Presented): SecureContext;
  /** Whether the certificate is good for `host`, exactly or by a wildcard of one label (RFC 9525 §6.3). */
  covers(presented: Presented, host: string): boolean;
  readonly size: number;
}

interface Made {
  readonly context: SecureContext;
  /** Read when somebody first asks for another host. */
  leaf?: X509Certificate;
}

/** Keeps the `max` that were used last, by the certificates' ids. */
export function createContexts(max: number): Contexts {
  const made = countedCache<Made>(max, () => undefined);
  const madeOf = (presented: Presented): Made => {
    const known = made.get(presented.id);
    if (known !== undefined) return known;
    const fresh = { context: contextOf(presented) };
    made.set(presented.id, fresh);
    return fresh;
  };
  return {
    of: (presented) => madeOf(presented).context,
    covers: (presented, host) => {
      const entry = madeOf(presented);
      entry.leaf ??= new X509Certificate(presented.chainPem);
      return (
        entry.leaf.checkHost(host, { subject: "never", partialWildcards: false }) !== undefined
      );
    },
    get size() {
      return made.size;
    },
  };
}

/** Made anew, and not kept. Throws when the certificate and its key are not fit for TLS. */
export function contextOf({ chainPem, privateKeyPem }: Presented): SecureContext {
  return createSecureContext({ cert: chainPem, key: privateKeyPem, ...PROTOCOL });
}

/**
 * What is spoken: TLS 1.0 and 1.1 are history (RFC 8996), and of TLS 1.2 only suites with forward secrecy that encrypt
 * and authenticate in one (AEAD, RFC 9325 §4.2). Node speaks TLS 1.3 only where a suite of it is named.
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
