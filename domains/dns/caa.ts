import { type Clock, SECOND_MS } from "../../lib/base/clock.ts";
import { unknown, type Answer, type CaaRecord, MAX_ALIASES, type Alias } from "../model/answer.ts";
import {
  caaBehind,
  climbCaa,
  type CaaLevel,
  type CaaLookup,
  type CaaSurvey,
  type CaaVoice,
} from "../model/caa-lookup.ts";
import type { Authorities, Resolver, Within } from "../ports/resolver.ts";
import type { Resolvers } from "./resolver.ts";
import { isAtOrBelow } from "../model/hostname.ts";
import type { NameServer, Zone } from "../model/survey.ts";

/** Each name has so long, whatever the others take: one slow zone must not use up the time of those above it. */
const NAME_TIME_MS = 5 * SECOND_MS;

/**
 * Finds the CAA records that count for `name` (RFC 8659 §3). All names up to the top are asked at once, of the
 * resolvers and of the servers of the zones that they lie in; the first set from below wins. An alias is followed at
 * each, but the tree above its target is not climbed. A name has at most 127 names above it.
 */
export async function lookupCaa(
  name: string,
  {
    resolvers,
    authorities,
    clock,
  }: {
    readonly resolvers: Resolvers;
    readonly authorities: Authorities;
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
    const voices: CaaLevel["voices"] =
      newest === undefined ? [fromCaches(caches, index)] : [newest, ...others];
    return { at, voices };
  });
  const caa = climbCaa(levels);
  return {
    caa,
    caaBehind: caaBehind(levels),
    caaCached: caches.map(({ vantage, answers, at }) => {
      const lookup = climbCaa(
        names.map((one, index) => ({ at: one, voices: [voiceOf(answers[index])] })),
      );
      const differing = new Set([stopOf(caa), stopOf(lookup)]);
      const ttls = answers.map((answer, index) =>
        differing.has(names[index]) ? ttlOf(answer) : 0,
      );
      return { vantage, lookup, until: at + Math.max(0, ...ttls) * SECOND_MS };
    }),
  };
}

/** What one resolver says of each of the names. */
interface Cache {
  readonly vantage: string;
  readonly answers: readonly Answer<CaaRecord>[];
  /** When it had said so. */
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

/** The word of the first resolver that knows; when none does, what the first one lacked. */
function fromCaches(caches: readonly Cache[], index: number): CaaVoice {
  const answers = caches.flatMap(({ answers: all }) => all[index] ?? []);
  return voiceOf(answers.find(({ kind }) => kind !== "unknown") ?? answers[0]);
}

function voiceOf(answer: Answer<CaaRecord> | undefined): CaaVoice {
  return { servers: [], answer: answer ?? unknown("timeout") };
}

/** The name at which a climb ended. */
function stopOf(lookup: CaaLookup): string | undefined {
  return lookup.kind === "absent" ? undefined : lookup.at;
}

function ttlOf(answer: Answer<unknown>): number {
  return answer.kind === "unknown" ? 0 : answer.ttlSeconds;
}

/** Zones that are looked for on the way up and along aliases: strangers decide how many there are. */
const MAX_ZONES = 10;
/** Above the name itself so many are asked, from the top: nobody has more zone cuts, and all labels together may be 127. */
const MAX_NAMES_ABOVE = 10;
/** Of a zone above the name's own, or of an alias's target, so many servers are asked. */
const MAX_SERVERS = 4;

interface Asking {
  readonly authorities: Authorities;
  readonly within: Within;
  /** The time that one name has from now. */
  readonly soon: () => Within;
}

/**
 * Asks the servers of the zone of each name for its CAA records. Each name is mapped to what they say, the newest
 * first; those that could not be asked are left out, as are aliases that lead in a circle.
 */
async function authoritativeCaa(
  names: readonly string[],
  asking: Asking,
): Promise<ReadonlyMap<string, readonly CaaVoice[]>> {
  const { zoneOf, voicesAt } = createVoices(asking);
  const [name, ...above] = names;
  let left = [name, ...above.slice(-MAX_NAMES_ABOVE)].filter((one) => one !== undefined);
  const pending: Promise<readonly [string, readonly CaaVoice[]]>[] = [];
  for (;;) {
    const [lowest] = left;
    const zone = lowest === undefined ? undefined : await zoneOf(lowest);
    if (zone === undefined) break;
    for (const at of left.filter((one) => isAtOrBelow(one, zone.apex))) {
      const asked = at === name ? zone : someOf(zone);
      pending.push(voicesAt(at, asked, []).then((said) => [at, said] as const));
    }
    left = left.filter((one) => !isAtOrBelow(one, zone.apex));
  }
  return new Map(await Promise.all(pending));
}

function createVoices({ authorities, within, soon }: Asking) {
  let searches = 0;

  const zoneOf = async (name: string): Promise<Zone | undefined> => {
    if (++searches > MAX_ZONES) return undefined;
    const search = await authorities.zoneOf(name, within);
    return search.kind === "found" ? search.zone : undefined;
  };

  const voicesAt = async (
    name: string,
    zone: Pick<Zone, "apex" | "servers">,
    trail: readonly Alias[],
  ): Promise<readonly CaaVoice[]> => {
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
    const voicesOf = await Promise.all(ordered.map((group) => followed(group, trail)));
    // Without the newest there is nothing to hold the others against.
    return voicesOf[0]?.length === 0 ? [] : voicesOf.flat();
  };

  /** What a group says itself, or what is said at the end of its alias. */
  const followed = async (
    { answer, servers }: Group,
    trail: readonly Alias[],
  ): Promise<readonly CaaVoice[]> => {
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
    return voicesAt(alias.target, someOf(zone), further);
  };

  /** By the serial numbers of the zone (RFC 1982 §3.2), which are asked for only where servers differ. */
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

  return { zoneOf, voicesAt };
}

function someOf({ apex, servers }: Zone): Pick<Zone, "apex" | "servers"> {
  return { apex, servers: servers.slice(0, MAX_SERVERS) };
}

/** Servers that say the same. */
interface Group {
  readonly answer: Exclude<Answer<CaaRecord>, { readonly kind: "unknown" }>;
  readonly servers: readonly NameServer[];
}

/** The same text for the same records in any order, whatever their time to live. */
function contentOf(answer: Group["answer"]): string {
  const [alias] = answer.aliases;
  if (alias !== undefined) return `alias ${alias.target}`;
  if (answer.kind === "absent") return "absent";
  return JSON.stringify(
    answer.records.map(({ flags, tag, value }) => JSON.stringify([flags, tag, value])).toSorted(),
  );
}
