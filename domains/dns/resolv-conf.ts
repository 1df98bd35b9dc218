import { parseServerAddress, type ServerAddress } from "./server-address.ts";

/** The resolvers that a `resolv.conf` names, in its order; lines that cannot be read are passed over. */
export function serversInResolvConf(text: string): readonly ServerAddress[] {
  return text.split("\n").flatMap((line) => {
    const address = /^\s*nameserver\s+([^\s#;]+)/.exec(line)?.[1];
    const server = address === undefined ? undefined : parseServerAddress(address);
    return server === undefined ? [] : [server];
  });
}
