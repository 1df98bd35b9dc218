import { parseAddress } from "../../lib/model/client-address.ts";
import { isIn } from "../../lib/model/address-block.ts";
import { cdnNetworks } from "./cdn-data.ts";

/** The network of proxies that all of these addresses belong to; undefined when one does not, or there are none. */
export function cdnOf(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return undefined;
  const names = new Set(addresses.map(networkOf));
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

function networkOf(text: string): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  return cdnNetworks.find(({ blocks }) => blocks.some((block) => isIn(address, block)))?.name;
}
