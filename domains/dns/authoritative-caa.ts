import { MAX_ALIASES, type Alias, type Answer, type CaaRecord } from "../model/answer.ts";
import type { CaaVoice } from "../model/caa-lookup.ts";
import { isAtOrBelow } from "../model/hostname.ts";
import type { NameServer, Zone } from "../model/survey.ts";
import type { Authorities } from "../ports/authorities.ts";
import type { Within } from "../ports/resolver.ts";

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
export async function authoritativeCaa(
  names: readonly string[],
  asking: Asking,
): Promise<ReadonlyMap<string, readonly CaaVoice[]>> {
  const { zoneOf, voicesAt } = voices(asking);
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

function voices({ authorities, within, soon }: Asking) {
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
