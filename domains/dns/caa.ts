import { type Clock, SECOND_MS } from "../../lib/base/clock.ts";
import { unknown, type Answer, type CaaRecord, MAX_ALIASES, type Alias } from "../model/answer.ts";
import {
  caaBehind,
  climbCaa,
  type CaaLevel,
  type CaaLookup,
  type CaaSurvey,
  type CaaResponse,
} from "../model/caa-lookup.ts";
import type { AuthoritativeServers, Resolver, Within } from "../ports/resolver.ts";
import type { Resolvers } from "./resolver.ts";
import { isAtOrBelow } from "../model/hostname.ts";
import type { NameServer, Zone } from "../model/survey.ts";

/** Time limit per name, so that a slow zone does not use up the time for its parents. */
const NAME_TIME_MS = 5 * SECOND_MS;

/**
 * Finds the CAA records that apply to `name` (RFC 8659 §3). All names up to the top are queried at once, both from
 * resolvers and from the servers of their zones; the lowest set applies. Aliases are followed, but the tree above
 * their targets is not climbed. A name has at most 127 labels.
 */
export async function lookupCaa(
  name: string,
  {
    resolvers,
    authorities,
    clock,
  }: {
    readonly resolvers: Resolvers;
    readonly authorities: AuthoritativeServers;
    readonly clock: Clock;
  },
  within: Within,
): Promise<CaaSurvey> {
  const labels = name.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const soon = (): Within => ({
    ...within,
    deadlineAt: Math.min(within.deadlineAt, clock.now() + NAME_TIME_MS),
  });
  const [direct, caches] = await Promise.all([
    authoritativeCaa(names, { authorities, within, soon }),
    Promise.all(resolvers.map((resolver) => cacheOf(resolver, names, { clock, within: soon() }))),
  ]);
  const levels = names.map((at, index): CaaLevel => {
    const [newest, ...others] = direct.get(at) ?? [];
    const responses: CaaLevel["responses"] =
      newest === undefined ? [fromCaches(caches, index)] : [newest, ...others];
    return { at, responses };
  });
  const caa = climbCaa(levels);
  return {
    caa,
    caaBehind: caaBehind(levels),
    caaCached: caches.map(({ vantage, answers, at }) => {
      const lookup = climbCaa(
        names.map((one, index) => ({ at: one, responses: [voiceOf(answers[index])] })),
      );
      const differing = new Set([endOf(caa), endOf(lookup)]);
      const ttls = answers.map((answer, index) =>
        differing.has(names[index]) ? ttlOf(answer) : 0,
      );
      return { vantage, lookup, until: at + Math.max(0, ...ttls) * SECOND_MS };
    }),
  };
}

/** One resolver's answers for each name. */
interface Cache {
  readonly vantage: string;
  readonly answers: readonly Answer<CaaRecord>[];
  /** When the answers had arrived. */
  readonly at: number;
}

async function cacheOf(
  resolver: Resolver,
  names: readonly string[],
  { clock, within }: { readonly clock: Clock; readonly within: Within },
): Promise<Cache> {
  const answers = await Promise.all(names.map((at) => resolver.lookup(at, "CAA", within)));
  return { vantage: resolver.vantage, answers, at: clock.now() };
}

/** Returns the first resolver's known answer, else the first unknown one. */
function fromCaches(caches: readonly Cache[], index: number): CaaResponse {
  const answers = caches.flatMap(({ answers: all }) => all[index] ?? []);
  return voiceOf(answers.find(({ kind }) => kind !== "unknown") ?? answers[0]);
}

function voiceOf(answer: Answer<CaaRecord> | undefined): CaaResponse {
  return { servers: [], answer: answer ?? unknown("timeout") };
}

/** The name at which a search ended. */
function endOf(lookup: CaaLookup): string | undefined {
  return lookup.kind === "absent" ? undefined : lookup.at;
}

function ttlOf(answer: Answer<unknown>): number {
  return answer.kind === "unknown" ? 0 : answer.ttlSeconds;
}

/**
 * Returns the CAA records at `name` itself, or at the end of its alias, from the servers of its zone: one entry per group
 * of servers with the same records, newest first. Empty: no server answered. Parents are not queried.
 */
export async function caaAtServers(
  name: string,
  { authorities, clock }: { readonly authorities: AuthoritativeServers; readonly clock: Clock },
  within: Within,
): Promise<readonly CaaResponse[]> {
  const soon = (): Within => ({
    ...within,
    deadlineAt: Math.min(within.deadlineAt, clock.now() + NAME_TIME_MS),
  });
  const { zoneOf, responsesAt } = createCaaQueries({ authorities, within, soon });
  const zone = await zoneOf(name);
  return zone === undefined ? [] : responsesAt(name, zone, []);
}

/** Limit of zone searches for parents and alias targets, whose number other zones' owners control. */
const MAX_ZONES = 10;
/** Most parents queried, from the top: real names have fewer zone cuts, but a name may have 127 labels. */
const MAX_NAMES_ABOVE = 10;
/** Most servers queried per parent zone or alias target. */
const MAX_SERVERS = 4;

