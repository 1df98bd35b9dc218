import { unknown } from "../model/answer.ts";
import type { Authorities } from "../ports/authorities.ts";
import { isLame, readOwnAnswer } from "./read-answer.ts";
import { DNS_PORT } from "./server-address.ts";
import { searchZone, type ZoneSearchOptions } from "./zone-search.ts";

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
