import { parseAddress, isIn, type AddressBlock } from "../../lib/model/client-address.ts";

/** IPv4 blocks without public hosts (IANA special-purpose registry, RFC 6890), including multicast. */
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
  // Multicast, reserved and broadcast.
  ["224.0.0.0", 3],
];

/** The only IPv6 block of global unicast addresses. */
const PUBLIC_IPV6: AddressBlock = ["2000::", 3];

/** Exceptions: not assigned to hosts, or embedding an IPv4 address (Teredo, 6to4). */
const NOT_PUBLIC_IPV6: readonly AddressBlock[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/**
 * Whether an address may belong to a host on the public Internet. False for private, loopback, link-local,
 * multicast and documentation addresses, for IPv6 addresses that embed an IPv4 address, and for texts that are not
 * addresses.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined) return false;
  if (address.length === 4) return !NOT_PUBLIC_IPV4.some((block) => isIn(address, block));
  return isIn(address, PUBLIC_IPV6) && !NOT_PUBLIC_IPV6.some((block) => isIn(address, block));
}
