import { useLocation } from "preact-iso";
import { useCallback, useRef } from "preact/hooks";
import { environments, type Environment } from "../../../lib/model/account.ts";

/** What stands in the address after its question mark. */
export type Query = Readonly<Partial<Record<string, string>>>;

/** What a view shows of many things, kept in its address: it can be linked to, and survives going back. */
export function useQuery(): readonly [Query, (change: Query) => void] {
  const place = useLocation();
  const latest = useRef(place);
  latest.current = place;
  // What is absent from `change` stays; what is undefined or empty in it goes.
  const change = useCallback((changed: Query) => {
    const { path, query, route } = latest.current;
    route(path + search({ ...query, ...changed }), true);
  }, []);
  return [place.query, change];
}

/** `?status=sold`, or nothing. */
export function search(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, value);
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** Which of the account's two catalogues a view is about: its address says so; ordinarily Production. */
export function useEnvironment(): Environment {
  const [{ environment }] = useQuery();
  return environments.find((one) => one === environment) ?? "production";
}

/** The part of an address that leads to the same catalogue, for links between its views. */
export function inEnvironment(environment: Environment, query: Query = {}): string {
  return search({
    ...query,
    environment: environment === "production" ? undefined : environment,
  });
}
