import { networkInterfaces } from "node:os";

import { isPublicAddress } from "../../domains/index.ts";

/** Public addresses of this machine; none where a router or a host stands before it. */
export function machineAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return [...new Set(all.map(({ address }) => address))].filter(isPublicAddress);
}
