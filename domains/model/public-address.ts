import { parseAddress, isIn, type AddressBlock } from "../../lib/model/client-address.ts";

/** Blocks of IPv4 that belong to no public host (IANA special-purpose registry, RFC 6890), multicast included. */
const NOT_PUBLIC_IPV4: readonly AddressBlock[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  // Multicast, and what was kept for later with the broadcast address.
  ["224.0.0.0", 3],
];

/** The one block of IPv6 from which hosts get addresses. */
const PUBLIC_IPV6: AddressBlock = ["2000::", 3];

/** What of it belongs to no host, or hides an IPv4 address (Teredo, 6to4). */
const NOT_PUBLIC_IPV6: readonly AddressBlock[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/**
 * Whether a host of the public Internet can have this address. False for private, loopback, link-local, multicast
 * and documentation addresses, for IPv6 that hides an IPv4 address, and for what is no address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  if (address.length === 4) return !NOT_PUBLIC_IPV4.some((block) => isIn(address, block));
  return isIn(address, PUBLIC_IPV6) && !NOT_PUBLIC_IPV6.some((block) => isIn(address, block));
}
