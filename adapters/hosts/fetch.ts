import {
  aBoolean,
  aFunction,
  aPrefix,
  checkArgument,
  checkOptions,
  optional,
} from "../../lib/base/options.ts";
import type { FetchContext } from "../../lib/index.ts";
import {
  lastOf,
  aService,
  asService,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { addressOf } from "./node-request.ts";

/** Options of a handler for hosts with the Fetch API. */
export interface FetchHandlerOptions<Served = Service, Incoming = Request> extends UserOptions<
  Served,
  Incoming
> {
  /**
   * The mount path, such as `/shelter`, whether or not the framework removes it from the request's URL.
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
    prefix: optional(aPrefix),
    trustProxy: optional(aBoolean),
    address: optional(aFunction),
    ...userOptions,
  });
  const userOf = userContext(options);
  const served = asService(service);
  const { prefix, trustProxy = false, address } = options;
  return (request) => {
    const { url, headers } = request;
    const forwarded = (name: string): string | undefined =>
      trustProxy ? lastOf(headers.get(name)) : undefined;
    const origin = originOf(url, {
      scheme: forwarded("x-forwarded-proto"),
      host: forwarded("x-forwarded-host") ?? headers.get("host") ?? undefined,
    });
    const context: FetchContext = {
      origin,
      address: () => forwarded("x-forwarded-for") ?? address?.(request),
      ...userOf(request),
    };
    if (prefix === undefined) return served.fetch(request, context);
    const stripped = !served.match(request, { prefix }) && served.match(request, { prefix: "" });
    return served.fetch(
      request,
      stripped ? { ...context, origin: origin + prefix, prefix: "" } : { ...context, prefix },
    );
  };
}

/** Returns the origin that the client requested. Ignores an invalid scheme or host. */
function originOf(
  url: string,
  { scheme, host }: { readonly scheme: string | undefined; readonly host: string | undefined },
): string {
  const given = new URL(url);
  const asked = addressOf(scheme ?? given.protocol.slice(0, -1), host ?? given.host, "/");
  return asked === undefined ? given.origin : new URL(asked).origin;
}
