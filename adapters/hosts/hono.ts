import {
  aBoolean,
  aFunction,
  checkArgument,
  checkOptions,
  optional,
} from "../../lib/base/options.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { onNode, type Beneath } from "./beneath.ts";
import { besideHost } from "./host-headers.ts";
import {
  aService,
  asService,
  covered,
  pathIn,
  placeOf,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { fromProxy } from "./origin.ts";

/** The parts of a Hono 4 context that the adapter uses. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    readonly routePath: string;
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  readonly env: unknown;
  get res(): Response;
  set res(response: Response | undefined);
}

/** Options of the middleware for Hono. */
export interface HonoHandlerOptions<Served = Service, Incoming = HonoContext> extends UserOptions<
  Served,
  Incoming
> {
  /** Returns the client's address. Default: the connection's address from Hono on Node, Bun or Deno. */
  readonly address?: (context: Incoming) => string | undefined;
  /**
   * True if exactly one proxy precedes the server and clients cannot bypass it. The client's address is then the last
   * one in `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` determine the requested origin.
   * Default false.
   */
  readonly trustProxy?: boolean;
}

/**
 * Creates middleware for Hono 4: `app.use("/shelter/*", honoHandler(petstore))`. Passes other requests to the next
 * handler. Throws a `TypeError` for invalid options.
 */
export function honoHandler<Served extends Mounted, Incoming extends HonoContext = HonoContext>(
  service: Served,
  options: HonoHandlerOptions<Served, Incoming> = {},
): (context: Incoming, next: () => Promise<void>) => Promise<Response | void> {
  checkArgument("honoHandler", service, aService);
  checkOptions("honoHandler", options, {
    address: optional(aFunction),
    trustProxy: optional(aBoolean),
    ...userOptions,
  });
  const { address = connectionAddress, trustProxy = false } = options;
  const userOf = userContext(options);
  const served = asService(service);
  return async (context, next) => {
    const { raw, routePath } = context.req;
    // Hono's own path is decoded.
    const place = placeOf(served, raw.url, covered(routePath, pathIn(raw.url)));
    if (place === undefined) return next();
    const known = trustProxy ? fromProxy(raw) : undefined;
    const from = {
      address: () => known?.address ?? address(context),
      ...(known && { origin: known.origin }),
      ...place,
      ...userOf(context),
    };
    const respond = (request: Request): Eventual<Response> => served.fetch(request, from);
    const response = raw.bodyUsed
      ? respond(await reread(context))
      : onNode(raw, nodeOf(context), respond);
    return beside(context, await response);
  };
}

/**
 * Makes a response the one of the context, beside the headers that the host has set. Left to itself, Hono would lose those of
 * `context.header`, or replace `Vary` and all cookies.
 */
function beside(context: HonoContext, response: Response): Response {
  const host = context.res.headers;
  // What was set before would be merged again.
  context.res = undefined;
  if (host.keys().next().done === true) {
    context.res = response;
    return response;
  }
  const headers =
    besideHost(response.headers, (name) => host.get(name)) ?? new Headers(response.headers);
  for (const [name, value] of host) {
    if (name === "set-cookie") headers.append(name, value);
    else if (name !== "vary" && name !== "content-type") headers.set(name, value);
  }
  const merged = new Response(response.body, { status: response.status, headers });
  context.res = merged;
  return merged;
}

/** Rebuilds the request from Hono's copy of a body that was read already. */
async function reread({ req }: HonoContext): Promise<Request> {
  const { raw } = req;
  const headers = new Headers(raw.headers);
  headers.delete("content-length");
  const body = await req.arrayBuffer();
  return new Request(raw.url, { method: raw.method, headers, body, signal: raw.signal });
}

/** Hono's environment with @hono/node-server, `Bun.serve` and `Deno.serve`. */
interface Environment {
  readonly incoming?: Beneath["req"];
  readonly outgoing?: Beneath["res"];
  readonly requestIP?: (request: Request) => { readonly address: string } | null;
  readonly remoteAddr?: { readonly hostname?: string };
  readonly server?: Environment;
}

function nodeOf({ env }: HonoContext): Beneath {
  const environment = env as Environment | undefined;
  const { incoming, outgoing } = environment?.server ?? environment ?? {};
  return { req: incoming, res: outgoing };
}

function connectionAddress({ env, req }: HonoContext): string | undefined {
  const environment = env as Environment | undefined;
  const server = environment?.server ?? environment;
  return (
    server?.incoming?.socket?.remoteAddress ??
    server?.requestIP?.(req.raw)?.address ??
    server?.remoteAddr?.hostname
  );
}
