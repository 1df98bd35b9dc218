import { IttyRouter } from "itty-router/IttyRouter";

/** What a table of operations says of where each is found. */
export interface Located {
  readonly method: string;
  /** Its parameters as `:name`. */
  readonly path: string;
}

/** All operations of one path, by method. */
export interface Route<Endpoint extends Located> {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** For `Allow` (RFC 9110 §10.2.1). */
  readonly allow: string;
}

export interface Match<Endpoint extends Located> {
  readonly route: Route<Endpoint>;
  /** The parameters of the path as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a path below the version prefix. Exact: no trailing, no double slash, no decoding. */
export type FindRoute<Endpoint extends Located> = (path: string) => Match<Endpoint> | undefined;

/**
 * itty-router serves as the table of patterns alone: its own dispatch decodes nothing, takes any
 * number of trailing slashes, knows neither HEAD nor 405, and writes into the request.
 */
export function routeTable<Endpoint extends Located>(
  endpoints: readonly Endpoint[],
): FindRoute<Endpoint> {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const siblings = byPath.get(endpoint.path);
    if (siblings === undefined) byPath.set(endpoint.path, [endpoint]);
    else siblings.push(endpoint);
  }
  const fixed = new Map<string, Match<Endpoint>>();
  const router = IttyRouter();
  const routes: Route<Endpoint>[] = [];
  for (const [path, siblings] of byPath) {
    const route = routeOf(siblings);
    if (path.includes(":")) {
      router.all(path, () => route);
      routes.push(route);
    } else {
      fixed.set(path, { route, parameters: {} });
    }
  }
  const patterns = router.routes.map(([, pattern], index) => ({ pattern, route: routes[index] }));
  return (path) => {
    const found = fixed.get(path);
    if (found !== undefined || path.endsWith("/") || path.includes("//")) return found;
    for (const { pattern, route } of patterns) {
      const groups = pattern.exec(path)?.groups;
      if (groups !== undefined && route !== undefined) {
        return { route, parameters: groups };
      }
    }
    return undefined;
  };
}

function routeOf<Endpoint extends Located>(siblings: readonly Endpoint[]): Route<Endpoint> {
  const endpoints = new Map(siblings.map((endpoint) => [endpoint.method, endpoint]));
  const methods = [...endpoints.keys()].flatMap((method) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
  return { endpoints, allow: [...methods, "OPTIONS"].join(", ") };
}
