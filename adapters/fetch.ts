import {
  aBoolean,
  aFunction,
  aPrefix,
  checkArgument,
  checkOptions,
  optional,
} from "../lib/base/options.ts";
import type { FetchContext } from "../lib/index.ts";
import { lastOf } from "./forwarded.ts";
import { aService, type Service } from "./mount.ts";
import { addressOf } from "./node-request.ts";

export interface FetchHandlerOptions {
  /**
   * Where the service is mounted, as `/shelter`, whether the host leaves the mount in the request's URL or takes it out.
   * Default: the service's own prefix, and the URL has it.
   */
  readonly prefix?: string;
  /**
   * True when exactly one proxy stands in front and nobody can go around it: the address of the client is then
   * the last one of `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` are what it asked for.
   */
  readonly trustProxy?: boolean;
  /** The address of the client, where no proxy is trusted. Default: unknown, so that all clients share one. */
  readonly address?: (request: Request) => string | undefined;
}

/**
 * For hosts that hand out a `Request`: h3, Elysia, Next.js, SvelteKit, workerd, Deno. Addresses in answers are on the
 * host that the client asked, whatever host the framework writes into the request's URL.
 */
export function fetchHandler(
  service: Service,
  options: FetchHandlerOptions = {},
): (request: Request) => Response | Promise<Response> {
  checkArgument("fetchHandler", service, aService);
  checkOptions("fetchHandler", options, {
    prefix: optional(aPrefix),
    trustProxy: optional(aBoolean),
    address: optional(aFunction),
  });
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
    };
    if (prefix === undefined) return service.fetch(request, context);
    const taken = !service.match(request, { prefix }) && service.match(request, { prefix: "" });
    return service.fetch(
      request,
      taken ? { ...context, origin: origin + prefix, prefix: "" } : { ...context, prefix },
    );
  };
}

/** The origin that the client asked. A scheme or host that is invalid is ignored. */
function originOf(
  url: string,
  { scheme, host }: { readonly scheme: string | undefined; readonly host: string | undefined },
): string {
  const given = new URL(url);
  const asked = addressOf(scheme ?? given.protocol.slice(0, -1), host ?? given.host, "/");
  return asked === undefined ? given.origin : new URL(asked).origin;
}
