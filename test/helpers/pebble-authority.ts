import { acmeAuthority, type AcmeAuthorityOptions } from "../../domains/acme/acme-authority.ts";
import { createHttpsClient } from "../../domains/acme/https-client.ts";
import type { CertificateAuthority } from "../../domains/ports/authority.ts";
import { systemClock, type Clock } from "../../lib/base/clock.ts";
import type { Pebble } from "./pebble.ts";

/** A Pebble, or a proxy in front of one. */
export type Directory = Pick<Pebble, "directoryUrl" | "listenerCertificate">;

/** Creates the ACME client for a Pebble. */
export function pebbleAuthority(
  { directoryUrl, listenerCertificate }: Directory,
  {
    clock = systemClock,
    ...more
  }: { readonly clock?: Clock } & Pick<Partial<AcmeAuthorityOptions>, "profile"> = {},
): CertificateAuthority {
  const https = createHttpsClient({
    clock,
    userAgent: "petstore-tests",
    extraRoots: listenerCertificate,
  });
  return acmeAuthority({ directoryUrl, https, clock, ...more });
}
