import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import type { Authorities } from "../ports/resolver.ts";
import { type Resolvers, recursiveResolver } from "./resolver.ts";
import { publicSuffixes } from "./public-suffixes.ts";
import { createAsk } from "./query.ts";
import { DNS_PORT, type ServerAddress } from "./server-address.ts";
import { unknown } from "../model/answer.ts";
import { isLame, readOwnAnswer } from "./read-answer.ts";
import { searchZone, type ZoneSearchOptions } from "./zone-search.ts";

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

export type AuthoritiesOptions = Omit<ZoneSearchOptions, "portOf"> & {
  /** NS records name no port: it is 53. Tests that may not listen there have others. */
  readonly portOf?: (address: string) => number;
};

/** The authoritative servers of the DNS, asked directly. Their addresses are strangers' words: only public ones are asked. */
export function createAuthorities({
  portOf = () => DNS_PORT,
  ...options
}: AuthoritiesOptions): Authorities {
  const { ask } = options;
  return {
    zoneOf: (name, within) => searchZone(name, { ...options, portOf }, within),
    ask: async ({ address }, name, type, within) => {
      const server = { address, port: portOf(address) };
      const reply = await ask(server, { name, type }, { recursionDesired: false, ...within });
      const { roundTripMs } = reply;
      if (reply.kind === "none") {
        return { answer: unknown(reply.reason), signed: false, roundTripMs };
      }
      const { message } = reply;
      const answer = isLame(message) ? unknown("lame") : readOwnAnswer(message, name, type);
      return { answer, signed: message.signed, roundTripMs };
    },
  };
}
