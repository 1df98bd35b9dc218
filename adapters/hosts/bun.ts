import { aPrefix, checkArgument, checkOptions, optional } from "../../lib/base/options.ts";
import type { Digest } from "../../lib/index.ts";
import {
  aFetcher,
  asService,
  userContext,
  userOptions,
  type MountedAlone,
  type Service,
  type UserOptions,
} from "./mount.ts";

/** The part of Bun's server that knows the client's address. */
export interface BunServer {
  requestIP(request: Request): { readonly address: string } | null;
}

/** Options of a handler for `Bun.serve`. */
export interface BunHandlerOptions<Served = Service, Incoming = Request> extends UserOptions<
  Served,
  Incoming
> {
  /** The mount path, such as `/shelter`. Default: the service's prefix. */
  readonly prefix?: string;
}

/** Returns a handler for `Bun.serve`: its `fetch`, or a route such as `/shelter/v1/*`. */
export function bunHandler<Served extends MountedAlone, Incoming extends Request = Request>(
  service: Served,
  options: BunHandlerOptions<Served, Incoming> = {},
): (request: Incoming, server: BunServer) => Response | Promise<Response> {
  checkArgument("bunHandler", service, aFetcher);
  checkOptions("bunHandler", options, { prefix: optional(aPrefix), ...userOptions });
  const { prefix } = options;
  const userOf = userContext(options);
  const served = asService(service);
  const place = prefix === undefined ? {} : { prefix };
  return (request, server) =>
    served.fetch(request, {
      address: () => server.requestIP(request)?.address,
      ...place,
      ...userOf(request),
    });
}

/** Synchronous hashing with Bun, faster than `nodeDigest` for short texts. */
export const bunDigest: Digest = {
  sha256: (data) => new Bun.CryptoHasher("sha256").update(data).digest(),
  hmac: (key, data) => new Bun.CryptoHasher("sha256", key).update(data).digest(),
};
