import { parseAddress, isIn, type AddressBlock } from "../../lib/model/client-address.ts";
import { isPublicAddress } from "../model/public-address.ts";

/**
 * Addresses that are never contacted, even if private networks are allowed: they hand out the machine's
 * credentials.
 */
const NEVER: readonly AddressBlock[] = [
  ["0.0.0.0", 8],
  // Link-local, with the metadata of most clouds.
  ["169.254.0.0", 16],
  ["fe80::", 10],
  // Metadata services of Alibaba, Oracle, Azure (a public address), and AWS and Google over IPv6.
  ["100.100.100.200", 32],
  ["192.0.0.192", 32],
  ["168.63.129.16", 32],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
];

/**
 * Returns the addresses that may be contacted, at most one per IP version, IPv4 first. The owner of a name chooses
 * its addresses; without this check they could direct requests into our network.
 */
export function contactableAddresses(
  addresses: readonly string[],
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean },
): readonly string[] {
  const able = addresses.flatMap((text) => {
    const bytes = parseAddress(text);
    if (bytes === undefined || text.includes("%")) return [];
    // Formatted from the parsed bytes, so that the connection goes to the checked address.
    const address = bytes.length === 4 ? bytes.join(".") : text;
    if (!allowPrivateNetworks && !isPublicAddress(address)) return [];
    return NEVER.some((block) => isIn(bytes, block)) ? [] : [address];
  });
  const [ipv4, ipv6] = [
    able.find((address) => !address.includes(":")),
    able.find((address) => address.includes(":")),
  ];
  return [ipv4, ipv6].filter((address) => address !== undefined);
}
