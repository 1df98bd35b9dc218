import { checkArgument, checkOptions, optional } from "../../lib/base/options.ts";
import { answer } from "./bridge.ts";
import {
  aMountPath,
  aService,
  asService,
  mountIn,
  placeOf,
  userContext,
  userOptions,
  type Mounted,
  type Service,
  type UserOptions,
} from "./mount.ts";
import { pathOf, type NodeRequest } from "./node-request.ts";
import type { NodeResponse } from "./node-response.ts";

/** The parts of a Koa 2 or 3 context that the adapter uses. `app.proxy` determines `protocol`, `host` and `ip`. */
export interface KoaContext {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly request: { readonly body?: unknown; readonly rawBody?: unknown };
  readonly originalUrl: string;
  /** The path without the prefix that koa-mount removed. */
  readonly path: string;
  readonly protocol: string;
  readonly host: string;
  readonly ip: string;
  respond?: boolean;
}

/** Options of the middleware for Koa. */
export interface KoaHandlerOptions<Served = Service, Incoming = KoaContext> extends UserOptions<
  Served,
  Incoming
> {
  /** The mount path, such as `/shelter` or `/of/:city`. Default: the prefix that koa-mount removed, else the service's prefix. */
  readonly prefix?: string;
}

/**
 * Creates middleware for Koa: `app.use(mount("/shelter", koaHandler(petstore)))`. Passes other requests to the next
 * middleware. Throws a `TypeError` for invalid options.
 */
export function koaHandler<Served extends Mounted, Incoming extends KoaContext = KoaContext>(
  service: Served,
  options: KoaHandlerOptions<Served, Incoming> = {},
): (context: Incoming, next: () => Promise<unknown>) => Promise<unknown> {
  checkArgument("koaHandler", service, aService);
  checkOptions("koaHandler", options, { prefix: optional(aMountPath), ...userOptions });
  const { prefix, onError } = options;
  const userOf = userContext(options);
  const served = asService(service);
  const mountOf = prefix === undefined ? undefined : mountIn(prefix);
  return (context, next) => {
    const { req, res, request, originalUrl, path, protocol, host, ip } = context;
    const asked = pathOf(originalUrl);
    const mount = mountOf?.(asked) ?? removedPrefix(originalUrl, path);
    const place = placeOf(served, `http://localhost${asked}`, mount);
    if (place === undefined) return next();
    context.respond = false;
    return answer(served, {
      message: req,
      target: res,
      path: originalUrl,
      scheme: protocol,
      // Koa makes an invalid host empty, which the service refuses.
      host: host || req.headers.host || "localhost",
      // Prefer the parser's raw text, because a parsed body hides duplicate members.
      parsed: typeof request.rawBody === "string" ? request.rawBody : request.body,
      context: { address: () => ip, ...place, ...userOf(context) },
      onError,
    });
  };
}

function removedPrefix(originalUrl: string, path: string): string {
  const [whole = ""] = pathOf(originalUrl).split("?", 1);
  return whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : "";
}
