import { recordsOf } from "../model/answer.ts";
import { isPublicAddress } from "../model/public-address.ts";
import type { NameServer, UnaskedServer } from "../model/survey.ts";
import type { Within } from "../ports/resolver.ts";
import { firstKnown, type Resolvers } from "./resolver.ts";
import { isIpv6 } from "./server-address.ts";

/** The NS names of a zone, according to the parent and to the zone itself. */
export interface Delegation {
  readonly parent: readonly string[];
  readonly child: readonly string[];
  /** Addresses of name servers from the parent's referral. */
  readonly glue: ReadonlyMap<string, readonly string[]>;
}

/** Most name servers that are queried per zone. */
export const MAX_SERVERS = 8;
/** Most names whose addresses are looked up, as an attacker could list hundreds. */
const MAX_NAMES = 13;

export interface NameServerOptions {
  readonly resolvers: Resolvers;
  /** Allows private and loopback addresses: for laptops and tests only. */
  readonly allowPrivateNetworks: boolean;
  /** Addresses by name, shared between lookups of one search to avoid repetition; new ones are added. */
  readonly learned?: Map<string, readonly string[]>;
}

/** Finds the addresses of a zone's servers, at most one for IPv4 and one for IPv6 each. */
export async function nameServersOf(
  delegation: Delegation,
  { resolvers, allowPrivateNetworks, learned }: NameServerOptions,
  within: Within,
): Promise<{
  readonly servers: readonly NameServer[];
  readonly unasked: readonly UnaskedServer[];
  /** Every lookup of an address was answered. */
  readonly complete: boolean;
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
    // An incomplete result must not be reused by lookups that have more time.
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
  return { servers, unasked, complete: found.every(({ complete }) => complete) };
}

/** Returns the distinct names of a delegation, sorted. */
export function namesOf({ parent, child }: Delegation): readonly string[] {
  return [...new Set([...parent, ...child])].toSorted();
}

function oneOfEach(addresses: readonly string[]): readonly string[] {
  const ipv4 = addresses.find((address) => !isIpv6(address));
  const ipv6 = addresses.find(isIpv6);
  return [ipv4, ipv6].filter((address) => address !== undefined);
}
