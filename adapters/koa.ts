import { aFunction, aPrefix, checkArgument, checkOptions, optional } from "../lib/base/options.ts";
import { answer } from "./bridge.ts";
import { aService, placeOf, type Service } from "./mount.ts";
import { pathOf, type NodeRequest } from "./node-request.ts";
import type { NodeResponse } from "./node-response.ts";

/** The parts of a context of Koa 2 and 3 that count. `app.proxy` decides about `protocol`, `host` and `ip`. */
export interface KoaContext {
  readonly req: NodeRequest;
  readonly res: NodeResponse;
  readonly request: { readonly body?: unknown; readonly rawBody?: unknown };
  readonly originalUrl: string;
  /** Without what koa-mount took away. */
  readonly path: string;
  readonly protocol: string;
  readonly host: string;
  readonly ip: string;
  respond?: boolean;
}

export interface KoaHandlerOptions {
  /** Where the service is mounted, as `/shelter`. Default: what koa-mount took away, else the service's own prefix. */
  readonly prefix?: string;
  /** Told what was thrown while answering; the client gets a 500, or a connection that is cut. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Middleware for Koa: `app.use(mount("/shelter", koaHandler(petstore)))`.
 * Requests that are not for the service go on to the next middleware.
 */
export function koaHandler(
  service: Service,
  options: KoaHandlerOptions = {},
): (context: KoaContext, next: () => Promise<unknown>) => Promise<unknown> {
  checkArgument("koaHandler", service, aService);
  checkOptions("koaHandler", options, { prefix: optional(aPrefix), onError: optional(aFunction) });
  const { prefix, onError } = options;
  return (context, next) => {
    const { req, res, request, originalUrl, path, protocol, host, ip } = context;
    const asked = `http://localhost${pathOf(originalUrl)}`;
    const place = placeOf(service, asked, prefix ?? takenAway(originalUrl, path));
    if (place === undefined) return next();
    context.respond = false;
    return answer(service, {
      message: req,
      target: res,
      path: originalUrl,
      scheme: protocol,
      // Koa leaves an invalid host empty; the service refuses it.
      host: host || req.headers.host || "localhost",
      // The text, where the parser kept it: a parsed body hides duplicate members.
      parsed: typeof request.rawBody === "string" ? request.rawBody : request.body,
      context: { address: () => ip, ...place },
      onError,
    });
  };
}

function takenAway(originalUrl: string, path: string): string {
  const [whole = ""] = pathOf(originalUrl).split("?", 1);
  return whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : "";
}
