import { parseAddress } from "./client-address.ts";

/** A network and how many of its first bits all of its addresses share. */
export type AddressBlock = readonly [network: string, bits: number];

/** Whether `address`, of 4 or 16 bytes, lies in the block; never when one is IPv4 and the other IPv6. */
export function isIn(address: Uint8Array, [network, bits]: AddressBlock): boolean {
  const start = parseAddress(network);
  if (start?.length !== address.length) return false;
  for (let index = 0, left = bits; left > 0; index++, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if (((address[index] ?? 0) & mask) !== ((start[index] ?? 0) & mask)) return false;
  }
  return true;
}
