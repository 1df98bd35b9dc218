import type { NameView, ResolverView } from "../survey.ts";
import {
  brokenIn,
  destinationOf,
  type Destination,
  type OurTarget,
  routeOf,
  type Route,
} from "./route.ts";
import type { Subject } from "./subject.ts";

/** One server's view of where a name points. */
export interface Observation {
  /** A name server's name, or a resolver's address. */
  readonly server: string;
  readonly route: Route;
  readonly destination: Destination;
  readonly view: NameView;
  /** The zone's serial on this server; undefined for resolvers. */
  readonly serial?: number;
  /** When a resolver's answer arrived. */
  readonly at?: number;
}

export interface Observations {
  readonly authorities: readonly Observation[];
  readonly resolvers: readonly Observation[];
}

export function observationsOf({ survey, ours }: Subject): Observations {
  const { target, resolvers } = survey;
  const landmarks = { target, ours, behind: (first: string) => behindIn(resolvers, first) };
  return {
    authorities: survey.authoritative.map((view) => ({
      ...observation(view.server.name, view, landmarks),
      ...(view.serial !== undefined && { serial: view.serial }),
    })),
    resolvers: resolvers.map((view) => ({
      ...observation(view.vantage, view, landmarks),
      at: view.at,
    })),
  };
}

/** Whether it is known where the name points. */
export function isKnown({ destination }: Observation): boolean {
  return destination.kind !== "unknown";
}

/** Whether the name points here, possibly through a proxy that passes requests on. */
export function leadsHere({ destination }: Observation, { facts }: Subject): boolean {
  switch (destination.kind) {
    case "target":
    case "addresses":
      return true;
    case "proxied":
      return facts.answersBehindProxy === true;
    case "elsewhere":
    case "nowhere":
    case "unknown":
      return false;
    default:
      return destination satisfies never;
  }
}

/** Returns the records for display: an alias's target, addresses, or nothing. */
export function valuesOf({ route }: Observation): readonly string[] {
  switch (route.kind) {
    case "alias":
      return [route.target, ...route.others];
    case "addresses":
      return [...route.a, ...route.aaaa].toSorted();
    case "nothing":
    case "unknown":
      return [];
    default:
      return route satisfies never;
  }
}

/** Returns the distinct server names. */
export function serversOf(observations: readonly Observation[]): readonly string[] {
  return [...new Set(observations.map(({ server }) => server))];
}

function observation(server: string, view: NameView, landmarks: OurTarget): Observation {
  const route = routeOf(view);
  return { server, view, route, destination: destinationOf(route, landmarks) };
}

function behindIn(
  resolvers: readonly ResolverView[],
  first: string,
): ReturnType<OurTarget["behind"]> {
  for (const view of resolvers) {
    const { a, aaaa } = view;
    const aliases = a.aliases.length > 0 ? a.aliases : aaaa.aliases;
    if (aliases[0]?.target !== first) continue;
    const broken = brokenIn(view);
    return {
      names: aliases.map(({ target }) => target),
      ...(broken !== undefined && { broken }),
    };
  }
  return { names: [] };
}
