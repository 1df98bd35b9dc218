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
  return createSecureContext({ cert: chainPem, key: privateKeyPem, minVersion: MIN_VERSION });
}

/** TLS 1.0 and 1.1 are history (RFC 8996). */
export const MIN_VERSION = "TLSv1.2";
