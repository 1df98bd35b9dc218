import { aBoolean, checkArgument, checkOptions, optional } from "../../lib/base/options.ts";
import type { Digest } from "../../lib/index.ts";
import {
  aFetcher,
  aMountPath,
  asService,
  mountIn,
  pathIn,
  userContext,
  userOptions,
  type MountedAlone,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { fromProxy } from "./origin.ts";

/** The part of Bun's server that knows the client's address. */
export interface BunServer {
  requestIP(request: Request): { readonly address: string } | null;
}

/** Options of a handler for `Bun.serve`. */
export interface BunHandlerOptions<Served = Service, Incoming = Request> extends UserOptions<
  Served,
  Incoming
> {
  /** The mount path, such as `/shelter` or `/of/:city`. Default: the service's prefix. */
  readonly prefix?: string;
  /**
   * True if exactly one proxy precedes the server and clients cannot bypass it. The client's address is then the last
   * one in `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` determine the requested origin.
   * Default false.
   */
  readonly trustProxy?: boolean;
}

/**
 * Returns a handler for `Bun.serve`: its `fetch`, or a route such as `/shelter/v1/*`. Throws a `TypeError` for invalid
 * options.
 */
export function bunHandler<Served extends MountedAlone, Incoming extends Request = Request>(
  service: Served,
  options: BunHandlerOptions<Served, Incoming> = {},
): (request: Incoming, server: BunServer) => Response | Promise<Response> {
  checkArgument("bunHandler", service, aFetcher);
  checkOptions("bunHandler", options, {
    prefix: optional(aMountPath),
    trustProxy: optional(aBoolean),
    ...userOptions,
  });
  const { prefix, trustProxy = false } = options;
  const userOf = userContext(options);
  const served = asService(service);
  const mountOf = prefix === undefined ? undefined : mountIn(prefix);
  return (request, server) => {
    const known = trustProxy ? fromProxy(request) : undefined;
    return served.fetch(request, {
      address: () => known?.address ?? server.requestIP(request)?.address,
      ...(known && { origin: known.origin }),
      ...(mountOf && { prefix: mountOf(pathIn(request.url)) }),
      ...userOf(request),
    });
  };
}

/** Synchronous hashing with Bun, faster than `nodeDigest` for short texts. */
export const bunDigest: Digest = {
  sha256: (data) => new Bun.CryptoHasher("sha256").update(data).digest(),
  hmac: (key, data) => new Bun.CryptoHasher("sha256", key).update(data).digest(),
};
