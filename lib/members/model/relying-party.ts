import type { RelyingParty } from "../passkeys.ts";

/**
 * Whom passkeys are made for at an address: its host name, so that no site below or beside it can use them. Undefined
 * where browsers make none: an IP address has no name, and there must be HTTPS or `localhost`.
 */
export function relyingPartyAt(origin: string): RelyingParty | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined) return undefined;
  const { protocol, hostname } = url;
  if (IP.test(hostname)) return undefined;
  const within = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !within) return undefined;
  return { id: hostname, origin: url.origin };
}

/** As URLs write them: IPv6 in brackets, IPv4 as four numbers. */
const IP = /^(?:\[.*\]|\d+(?:\.\d+){3})$/;
