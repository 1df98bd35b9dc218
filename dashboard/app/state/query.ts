import { useLocation } from "preact-iso";
import { useCallback, useRef } from "preact/hooks";
import { environments, type Environment } from "../../../lib/model/account.ts";

/** The query of the page's address. */
export type Query = Readonly<Partial<Record<string, string>>>;

/** Filters of a view, kept in its address so that they can be linked to and survive going back. */
export function useQuery(): readonly [Query, (change: Query) => void] {
  const place = useLocation();
  const latest = useRef(place);
  latest.current = place;
  // Absent members stay; undefined or empty ones are removed.
  const change = useCallback((changed: Query) => {
    const { path, query, route } = latest.current;
    route(path + search({ ...query, ...changed }), true);
  }, []);
  return [place.query, change];
}

/** Formats a query as `?status=sold`, or as an empty string. */
export function search(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, value);
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** The account's catalogue in the address; default: Production. */
export function useEnvironment(): Environment {
  const [{ environment }] = useQuery();
  return environments.find((one) => one === environment) ?? "production";
}

/** The query of a link to another view of the same catalogue. */
export function inEnvironment(environment: Environment, query: Query = {}): string {
  return search({
    ...query,
    environment: environment === "production" ? undefined : environment,
  });
}
