import { aPrefix, checkArgument, checkOptions, optional } from "../lib/base/options.ts";
import { aFetcher, type Service } from "./mount.ts";

/** The part of Bun's server that knows who is asking. */
export interface BunServer {
  requestIP(request: Request): { readonly address: string } | null;
}

export interface BunHandlerOptions {
  /** Where the service is mounted, as `/shelter`. Default: its own prefix. */
  readonly prefix?: string;
}

/** For `Bun.serve`: as `fetch`, or as the handler of a route such as `/shelter/v1/*`. */
export function bunHandler(
  service: Pick<Service, "fetch">,
  options: BunHandlerOptions = {},
): (request: Request, server: BunServer) => Response | Promise<Response> {
  checkArgument("bunHandler", service, aFetcher);
  checkOptions("bunHandler", options, { prefix: optional(aPrefix) });
  const { prefix } = options;
  const place = prefix === undefined ? {} : { prefix };
  return (request, server) =>
    service.fetch(request, { address: () => server.requestIP(request)?.address, ...place });
}
