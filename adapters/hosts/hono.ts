import { aFunction, checkArgument, checkOptions, optional } from "../../lib/base/options.ts";
import {
  aService,
  covered,
  placeOf,
  asService,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";

/** The parts of a Hono 4 context that the adapter uses. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    readonly routePath: string;
    readonly path: string;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  readonly env: unknown;
}

/** Options of the middleware for Hono. */
export interface HonoHandlerOptions<Served = Service, Incoming = HonoContext> extends UserOptions<
  Served,
  Incoming
> {
  /** Returns the client's address. Default: the connection's address from Hono on Node or Bun. */
  readonly address?: (context: Incoming) => string | undefined;
}

/**
 * Creates middleware for Hono 4: `app.use("/shelter/*", honoHandler(petstore))`.
 * Passes other requests to the next handler.
 */
export function honoHandler<Served extends Mounted, Incoming extends HonoContext = HonoContext>(
  service: Served,
  options: HonoHandlerOptions<Served, Incoming> = {},
): (context: Incoming, next: () => Promise<void>) => Promise<Response | void> {
  checkArgument("honoHandler", service, aService);
  checkOptions("honoHandler", options, { address: optional(aFunction), ...userOptions });
  const userOf = userContext(options);
  const served = asService(service);
  const { address = connectionAddress } = options;
  return async (context, next) => {
    const { raw, routePath, path } = context.req;
    const place = placeOf(served, raw.url, covered(routePath, path));
    if (place === undefined) return next();
    const request = raw.bodyUsed ? await reread(context) : raw;
    return served.fetch(request, {
      address: () => address(context),
      ...place,
      ...userOf(context),
    });
  };
}

/** Rebuilds the request from Hono's copy of a body that was read already. */
async function reread({ req }: HonoContext): Promise<Request> {
  const { raw } = req;
  const headers = new Headers(raw.headers);
  headers.delete("content-length");
  const body = await req.arrayBuffer();
  return new Request(raw.url, { method: raw.method, headers, body, signal: raw.signal });
}

/** Hono's environment with @hono/node-server and `Bun.serve`. */
interface Environment {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  readonly requestIP?: (request: Request) => { readonly address: string } | null;
  readonly server?: Environment;
}

function connectionAddress({ env, req }: HonoContext): string | undefined {
  const environment = env as Environment | undefined;
  const server = environment?.server ?? environment;
  return server?.incoming?.socket?.remoteAddress ?? server?.requestIP?.(req.raw)?.address;
}
