import { environments, type Environment } from "../../../lib/model/account.ts";
import { search, useQuery, type Query } from "./query.ts";

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
