import { BlockList, isIP } from "node:net";

import { done, refused } from "../lib/base/result.ts";
import { quoted, type Parse } from "./values.ts";

/** Part of the address space: `10.0.0.0/8`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

/** In CIDR notation (RFC 4632 §3.1); an address alone is a network of one. */
export const network: Parse<Network> = (written) => {
  const [address = "", length, more] = written.split("/");
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  return version === 0 || more !== undefined || !(bits <= most)
    ? refused(`must be networks such as 10.0.0.0/8 or fd00::/8, not ${quoted(written)}`)
    : done({ address, bits, family: version === 4 ? "ipv4" : "ipv6" });
};

/** Whether an address lies in one of the networks. IPv4 in its IPv6 form is IPv4. */
export function membership(networks: readonly Network[]): (address: string) => boolean {
  const members = new BlockList();
  for (const { address, bits, family } of networks) members.addSubnet(address, bits, family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && members.check(address, version === 4 ? "ipv4" : "ipv6");
  };
}
