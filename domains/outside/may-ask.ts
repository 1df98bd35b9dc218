import { parseAddress, isIn, type AddressBlock } from "../../lib/model/client-address.ts";
import { isPublicAddress } from "../model/public-address.ts";

/** Never asked, whatever networks are allowed: who can ask these is handed the keys of the machine. */
const NEVER: readonly AddressBlock[] = [
  ["0.0.0.0", 8],
  // Link-local, with the metadata of most clouds.
  ["169.254.0.0", 16],
  ["fe80::", 10],
  // Metadata elsewhere: Alibaba, Oracle, Azure (public by its number), AWS by IPv6.
  ["100.100.100.200", 32],
  ["192.0.0.192", 32],
  ["168.63.129.16", 32],
  ["fd00:ec2::254", 128],
];

/**
 * The addresses that may be asked, one of each kind, IPv4 first; none for what is no plain address. Strangers choose
 * where their names lead: without this our own network would be asked on their behalf.
 */
export function mayAsk(
  addresses: readonly string[],
  { allowPrivateNetworks }: { readonly allowPrivateNetworks: boolean },
): readonly string[] {
  const able = addresses.flatMap((text) => {
    const bytes = parseAddress(text);
    if (bytes === undefined || text.includes("%")) return [];
    // Written anew: what the connection is made to is what was looked at.
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