interface Asking {
  readonly authorities: AuthoritativeServers;
  readonly within: Within;
  /** Returns the limits for one name, from now. */
  readonly soon: () => Within;
}

/**
 * Queries the CAA records of each name from its zone's servers. Maps each name to their answers, newest first;
 * names whose servers could not be queried or whose aliases loop are omitted.
 */
async function authoritativeCaa(
  names: readonly string[],
  asking: Asking,
): Promise<ReadonlyMap<string, readonly CaaResponse[]>> {
  const { zoneOf, responsesAt } = createCaaQueries(asking);
  const [name, ...above] = names;
  let left = [name, ...above.slice(-MAX_NAMES_ABOVE)].filter((one) => one !== undefined);
  const pending: Promise<readonly [string, readonly CaaResponse[]]>[] = [];
  for (;;) {
    const [lowest] = left;
    const zone = lowest === undefined ? undefined : await zoneOf(lowest);
    if (zone === undefined) break;
    for (const at of left.filter((one) => isAtOrBelow(one, zone.apex))) {
      const asked = at === name ? zone : limitedServers(zone);
      const responses = responsesAt(at, asked, []).then((said) => [at, said] as const);
      // Once the signal aborts, the search for the next zone may reject first, and nobody waits for these.
      responses.catch(() => undefined);
      pending.push(responses);
    }
    left = left.filter((one) => !isAtOrBelow(one, zone.apex));
  }
  return new Map(await Promise.all(pending));
}

function createCaaQueries({ authorities, within, soon }: Asking) {
  let searches = 0;

  const zoneOf = async (name: string): Promise<Zone | undefined> => {
    if (++searches > MAX_ZONES) return undefined;
    const search = await authorities.zoneOf(name, within);
    return search.kind === "found" ? search.zone : undefined;
  };

  const responsesAt = async (
    name: string,
    zone: Pick<Zone, "apex" | "servers">,
    trail: readonly Alias[],
  ): Promise<readonly CaaResponse[]> => {
    const asked = soon();
    const said = await Promise.all(
      zone.servers.map(async (server) => {
        const { answer } = await authorities.ask(server, name, "CAA", asked);
        return { server, answer };
      }),
    );
    const groups = new Map<string, Group>();
    for (const { server, answer } of said) {
      if (answer.kind === "unknown") continue;
      const group = groups.get(contentOf(answer)) ?? { answer, servers: [] };
      groups.set(contentOf(answer), { answer, servers: [...group.servers, server] });
    }
    const ordered = await newestFirst([...groups.values()], zone.apex);
    const byGroup = await Promise.all(ordered.map((group) => followed(group, trail)));
    // The older answers are only meaningful beside the newest.
    return byGroup[0]?.length === 0 ? [] : byGroup.flat();
  };

  /** Returns a group's answer, or the answers at the end of its alias. */
  const followed = async (
    { answer, servers }: Group,
    trail: readonly Alias[],
  ): Promise<readonly CaaResponse[]> => {
    const [alias] = answer.aliases;
    if (alias === undefined) {
      const names = [...new Set(servers.map(({ name }) => name))];
      return [{ servers: names, answer: { ...answer, aliases: trail } }];
    }
    const further = [...trail, alias];
    const circles = further.some(({ name }) => name === alias.target);
    if (circles || further.length > MAX_ALIASES) return [];
    const zone = await zoneOf(alias.target);
    if (zone === undefined) return [];
    return responsesAt(alias.target, limitedServers(zone), further);
  };

  /** Sorts by zone serial (RFC 1982 §3.2), which is queried only when servers differ. */
  const newestFirst = async (groups: readonly Group[], apex: string): Promise<readonly Group[]> => {
    if (groups.length < 2) return groups;
    const asked = soon();
    const dated = await Promise.all(
      groups.map(async (group) => {
        const [server] = group.servers;
        if (server === undefined) return { group, serial: undefined };
        const { answer } = await authorities.ask(server, apex, "SOA", asked);
        const serial = answer.kind === "found" ? answer.records[0].serial : undefined;
        return { group, serial };
      }),
    );
    return dated
      .toSorted((one, other) =>
        one.serial === undefined || other.serial === undefined
          ? 0
          : (other.serial - one.serial) | 0,
      )
      .map(({ group }) => group);
  };

  return { zoneOf, responsesAt };
}

function limitedServers({ apex, servers }: Zone): Pick<Zone, "apex" | "servers"> {
  return { apex, servers: servers.slice(0, MAX_SERVERS) };
}

/** Servers with the same answer. */
interface Group {
  readonly answer: Exclude<Answer<CaaRecord>, { readonly kind: "unknown" }>;
  readonly servers: readonly NameServer[];
}

/** Returns a key that ignores record order and TTL. */
function contentOf(answer: Group["answer"]): string {
  const [alias] = answer.aliases;
  if (alias !== undefined) return `alias ${alias.target}`;
  if (answer.kind === "absent") return "absent";
  return JSON.stringify(
    answer.records.map(({ flags, tag, value }) => JSON.stringify([flags, tag, value])).toSorted(),
  );
}
