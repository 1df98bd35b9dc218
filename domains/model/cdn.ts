import { parseAddress, isIn, type AddressBlock } from "../../lib/model/client-address.ts";

/** Returns the proxy network that all addresses belong to; undefined if there is none. */
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

/** A proxy network and the addresses that it publishes. */
export interface CdnNetwork {
  readonly name: string;
  readonly blocks: readonly AddressBlock[];
  readonly source: string;
  /** The date of the list, YYYY-MM-DD. */
  readonly takenOn: string;
}

/** Networks that publish their addresses and are common in front of sites. */
export const cdnNetworks: readonly CdnNetwork[] = [
  {
    name: "Cloudflare",
    blocks: [
      ["103.21.244.0", 22],
      ["103.22.200.0", 22],
      ["103.31.4.0", 22],
      ["104.16.0.0", 13],
      ["104.24.0.0", 14],
      ["108.162.192.0", 18],
      ["131.0.72.0", 22],
      ["141.101.64.0", 18],
      ["162.158.0.0", 15],
      ["172.64.0.0", 13],
      ["173.245.48.0", 20],
      ["188.114.96.0", 20],
      ["190.93.240.0", 20],
      ["197.234.240.0", 22],
      ["198.41.128.0", 17],
      ["2400:cb00::", 32],
      ["2405:8100::", 32],
      ["2405:b500::", 32],
      ["2606:4700::", 32],
      ["2803:f800::", 32],
      ["2a06:98c0::", 29],
      ["2c0f:f248::", 32],
    ],
    source: "https://www.cloudflare.com/ips/",
    takenOn: "2026-09-29",
  },
  {
    name: "Fastly",
    blocks: [
      ["23.235.32.0", 20],
      ["43.249.72.0", 22],
      ["103.244.50.0", 24],
      ["103.245.222.0", 23],
      ["103.245.224.0", 24],
      ["104.156.80.0", 20],
      ["140.248.64.0", 18],
      ["140.248.128.0", 17],
      ["146.75.0.0", 17],
      ["151.101.0.0", 16],
      ["157.52.64.0", 18],
      ["167.82.0.0", 17],
      ["167.82.128.0", 20],
      ["167.82.160.0", 20],
      ["167.82.224.0", 20],
      ["172.111.64.0", 18],
      ["185.31.16.0", 22],
      ["199.27.72.0", 21],
      ["199.232.0.0", 16],
      ["2a04:4e40::", 32],
      ["2a04:4e42::", 32],
    ],
    source: "https://api.fastly.com/public-ip-list",
    takenOn: "2026-11-21",
  },
];
