import { aFunction, having, optional, type Expectation } from "../../lib/base/options.ts";
import { normalTarget } from "../../lib/base/normal-path.ts";
import { addressParts, pathStartOf } from "../../lib/http/exchange.ts";
import type { FetchContext, Petstore } from "../../lib/index.ts";
import type { Management } from "../../lib/management/management.ts";

/** The parts of a petstore that an adapter uses. A wrapper with the same parts also works. */
export type Service = Pick<Petstore, "fetch" | "match">;

/** A petstore or a management API, as adapters mount it. */
export type Mounted = Service | Pick<Management, "fetch" | "match">;

/** A petstore or a management API on a host that has no other routes. */
export type MountedAlone = Pick<Mounted, "fetch">;

/** Returns a service as adapters call it: what they say about a request is the same for all. */
export function asService(service: MountedAlone): Service {
  // Adapters call `match` only of a `Mounted`. Each service checks the principal.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return service as Service;
}

/** What the host of a service may say about its users. */
type PrincipalIn<Served> = Served extends {
  fetch(request: never, context?: infer Context): unknown;
}
  ? Extract<
      NonNullable<NonNullable<Context>["principal" & keyof NonNullable<Context>]>,
      () => unknown
    >
  : never;

/** Options about the users of the host, whose requests are `Incoming`. `Rest` is what it passes after them. */
export interface UserOptions<Served, Incoming, Rest extends readonly unknown[] = []> {
  /**
   * Finds the host's own user who makes a request, which then needs no API key, or no token. Called once for each request that
   * needs one. Undefined or null: no user is signed in, and the request needs its key or token. If it throws, rejects, takes
   * longer than 10 seconds or returns anything else, the request gets a 500.
   */
  readonly principal?: (request: Incoming, ...rest: Rest) => ReturnType<PrincipalIn<Served>>;
  /**
   * Called with errors during a response, and with those of `principal`. The client gets a 500, or its connection is cut.
   * Default: none.
   */
  readonly onError?: (error: unknown) => void;
}

/** The checks of these options. */
export const userOptions = {
  principal: optional(aFunction),
  onError: optional(aFunction),
} as const;

/** Returns the function that makes the part of a context that is about the host's user. */
export function userContext<Served, Incoming, Rest extends readonly unknown[]>({
  principal,
  onError,
}: UserOptions<Served, Incoming, Rest>): (
  request: Incoming,
  ...rest: Rest
) => Pick<FetchContext, "principal" | "onError"> {
  if (principal === undefined) return () => NOBODY;
  const more = onError === undefined ? NOBODY : { onError };
  return (request, ...rest) => ({
    // The service checks what it returns.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    principal: (() => principal(request, ...rest)) as () => undefined,
    ...more,
  });
}

const NOBODY = {};

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
  // Services compare normal paths.
  const prefix = normalTarget(mount);
  if (prefix !== "" && service.match({ url }, { prefix })) return { prefix };
  return service.match({ url }) ? {} : undefined;
}

/** A mount path; a segment may be a parameter, such as `/of/:city`. The empty text is the root. */
export const aMountPath: Expectation = {
  what: "empty or a path such as /shelter or /of/:city, with a slash before it and none behind it",
  holds: (value) => typeof value === "string" && /^(?:\/(?:[\w.~-]+|:[A-Za-z_]\w*))*$/.test(value),
};

/**
 * Returns a function from a path to its mount: `/of/oslo` for `/of/oslo/v1/pets` below `/of/:city`. Below no mount, it
 * returns the pattern, which no path has.
 */
export function mountIn(pattern: string): (path: string) => string {
  if (!pattern.includes(":")) return () => pattern;
  const segments = pattern
    .split("/")
    .map((one) => (one.startsWith(":") ? "[^/?#]+" : escaped(one)));
  const start = new RegExp(`^${segments.join("/")}(?=/)`);
  return (path) => start.exec(normalTarget(path))?.[0] ?? pattern;
}

function escaped(segment: string): string {
  return segment.replaceAll(/[.]/g, "\\$&");
}

/** Returns the start of `path` that a mount pattern covers: `/oslo` of `/oslo/v1/pets` for `/:city/*`. */
export function covered(pattern: string, path: string): string {
  const depth = pattern.split("/").filter((segment) => segment !== "" && segment !== "*").length;
  return depth === 0 ? "" : path.split("/", depth + 1).join("/");
}

/** Returns the path of a request's URL as it was sent, without the query. */
export function pathIn(url: string): string {
  const { address } = addressParts(url);
  return address.slice(pathStartOf(address));
}

/** Returns the last value of a list header, which the nearest proxy added. */
export function lastOf(header: unknown): string | undefined {
  if (typeof header !== "string") return undefined;
  return header.slice(header.lastIndexOf(",") + 1).trim() || undefined;
}
