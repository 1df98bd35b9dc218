import { recordsOf } from "../model/answer.ts";
import { isPublicAddress } from "../model/public-address.ts";
import type { NameServer, UnaskedServer } from "../model/survey.ts";
import type { Within } from "../ports/resolver.ts";
import { firstKnown, type Resolvers } from "./resolver.ts";
import { isIpv6 } from "./server-address.ts";

/** The NS names of a zone, and who names them. */
export interface Delegation {
  readonly parent: readonly string[];
  readonly child: readonly string[];
  /** Addresses that the zone above gives for some of them. */
  readonly glue: ReadonlyMap<string, readonly string[]>;
}

/** More servers than a zone can use: those beyond are not asked. */
export const MAX_SERVERS = 8;
/** Names whose addresses are looked up; an attacker's list of hundreds would be ours to work through. */
const MAX_NAMES = 13;

export interface NameServerOptions {
  readonly resolvers: Resolvers;
  /** Takes addresses of private networks and of this machine: laptops and tests only. */
  readonly allowPrivateNetworks: boolean;
  /** Addresses by name that were learned a moment ago: those are not asked for again, and new ones are put here. */
  readonly learned?: Map<string, readonly string[]>;
}

/** Where the servers of a zone are: of each one address of IPv4 and one of IPv6. */
export async function nameServersOf(
  delegation: Delegation,
  { resolvers, allowPrivateNetworks, learned }: NameServerOptions,
  within: Within,
): Promise<{
  readonly servers: readonly NameServer[];
  readonly unasked: readonly UnaskedServer[];
}> {
  const names = namesOf(delegation);
  const considered = names.slice(0, MAX_NAMES);
  const found = await Promise.all(
    considered.map(async (name) => ({ name, ...(await addressesOf(name)) })),
  );

  async function addressesOf(
    name: string,
  ): Promise<{ readonly addresses: readonly string[]; readonly complete: boolean }> {
    const known = learned?.get(name);
    if (known !== undefined) return { addresses: known, complete: true };
    const [ipv4, ipv6] = await Promise.all([
      firstKnown(resolvers, name, "A", within),
      firstKnown(resolvers, name, "AAAA", within),
    ]);
    const addresses = [...recordsOf(ipv4), ...recordsOf(ipv6)];
    // Whoever had too little time learned nothing for those who have more.
    const complete = ipv4.kind !== "unknown" && ipv6.kind !== "unknown";
    if (complete && addresses.length > 0) learned?.set(name, addresses);
    const glue = delegation.glue.get(name) ?? [];
    return { addresses: addresses.length > 0 ? addresses : glue, complete };
  }

  const servers: NameServer[] = [];
  const unasked: UnaskedServer[] = names
    .slice(MAX_NAMES)
    .map((name) => ({ name, reason: "over_limit" }));
  let asked = 0;
  for (const { name, addresses, complete } of found) {
    const usable = addresses.filter((address) => allowPrivateNetworks || isPublicAddress(address));
    if (usable.length === 0) {
      const missing = complete ? "unresolved" : "unlearned";
      unasked.push({ name, reason: addresses.length === 0 ? missing : "forbidden_address" });
    } else if (asked >= MAX_SERVERS) {
      unasked.push({ name, reason: "over_limit" });
    } else {
      asked++;
      const listedBy = (["parent", "child"] as const).filter((by) => delegation[by].includes(name));
      for (const address of oneOfEach(usable)) servers.push({ name, address, listedBy });
    }
  }
  return { servers, unasked };
}

/** All names of a delegation once, sorted. */
export function namesOf({ parent, child }: Delegation): readonly string[] {
  return [...new Set([...parent, ...child])].toSorted();
}

function oneOfEach(addresses: readonly string[]): readonly string[] {
  const ipv4 = addresses.find((address) => !isIpv6(address));
  const ipv6 = addresses.find(isIpv6);
  return [ipv4, ipv6].filter((address) => address !== undefined);
}
