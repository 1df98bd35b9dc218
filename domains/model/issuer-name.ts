import { isPublicAddress } from "./public-address.ts";
import { specialUseOf } from "./special-use.ts";

/** Special-use names of networks; those for tests and documentation say nothing about one. */
const INNER: ReadonlySet<string> = new Set([
  ...["alt", "arpa", "internal", "local", "localhost", "onion"],
  ...["corp", "home", "lan", "localdomain", "mail", "private"],
]);

/**
 * Returns a CA's id as owners of domains read it: `private` if it is an address in the operator's network, which is nobody
 * else's business.
 */
export function issuerForOwners(authority: string): string {
  if (!URL.canParse(authority)) return authority;
  const { hostname } = new URL(authority);
  const address = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const isPublic = isAddress
    ? isPublicAddress(address)
    : hostname.includes(".") && !INNER.has(specialUseOf(hostname) ?? "");
  return isPublic ? authority : "private";
}

/** Returns a CA's name within a sentence that owners of domains read. */
export function issuerInWords(authority: string): string {
  const shown = issuerForOwners(authority);
  return shown === "private" ? "a private certificate authority" : shown;
}
