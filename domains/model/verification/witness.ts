import type { NameView, ResolverView } from "../survey.ts";
import { destinationOf, type Destination, type Landmarks, routeOf, type Route } from "./route.ts";
import type { Subject } from "./subject.ts";

/** What one server says of where a name leads, and what that means. */
export interface Witness {
  /** A name server by its name, or a resolver as the operator named it. */
  readonly server: string;
  readonly route: Route;
  readonly destination: Destination;
  readonly view: NameView;
  /** Of the zone as this server has it; undefined for resolvers. */
  readonly serial?: number;
  /** When a resolver said so. */
  readonly at?: number;
}

export interface Witnesses {
  readonly authorities: readonly Witness[];
  readonly resolvers: readonly Witness[];
}

export function witnessesOf({ survey, ours }: Subject): Witnesses {
  const { target, resolvers } = survey;
  const landmarks = { target, ours, behind: (first: string) => behindIn(resolvers, first) };
  return {
    authorities: survey.authoritative.map((view) => ({
      ...witness(view.server.name, view, landmarks),
      ...(view.serial !== undefined && { serial: view.serial }),
    })),
    resolvers: resolvers.map((view) => ({
      ...witness(view.vantage, view, landmarks),
      at: view.at,
    })),
  };
}

/** True when the name is known to lead here, or not to. */
export function isKnown({ destination }: Witness): boolean {
  return destination.kind !== "unknown";
}

/** The name leads here, be it behind a proxy that was seen to pass requests on. */
export function leadsHere({ destination }: Witness, { facts }: Subject): boolean {
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

/** The records as a person would read them: the target of an alias, addresses, or nothing. */
export function valuesOf({ route }: Witness): readonly string[] {
  switch (route.kind) {
    case "alias":
      return [route.target];
    case "addresses":
      return [...route.a, ...route.aaaa].toSorted();
    case "nothing":
    case "unknown":
      return [];
    default:
      return route satisfies never;
  }
}

/** Names of servers, each once. */
export function serversOf(witnesses: readonly Witness[]): readonly string[] {
  return [...new Set(witnesses.map(({ server }) => server))];
}

function witness(server: string, view: NameView, landmarks: Landmarks): Witness {
  const route = routeOf(view);
  return { server, view, route, destination: destinationOf(route, landmarks) };
}

function behindIn(resolvers: readonly ResolverView[], first: string): readonly string[] {
  for (const { a, aaaa } of resolvers) {
    const aliases = a.aliases.length > 0 ? a.aliases : aaaa.aliases;
    if (aliases[0]?.target === first) return aliases.map(({ target }) => target);
  }
  return [];
}
