import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import type { Within } from "../ports/resolver.ts";
import type { Message } from "./message.ts";
import { nameServersOf, type Delegation, type NameServerOptions } from "./name-servers.ts";
import type { Ask } from "./query.ts";
import { recordsAt } from "./record.ts";

/** A zone on the way to a name, as far as it is known. */
export interface Cut {
  readonly apex: string;
  readonly delegation: Delegation;
}

export interface GuideOptions extends NameServerOptions {
  readonly ask: Ask;
  readonly clock: Clock;
  /** Where a name server at that address listens. */
  readonly portOf: (address: string) => number;
}

/** So many of a zone's servers are asked the way. */
const MAX_GUIDES = 3;
/**
 * They have so long. Where a firewall lets nobody out but resolvers they are all silent, and that must leave time for
 * the rest.
 */
const GUIDE_TIME_MS: number = 2 * SECOND_MS;

/** The zone below `cut` to which its servers send those who ask for `name`; undefined when they send nowhere. */
export async function referralFrom(
  cut: Cut,
  name: string,
  options: GuideOptions,
  within: Within,
): Promise<Cut | undefined> {
  for (const message of await askGuides(cut, name, options, within)) {
    if (message.authoritative || message.rcode !== 0) continue;
    // A server that sends upwards or aside has no authority and knows no way.
    const first = message.authorities.find(
      ({ type, name: owner }) =>
        type === "NS" && owner.endsWith(`.${cut.apex}`) && `.${name}`.endsWith(`.${owner}`),
    );
    if (first === undefined) continue;
    const parent = recordsAt(message.authorities, first.name, "NS").map(({ data }) => data);
    const glue = new Map(parent.map((server) => [server, addressesIn(message, server)]));
    return { apex: first.name, delegation: { parent, child: [], glue } };
  }
  return undefined;
}

/** The NS names of a zone as its own servers have them; none when they do not say. */
export async function ownServers(
  cut: Cut,
  options: GuideOptions,
  within: Within,
): Promise<readonly string[]> {
  for (const message of await askGuides(cut, cut.apex, options, within)) {
    const records = message.authoritative ? recordsAt(message.answers, cut.apex, "NS") : [];
    if (records.length > 0) return records.map(({ data }) => data);
  }
  return [];
}

/** What servers of the zone say when asked for the servers of `name`. */
async function askGuides(
  { delegation }: Cut,
  name: string,
  options: GuideOptions,
  { deadlineAt, ...rest }: Within,
): Promise<readonly Message[]> {
  const { ask, clock, portOf } = options;
  const within = { deadlineAt: Math.min(deadlineAt, clock.now() + GUIDE_TIME_MS), ...rest };
  const { servers } = await nameServersOf(delegation, options, within);
  const replies = await Promise.all(
    servers.slice(0, MAX_GUIDES).map(({ address }) => {
      const server = { address, port: portOf(address) };
      return ask(server, { name, type: "NS" }, { recursionDesired: false, ...within });
    }),
  );
  return replies.flatMap((reply) => (reply.kind === "message" ? [reply.message] : []));
}

function addressesIn({ additionals }: Message, server: string): readonly string[] {
  const records = [
    ...recordsAt(additionals, server, "A"),
    ...recordsAt(additionals, server, "AAAA"),
  ];
  return records.map(({ data }) => data);
}
