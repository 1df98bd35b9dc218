import {
  aBoolean,
  aClock,
  aFunction,
  checkOptions,
  having,
  listOf,
  optional,
} from "../../lib/base/options.ts";
import type { Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import type { AuthoritativeServers } from "../ports/resolver.ts";
import { type Resolvers, recursiveResolver } from "./resolver.ts";
import { loadPublicSuffixes } from "./public-suffixes.ts";
import { createAsk } from "./query.ts";
import { DNS_PORT, type ServerAddress } from "./server-address.ts";
import { unknown } from "../model/answer.ts";
import { isLame, readDirectAnswer } from "./read-answer.ts";
import { searchZone, type ZoneSearchOptions } from "./zone-search.ts";

/** The sources of DNS answers: resolvers with caches, and the authoritative servers. */
export interface Vantages {
  readonly resolvers: Resolvers;
  readonly authorities: AuthoritativeServers;
}

/** Options of the resolvers and name servers that checks ask. */
export interface VantagesOptions {
  /** The resolvers' addresses. */
  readonly servers: readonly [ServerAddress, ...ServerAddress[]];
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Fills an array with random bytes: `(into) => crypto.getRandomValues(into)`. */
  readonly random: Random;
  /** Allows queries to private and loopback addresses: for laptops and tests only. Default false. */
  readonly allowPrivateNetworks?: boolean | undefined;
  /** Returns the port of the name server at an address. Default: 53. */
  readonly portOf?: ((address: string) => number) | undefined;
}

/** Returns the resolvers and name servers that checks ask. Throws a `TypeError` for unknown or wrong options. */
export function createVantages(options: VantagesOptions): Vantages {
  checkOptions("createVantages", options, {
    servers: listOf(having("resolvers with an address and a port", "address", "port"), 1),
    clock: aClock,
    random: aFunction,
    allowPrivateNetworks: optional(aBoolean),
    portOf: optional(aFunction),
  });
  const { clock, random, allowPrivateNetworks = false, portOf = () => DNS_PORT } = options;
  const [first, ...others] = options.servers;
  const ask = createAsk({ clock, random });
  const resolvers: Resolvers = [
    recursiveResolver(ask, first),
    ...others.map((server) => recursiveResolver(ask, server)),
  ];
  const parts = { ask, clock, portOf, resolvers, allowPrivateNetworks };
  return {
    resolvers,
    authorities: createAuthoritativeServers({ ...parts, suffixes: loadPublicSuffixes }),
  };
}

export type AuthoritativeServersOptions = Omit<ZoneSearchOptions, "portOf"> & {
  /** NS records name no port, so it is 53; tests use other ports. */
  readonly portOf?: ((address: string) => number) | undefined;
};

/**
 * Queries authoritative servers directly. Their addresses come from other zones, so by default only public ones are
 * used.
 */
export function createAuthoritativeServers({
  portOf = () => DNS_PORT,
  ...options
}: AuthoritativeServersOptions): AuthoritativeServers {
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
      const answer = isLame(message) ? unknown("lame") : readDirectAnswer(message, name, type);
      const { signed, signatures } = message;
      return { answer, signed, ...(signed && { signatures }), roundTripMs };
    },
  };
}
