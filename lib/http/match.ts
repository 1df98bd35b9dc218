import { IttyRouter } from "itty-router/IttyRouter";
import type { Endpoint } from "./endpoint.ts";

/** All operations of one path, by method. */
export interface Route {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** For `Allow` (RFC 9110 §10.2.1). */
  readonly allow: string;
}

export interface Match {
  readonly route: Route;
  /** The parameter of the path as it was sent; empty when the path has none. */
  readonly parameter: string;
}

/** Finds the route of a path below the version prefix. Exact: no trailing, no double slash, no decoding. */
export type FindRoute = (path: string) => Match | undefined;

/**
 * itty-router serves as the table of patterns alone: its own dispatch decodes nothing, takes any
 * number of trailing slashes, knows neither HEAD nor 405, and writes into the request.
 */
export function routeTable(endpoints: readonly Endpoint[]): FindRoute {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const siblings = byPath.get(endpoint.path);
    if (siblings === undefined) byPath.set(endpoint.path, [endpoint]);
    else siblings.push(endpoint);
  }
  const fixed = new Map<string, Match>();
  const router = IttyRouter();
  const routes: Route[] = [];
  for (const [path, siblings] of byPath) {
    const route = routeOf(siblings);
    if (path.includes(":")) {
      router.all(path, () => route);
      routes.push(route);
    } else {
      fixed.set(path, { route, parameter: "" });
    }
  }
  const patterns = router.routes.map(([, pattern], index) => ({ pattern, route: routes[index] }));
  return (path) => {
    const found = fixed.get(path);
    if (found !== undefined || path.endsWith("/") || path.includes("//")) return found;
    for (const { pattern, route } of patterns) {
      const groups = pattern.exec(path)?.groups;
      if (groups !== undefined && route !== undefined) {
        return { route, parameter: groups["id"] ?? "" };
      }
    }
    return undefined;
  };
}

function routeOf(siblings: readonly Endpoint[]): Route {
  const endpoints = new Map(siblings.map((endpoint) => [endpoint.method as string, endpoint]));
  const methods = [...endpoints.keys()].flatMap((method) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
  return { endpoints, allow: [...methods, "OPTIONS"].join(", ") };
}
