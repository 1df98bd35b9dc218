import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import type { Authorities } from "../ports/authorities.ts";
import { createAuthorities } from "./authoritative.ts";
import type { Resolvers } from "./first-known.ts";
import { publicSuffixes } from "./public-suffixes.ts";
import { createAsk } from "./query.ts";
import { recursiveResolver } from "./resolver.ts";
import { DNS_PORT, type ServerAddress } from "./server-address.ts";

/** The two kinds of server that answer for a name: resolvers with their caches, and the servers of its zone. */
export interface Vantages {
  readonly resolvers: Resolvers;
  readonly authorities: Authorities;
}

export interface VantagesOptions {
  /** The resolvers. */
  readonly servers: readonly [ServerAddress, ...ServerAddress[]];
  readonly clock: Clock;
  readonly random: Random;
  /** Asks name servers at addresses of private networks and of this machine: laptops and tests only. Default false. */
  readonly allowPrivateNetworks?: boolean;
  /** Where a name server at an address listens. Default: port 53. */
  readonly portOf?: (address: string) => number;
}

export function createVantages({
  servers: [first, ...others],
  clock,
  random,
  allowPrivateNetworks = false,
  portOf = () => DNS_PORT,
}: VantagesOptions): Vantages {
  const ask = createAsk({ clock, random });
  const resolvers: Resolvers = [
    recursiveResolver(ask, first),
    ...others.map((server) => recursiveResolver(ask, server)),
  ];
  const options = { ask, clock, portOf, resolvers, allowPrivateNetworks };
  return { resolvers, authorities: createAuthorities({ ...options, suffixes: publicSuffixes }) };
}
