import { parseAddress } from "../../lib/model/client-address.ts";

/** Where a name server listens. */
export interface ServerAddress {
  /** An IP address, never a name: whom to believe must not itself be asked of the DNS. */
  readonly address: string;
  readonly port: number;
}

export const DNS_PORT = 53;

/**
 * Reads `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` and `[2001:db8::53]:5353`; undefined for everything
 * else, names included. The port is 53 unless given.
 */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const [, bracketed, bracketedPort] = /^\[([^\]]*)\](?::(\d{1,5}))?$/.exec(text) ?? [];
  const [, plain, plainPort] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const port = Number(bracketedPort ?? plainPort ?? DNS_PORT);
  if (parseAddress(address) === undefined || (bracketed !== undefined && !isIpv6(bracketed))) {
    return undefined;
  }
  return port >= 1 && port <= 65_535 ? { address, port } : undefined;
}

/** For people and logs; the port only when it is not the usual one. */
export function formatServerAddress({ address, port }: ServerAddress): string {
  if (port === DNS_PORT) return address;
  return isIpv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

export function isIpv6(address: string): boolean {
  return address.includes(":");
}

/** The resolvers that a `resolv.conf` names, in its order; lines that cannot be read are passed over. */
export function serversInResolvConf(text: string): readonly ServerAddress[] {
  return text.split("\n").flatMap((line) => {
    const address = /^\s*nameserver\s+([^\s#;]+)/.exec(line)?.[1];
    const server = address === undefined ? undefined : parseServerAddress(address);
    return server === undefined ? [] : [server];
  });
}
