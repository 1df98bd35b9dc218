import { having, type Expectation } from "../lib/base/options.ts";
import type { FetchContext, Petstore } from "../lib/index.ts";

/** What an adapter needs of a petstore; a handler wrapped around one will do. */
export type Service = Pick<Petstore, "fetch" | "match">;

export const aService: Expectation = having(
  "a petstore, such as createPetstore() makes",
  "fetch",
  "match",
);

/** Of a service that has no routes beside it: anything with `fetch`. */
export const aFetcher: Expectation = having("a petstore, such as createPetstore() makes", "fetch");

/**
 * Where a service answers the request for `url`, when the framework says that it is mounted at `mount`;
 * undefined when the request is not for it. A mount as deep as `/v1`, or one that repeats
 * the service's own prefix, is understood too.
 */
export function placeOf(
  service: Service,
  url: string,
  mount: string,
): Pick<FetchContext, "prefix"> | undefined {
  if (mount !== "" && service.match({ url }, { prefix: mount })) return { prefix: mount };
  return service.match({ url }) ? {} : undefined;
}

/** The beginning of `path` that a mount pattern covers: `/oslo` of `/oslo/v1/pets` for `/:city/*`. */
export function covered(pattern: string, path: string): string {
  const depth = pattern.split("/").filter((segment) => segment !== "" && segment !== "*").length;
  return depth === 0 ? "" : path.split("/", depth + 1).join("/");
}
