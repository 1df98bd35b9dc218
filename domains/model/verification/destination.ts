import { cdnOf } from "../cdn.ts";
import type { OurAddresses } from "./ours.ts";
import type { AddressRoute, Route } from "./route.ts";

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
