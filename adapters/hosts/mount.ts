import { having, type Expectation } from "../../lib/base/options.ts";
import type { FetchContext, Petstore } from "../../lib/index.ts";

/** The parts of a petstore that an adapter uses. A wrapper with the same parts also works. */
export type Service = Pick<Petstore, "fetch" | "match">;

export const aService: Expectation = having(
  "a petstore, such as createPetstore() returns",
  "fetch",
  "match",
);

/** A service without other routes on the host: anything with `fetch`. */
export const aFetcher: Expectation = having(
  "a petstore, such as createPetstore() returns",
  "fetch",
);

/**
 * Returns where a service mounted at `mount` answers `url`; undefined if the request is not for the service. The mount
 * may include `/v1` or repeat the service's prefix.
 */
export function placeOf(
  service: Service,
  url: string,
  mount: string,
): Pick<FetchContext, "prefix"> | undefined {
  if (mount !== "" && service.match({ url }, { prefix: mount })) return { prefix: mount };
  return service.match({ url }) ? {} : undefined;
}

/** Returns the start of `path` that a mount pattern covers: `/oslo` of `/oslo/v1/pets` for `/:city/*`. */
export function covered(pattern: string, path: string): string {
  const depth = pattern.split("/").filter((segment) => segment !== "" && segment !== "*").length;
  return depth === 0 ? "" : path.split("/", depth + 1).join("/");
}

/** Returns the last value of a list header, which the nearest proxy added. */
export function lastOf(header: unknown): string | undefined {
  if (typeof header !== "string") return undefined;
  return header.slice(header.lastIndexOf(",") + 1).trim() || undefined;
}
