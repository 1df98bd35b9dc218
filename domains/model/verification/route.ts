import {
  recordsOf,
  type Answer,
  type RecordType,
  type Unknown,
  type UnknownReason,
} from "../answer.ts";
import type { NameView } from "../survey.ts";
import { cdnOf } from "../cdn.ts";
import type { OurAddresses } from "./subject.ts";

/** Where a name points, according to one server. */
export type Route = AliasRoute | AddressRoute | NoRoute | UnknownRoute;

export interface AliasRoute {
  readonly kind: "alias";
  readonly target: string;
  /** The values of further CNAME records, of which a name may have only one (RFC 2181 §10.1). */
  readonly others: readonly string[];
  /** All names along the alias, target first; only the target from an authoritative server. */
  readonly chain: readonly string[];
  readonly ttlSeconds: number;
  /** Other records at the name, which are not allowed beside a CNAME. */
  readonly beside: readonly RecordType[];
  /** The chain of aliases does not end. */
  readonly broken?: "cname_loop" | "cname_too_long";
}

export interface AddressRoute {
  readonly kind: "addresses";
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  readonly ttlSeconds: number;
  /** Set if the addresses of one IP version are unknown. */
  readonly missing?: Unknown;
}

export interface NoRoute {
  readonly kind: "nothing";
  readonly ttlSeconds: number;
}

export interface UnknownRoute {
  readonly kind: "unknown";
  readonly answer: Unknown;
}

/** Most addresses judged per IP version. */
const MAX_ADDRESSES = 100;

/** Queried record types that are not allowed beside a CNAME (RFC 2181 §10.1). */
const EXCLUDED_BY_CNAME = [
  ["A", "a"],
  ["AAAA", "aaaa"],
  ["MX", "mx"],
  ["CAA", "caa"],
  ["HTTPS", "https"],
] as const satisfies readonly (readonly [RecordType, keyof NameView])[];

/** Returns the route in a view. Like resolvers, prefers an alias over records beside it. */
export function routeOf(view: NameView): Route {
  const { cname, a, aaaa } = view;
  const followed = [a, aaaa].find(({ aliases }) => aliases.length > 0)?.aliases ?? [];
  const [first] = followed;
  // Sorted, because servers return several records in any order.
  const values = cname.kind === "found" ? [...new Set(cname.records)].toSorted() : [];
  const [target = first?.target, ...others] = values;
  if (target !== undefined) {
    const broken = brokenIn(view);
    return {
      kind: "alias",
      target,
      others,
      chain: [target, ...followed.slice(1).map((alias) => alias.target)],
      ttlSeconds: cname.kind === "found" ? cname.ttlSeconds : (first?.ttlSeconds ?? 0),
      beside: EXCLUDED_BY_CNAME.filter(([, key]) => isOwn(view[key])).map(([type]) => type),
      ...(broken !== undefined && { broken }),
    };
  }
  if (a.kind === "found" || aaaa.kind === "found") return addressRoute(a, aaaa);
  const missing = [cname, a, aaaa].find((answer) => answer.kind === "unknown");
  if (missing !== undefined) return { kind: "unknown", answer: missing };
  return { kind: "nothing", ttlSeconds: Math.max(ttlOf(cname), ttlOf(a), ttlOf(aaaa)) };
}

function addressRoute(a: Answer<string>, aaaa: Answer<string>): AddressRoute {
  const missing = [a, aaaa].find((answer) => answer.kind === "unknown");
  return {
    kind: "addresses",
    a: recordsOf(a).slice(0, MAX_ADDRESSES),
    aaaa: recordsOf(aaaa).slice(0, MAX_ADDRESSES),
    ttlSeconds: Math.max(...[a, aaaa].filter(({ kind }) => kind === "found").map(ttlOf)),
    ...(missing !== undefined && { missing }),
  };
}

/** Returns why the aliases do not end. */
export function brokenIn({ a, aaaa }: Pick<NameView, "a" | "aaaa">): AliasRoute["broken"] {
  for (const answer of [a, aaaa]) {
    const reason: UnknownReason | undefined = answer.kind === "unknown" ? answer.reason : undefined;
    if (reason === "cname_loop" || reason === "cname_too_long") return reason;
  }
  return undefined;
}

/** Whether the records belong to the name itself, not to the target of its alias. */
export function isOwn(answer: Answer<unknown>): boolean {
  return answer.kind === "found" && answer.aliases.length === 0;
}

function ttlOf(answer: Answer<unknown>): number {
  return answer.kind === "unknown" ? 0 : answer.ttlSeconds;
}

/** Whether a route leads to this service. */
export type Destination =
  /** Our target for this domain, which also proves ownership. */
  | { readonly kind: "target"; readonly through: readonly string[] }
  /** Our addresses only. */
  | { readonly kind: "addresses" }
  /** A proxy network, behind which this service may be. */
  | { readonly kind: "proxied"; readonly network: string }
  | { readonly kind: "elsewhere" | "nowhere" | "unknown" };

export interface OurTarget {
  readonly target: string;
  readonly ours: OurAddresses;
  /**
   * Returns the aliases after the first one, from resolvers; authoritative servers do not follow it. `broken`: they do
   * not end.
   */
  readonly behind: (first: string) => {
    readonly names: readonly string[];
    readonly broken?: AliasRoute["broken"];
  };
}

export function destinationOf(route: Route, { target, ours, behind }: OurTarget): Destination {
  switch (route.kind) {
    case "unknown":
      return { kind: "unknown" };
    case "nothing":
      return { kind: "nowhere" };
    case "alias": {
      // One of several records suffices to see that the name was meant to point here.
      if ([route.target, ...route.others].includes(target)) return { kind: "target", through: [] };
      const { names, broken = route.broken } = behind(route.target);
      const way = [...route.chain, ...names];
      const end = way.indexOf(target);
      return end === -1 || broken !== undefined
        ? { kind: "elsewhere" }
        : { kind: "target", through: [...new Set(way.slice(0, end))] };
    }
    case "addresses":
      return destinationOfAddresses(route, ours);
    default:
      return route satisfies never;
  }
}

/** Returns the addresses that are not ours, for each IP version for which ours are known. */
export function foreignIn(
  { a, aaaa }: AddressRoute,
  ours: OurAddresses,
): { readonly a: readonly string[]; readonly aaaa: readonly string[] } {
  const isForeign = (address: string) => !ours.has(address);
  return {
    a: ours.aKnown ? a.filter(isForeign) : [],
    aaaa: ours.aaaaKnown ? aaaa.filter(isForeign) : [],
  };
}

function destinationOfAddresses(route: AddressRoute, ours: OurAddresses): Destination {
  const all = [...route.a, ...route.aaaa];
  const foreign = foreignIn(route, ours);
  if (foreign.a.length + foreign.aaaa.length > 0) {
    const network = cdnOf(all);
    return network === undefined ? { kind: "elsewhere" } : { kind: "proxied", network };
  }
  const complete = route.missing === undefined && all.every((address) => ours.has(address));
  return { kind: complete ? "addresses" : "unknown" };
}
