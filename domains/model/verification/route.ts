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

/** Where a name leads, as one server tells it. */
export type Route = AliasRoute | AddressRoute | NoRoute | UnknownRoute;

export interface AliasRoute {
  readonly kind: "alias";
  readonly target: string;
  /** Everything the way passes through, the target first; from a server of the zone no more than that. */
  readonly chain: readonly string[];
  readonly ttlSeconds: number;
  /** Other records at the same name, which there should not be. */
  readonly beside: readonly RecordType[];
  /** The way does not end. */
  readonly broken?: "cname_loop" | "cname_too_long";
}

export interface AddressRoute {
  readonly kind: "addresses";
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  readonly ttlSeconds: number;
  /** Set when addresses of one of the two kinds could not be asked for. */
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

/** A name with more addresses of a kind than that is judged by these: no site has so many. */
const MAX_ADDRESSES = 100;

/** The types of record that a CNAME may not stand beside and that are asked for (RFC 2181 §10.1). */
const BESIDE = [
  ["A", "a"],
  ["AAAA", "aaaa"],
  ["MX", "mx"],
  ["CAA", "caa"],
  ["HTTPS", "https"],
] as const satisfies readonly (readonly [RecordType, keyof NameView])[];

/** Reads a view. An alias wins over what stands beside it, for that is what resolvers do. */
export function routeOf(view: NameView): Route {
  const { cname, a, aaaa } = view;
  const followed = [a, aaaa].find(({ aliases }) => aliases.length > 0)?.aliases ?? [];
  const [first] = followed;
  const target = cname.kind === "found" ? cname.records[0] : first?.target;
  if (target !== undefined) {
    const broken = brokenIn(a) ?? brokenIn(aaaa);
    return {
      kind: "alias",
      target,
      chain: [target, ...followed.slice(1).map((alias) => alias.target)],
      ttlSeconds: cname.kind === "found" ? cname.ttlSeconds : (first?.ttlSeconds ?? 0),
      beside: BESIDE.filter(([, key]) => isOwn(view[key])).map(([type]) => type),
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

function brokenIn(answer: Answer<string>): AliasRoute["broken"] {
  const reason: UnknownReason | undefined = answer.kind === "unknown" ? answer.reason : undefined;
  return reason === "cname_loop" || reason === "cname_too_long" ? reason : undefined;
}

function isOwn(answer: Answer<unknown>): boolean {
  return answer.kind === "found" && answer.aliases.length === 0;
}

function ttlOf(answer: Answer<unknown>): number {
  return answer.kind === "unknown" ? 0 : answer.ttlSeconds;
}

/** Where a route leads, measured by what is ours. */
export type Destination =
  /** To our target for this domain alone, which proves whose it is as well. */
  | { readonly kind: "target"; readonly through: readonly string[] }
  /** To addresses of ours and to no others. */
  | { readonly kind: "addresses" }
  /** To a network of proxies, behind which it may lead here. */
  | { readonly kind: "proxied"; readonly network: string }
  | { readonly kind: "elsewhere" | "nowhere" | "unknown" };

export interface Landmarks {
  readonly target: string;
  readonly ours: OurAddresses;
  /** Aliases that resolvers see behind a first one; servers of the zone do not follow it. */
  readonly behind: (first: string) => readonly string[];
}

export function destinationOf(route: Route, { target, ours, behind }: Landmarks): Destination {
  switch (route.kind) {
    case "unknown":
      return { kind: "unknown" };
    case "nothing":
      return { kind: "nowhere" };
    case "alias": {
      const way = [...route.chain, ...behind(route.target)];
      const end = way.indexOf(target);
      return end === -1
        ? { kind: "elsewhere" }
        : { kind: "target", through: [...new Set(way.slice(0, end))] };
    }
    case "addresses":
      return destinationOfAddresses(route, ours);
    default:
      return route satisfies never;
  }
}

/** The addresses that are not ours; of a kind of which ours are not known none is accused. */
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
