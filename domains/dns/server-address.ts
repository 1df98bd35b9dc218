import { parseAddress } from "../../lib/model/client-address.ts";

/** The address of a name server. */
export interface ServerAddress {
  /** An IP address, never a name, as finding a resolver must not depend on DNS. */
  readonly address: string;
  readonly port: number;
}

export const DNS_PORT = 53;

/**
 * Parses `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`; undefined for anything else,
 * including names. The port defaults to 53.
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

/** Formats an address for display; omits port 53. */
export function formatServerAddress({ address, port }: ServerAddress): string {
  if (port === DNS_PORT) return address;
  return isIpv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

export function isIpv6(address: string): boolean {
  return address.includes(":");
}

/** Returns the resolvers of a `resolv.conf` in order; malformed lines are skipped. */
export function serversInResolvConf(text: string): readonly ServerAddress[] {
  return text.split("\n").flatMap((line) => {
    const address = /^\s*nameserver\s+([^\s#;]+)/.exec(line)?.[1];
    const server = address === undefined ? undefined : parseServerAddress(address);
    return server === undefined ? [] : [server];
  });
}
