import type { Eventual } from "../../lib/base/eventual.ts";
import { recordsOf } from "../model/answer.ts";
import { registrableOf, type PublicSuffixes } from "../model/hostname.ts";
import type { ZoneSearch } from "../model/survey.ts";
import type { Within } from "../ports/resolver.ts";
import { firstKnown, type Resolvers } from "./resolver.ts";
import { namesOf, nameServersOf, type Delegation, type NameServerOptions } from "./name-servers.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { type Message, recordsAt } from "./message.ts";
import type { Ask } from "./query.ts";

export interface ZoneSearchOptions extends GuideOptions {
  readonly suffixes: () => Eventual<PublicSuffixes>;
}

/** Zones deeper than this are found by referrals. */
const MAX_LEVELS = 10;
/** Most referrals followed. */
const MAX_REFERRALS = 6;

/**
 * Finds the zone of a name. Resolvers provide the zones above it; from the second-lowest of those the search
 * follows referrals. So it finds zones whose servers are broken or not authoritative, and learns both sides of the
 * delegation.
 */
export async function searchZone(
  name: string,
  given: ZoneSearchOptions,
  within: Within,
): Promise<ZoneSearch> {
  const options = { ...given, learned: new Map<string, readonly string[]>() };
  const { resolvers } = options;
  const suffixes = await options.suffixes();
  const { cuts, doubt, missing } = await zonesAbove(name, resolvers, within);
  const [lowest, above = lowest] = cuts;
  if (lowest === undefined || above === undefined) return doubt ?? { kind: "absent" };
  const cut = await descend(name, { lowest, above }, options, within);
  // A name directly in a registry's zone is unregistered, or its delegation could not be queried.
  if (cut.apex === suffixes.suffixOf(name, "icann")) {
    if (doubt !== undefined) return doubt;
    if (missing.has(registrableOf(name, suffixes) ?? name)) return { kind: "absent" };
  }
  const own = await ownServers(cut, options, within);
  const delegation = own.length > 0 ? { ...cut.delegation, child: own } : cut.delegation;
  const [{ servers, unasked, complete }, signer] = await Promise.all([
    nameServersOf(delegation, options, within),
    firstKnown(resolvers, cut.apex, "DS", within),
  ]);
  const learned = complete && own.length > 0 && signer.kind !== "unknown";
  return {
    kind: "found",
    ...(learned ? {} : { doubtful: true }),
    zone: {
      apex: cut.apex,
      servers,
      unasked,
      nameServers: namesOf(delegation),
      signed: signer.kind === "found",
    },
  };
}

interface Known {
  /** Lowest first. */
  readonly cuts: readonly Cut[];
  /** Set if the lookup of a possible zone failed. */
  readonly doubt?: ZoneSearch;
  /** Names that do not exist, nor anything below them. */
  readonly missing: ReadonlySet<string>;
}

/** Returns the zones above the name that resolvers know. */
async function zonesAbove(name: string, resolvers: Resolvers, within: Within): Promise<Known> {
  const labels = name.split(".");
  const candidates = labels.map((_, index) => labels.slice(index).join(".")).slice(-MAX_LEVELS);
  const answers = await Promise.all(
    candidates.map(async (apex) => ({
      apex,
      answer: await firstKnown(resolvers, apex, "NS", within),
    })),
  );
  const cuts: Cut[] = [];
  const missing = new Set<string>();
  let doubt: ZoneSearch | undefined;
  for (const { apex, answer } of answers) {
    if (answer.kind === "unknown") doubt ??= { kind: "unknown", reason: answer.reason };
    if (answer.kind === "absent" && answer.reason === "nxdomain") missing.add(apex);
    // An alias itself is not a zone apex, even if its target is.
    if (answer.kind !== "found" || answer.aliases.length > 0) continue;
    const delegation = { parent: [], child: recordsOf(answer), glue: new Map() };
    cuts.push({ apex, delegation });
  }
  return { cuts, missing, ...(doubt && { doubt }) };
}

/** Follows referrals from the zone above the lowest known one down to the zone of the name. */
async function descend(
  name: string,
  { lowest, above }: { readonly lowest: Cut; readonly above: Cut },
  options: GuideOptions,
  within: Within,
): Promise<Cut> {
  let cut = lowest;
  let guide = above;
  for (let steps = 0; steps < MAX_REFERRALS; steps++) {
    const referral = await referralFrom(guide, name, options, within);
    if (referral === undefined) return cut;
    const { apex, delegation } = referral;
    const child = apex === lowest.apex ? lowest.delegation.child : [];
    guide = { apex, delegation: { ...delegation, child } };
    if (apex.length >= cut.apex.length) cut = guide;
  }
  return cut;
}

/** A zone above the name, or that of the name. */
interface Cut {
  readonly apex: string;
  readonly delegation: Delegation;
}

interface GuideOptions extends NameServerOptions {
  readonly ask: Ask;
  readonly clock: Clock;
  /** Returns the port of the name server at an address. */
  readonly portOf: (address: string) => number;
}

/** Most servers asked per referral. */
const MAX_GUIDES = 3;
/**
 * Time limit per referral. Behind a firewall that allows only resolvers, all servers stay silent, and time must be
 * left for the rest.
 */
const GUIDE_TIME_MS: number = 2 * SECOND_MS;

/** Returns the zone below `cut` to which its servers refer queries for `name`; undefined without a referral. */
async function referralFrom(
  cut: Cut,
  name: string,
  options: GuideOptions,
  within: Within,
): Promise<Cut | undefined> {
  for (const message of await askGuides(cut, name, options, within)) {
    if (message.authoritative || message.rcode !== 0) continue;
    // Referrals upwards or sideways come from servers without authority.
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

/** Returns the zone's NS names from its own servers; empty if they do not answer. */
async function ownServers(
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

/** Asks the zone's servers for the NS records of `name`. */
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
