import {
  aBoolean,
  aFunction,
  checkArgument,
  checkOptions,
  optional,
} from "../../lib/base/options.ts";
import type { FetchContext } from "../../lib/index.ts";
import {
  aMountPath,
  aService,
  asService,
  mountIn,
  pathIn,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { fromProxy, originOf } from "./origin.ts";

/** Options of a handler for hosts with the Fetch API. */
export interface FetchHandlerOptions<Served = Service, Incoming = Request> extends UserOptions<
  Served,
  Incoming
> {
  /**
   * The mount path, such as `/shelter` or `/of/:city`, whether or not the framework removes it from the request's URL.
   * Default: the service's prefix, as part of the URL.
   */
  readonly prefix?: string;
  /**
   * True if exactly one proxy precedes the server and clients cannot bypass it. The client's address is then the last
   * one in `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` determine the requested origin.
   */
  readonly trustProxy?: boolean;
  /** Returns the client's address when no proxy is trusted. Default: unknown, so all clients share one counter. */
  readonly address?: (request: Incoming) => string | undefined;
}

/**
 * Returns a handler for frameworks and runtimes with a `Request`: h3, Elysia, Next.js, SvelteKit, workerd, Deno. Addresses in
 * responses use the host that the client requested, regardless of the host in the request's URL.
 */
export function fetchHandler<Served extends Mounted, Incoming extends Request = Request>(
  service: Served,
  options: FetchHandlerOptions<Served, Incoming> = {},
): (request: Incoming) => Response | Promise<Response> {
  checkArgument("fetchHandler", service, aService);
  checkOptions("fetchHandler", options, {
    prefix: optional(aMountPath),
    trustProxy: optional(aBoolean),
    address: optional(aFunction),
    ...userOptions,
  });
  const { trustProxy = false, address } = options;
  const userOf = userContext(options);
  const served = asService(service);
  const mountOf = options.prefix === undefined ? undefined : mountIn(options.prefix);
  return (request) => {
    const known = trustProxy ? fromProxy(request) : undefined;
    const origin = known?.origin ?? originOf(request, {});
    const context: FetchContext = {
      origin,
      address: () => known?.address ?? address?.(request),
      ...userOf(request),
    };
    if (mountOf === undefined) return served.fetch(request, context);
    const prefix = mountOf(pathIn(request.url));
    const stripped = !served.match(request, { prefix }) && served.match(request, { prefix: "" });
    return served.fetch(
      request,
      stripped ? { ...context, origin: origin + prefix, prefix: "" } : { ...context, prefix },
    );
  };
}
