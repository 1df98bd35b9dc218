import { areaAt } from "../../lib/publishing/index.ts";
import type { PlainRequest } from "./plain-http.ts";

/** What becomes of a request that did not come over TLS. */
export type OverPlainHttp =
  /** Answered as if there were no TLS. */
  | { readonly kind: "serve" }
  /** `https_required`, before the key is looked at: a key that came this way was seen by others. */
  | { readonly kind: "refuse" }
  /** The same address over HTTPS. */
  | { readonly kind: "redirect"; readonly location: string };

export interface HttpsOnlyOptions {
  /** Whether a handshake for the host would go well. Never a query. */
  readonly hasCertificate: (host: string) => boolean;
  /** What visitors see; 443 is not written. */
  readonly publicHttpsPort: number;
}

const SERVE: OverPlainHttp = { kind: "serve" };
const REFUSE: OverPlainHttp = { kind: "refuse" };
const HTTPS_PORT = 443;

/**
 * Decides on requests over plain HTTP. Where TLS was ended by a proxy that is trusted, this is not to be asked. Only a
 * host with a certificate is ever named in an address: what strangers call us is not repeated to them.
 */
export function httpsOnly({
  hasCertificate,
  publicHttpsPort,
}: HttpsOnlyOptions): (request: PlainRequest) => OverPlainHttp {
  const port = publicHttpsPort === HTTPS_PORT ? "" : `:${publicHttpsPort}`;
  return ({ host, target }) => {
    const area = areaAt(target);
    if (area === "state" || !hasCertificate(host)) return SERVE;
    if (area === "api" || area === "management") return REFUSE;
    return { kind: "redirect", location: `https://${host}${port}${target}` };
  };
}
