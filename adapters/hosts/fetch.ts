import {
  aBoolean,
  aFunction,
  aText,
  checkArgument,
  checkOptions,
  optional,
  type Expectation,
} from "../../lib/base/options.ts";
import { andThen, once, type Eventual } from "../../lib/base/eventual.ts";
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
import { onNode, type Beneath } from "./beneath.ts";
import { fromProxy, originOf } from "./origin.ts";

/** Options of a handler for hosts with the Fetch API. `Rest` is what the host passes after the request. */
export interface FetchHandlerOptions<
  Served = Service,
  Incoming = Request,
  Rest extends readonly unknown[] = readonly unknown[],
> extends UserOptions<Served, Incoming, Rest> {
  /**
   * The mount path, such as `/shelter` or `/of/:city`, whether or not the framework removes it from the request's URL.
   * Default: the service's prefix, as part of the URL.
   */
  readonly prefix?: string;
  /**
   * True if exactly one proxy precedes the server and clients cannot bypass it. The client's address is then the last
   * one in `X-Forwarded-For`, and `X-Forwarded-Proto` and `X-Forwarded-Host` determine the requested origin.
   * Default false.
   */
  readonly trustProxy?: boolean;
  /**
   * Returns the client's address when no proxy is trusted; it gets all arguments of the handler. Default: unknown, so all
   * clients share one counter.
   */
  readonly address?: (request: Incoming, ...rest: Rest) => string | undefined;
}

/** A petstore or a management API, or a function that opens one at the first request. */
export type ServiceSource<Served = Service> = Served | (() => Served | Promise<Served>);

/**
 * Returns a handler for frameworks and runtimes with a `Request`: h3, Elysia, Next.js, SvelteKit, workerd, Deno. Addresses in
 * responses use the host that the client requested, regardless of the host in the request's URL.
 *
 * Instead of a petstore it takes a function that opens one, which is called at the first request: many frameworks load
 * modules during a build. While it fails, the handler rejects with its error, and the next request calls it again.
 * Throws a `TypeError` for invalid options.
 */
export function fetchHandler<
  Served extends Mounted,
  Incoming extends Request = Request,
  Rest extends readonly unknown[] = [],
>(
  service: ServiceSource<Served>,
  options: FetchHandlerOptions<Served, Incoming, Rest> = {},
): (request: Incoming, ...rest: Rest) => Response | Promise<Response> {
  checkArgument("fetchHandler", service, aSource);
  checkOptions("fetchHandler", options, {
    prefix: optional(aMountPath),
    trustProxy: optional(aBoolean),
    address: optional(aFunction),
    ...userOptions,
  });
  const { trustProxy = false, address } = options;
  const userOf = userContext(options);
  const opened = openerOf(service);
  const mountOf = options.prefix === undefined ? undefined : mountIn(options.prefix);
  return (request, ...rest) => {
    const known = trustProxy ? fromProxy(request) : undefined;
    const origin = known?.origin ?? originOf(request, {});
    const context: FetchContext = {
      origin,
      address: () => known?.address ?? address?.(request, ...rest),
      ...userOf(request, ...rest),
    };
    const respond = (read: Request): Eventual<Response> =>
      andThen(opened(), (served) => {
        if (mountOf === undefined) return served.fetch(read, context);
        const mount = mountOf(pathIn(request.url));
        const prefix = leftOf(mount, (left) => served.match(request, { prefix: left })) ?? mount;
        const removed = mount.slice(0, mount.length - prefix.length);
        return served.fetch(read, { ...context, origin: origin + removed, prefix });
      });
    return "nextUrl" in request
      ? respond(uncompressed(request))
      : onNode(request, nodeOf(request), respond);
  };
}

/** Returns what srvx, the server of h3 and Nitro, has beneath a request. */
function nodeOf(request: Request & { readonly runtime?: { readonly node?: Beneath } }): Beneath {
  return request.runtime?.node ?? {};
}

/**
 * Returns a function that opens something once in a process, such as a petstore, also if a framework loads the module more
 * than once: Next.js does for each route, and development servers do after a change. All callers with the same `name` get the same one. If `open`
 * fails, they get its error, and the next call opens again. Throws a `TypeError` for invalid arguments.
 */
export function oncePerProcess<Value>(
  name: string,
  open: () => Value | Promise<Value>,
): () => Promise<Value> {
  checkArgument("oncePerProcess", name, aText);
  checkArgument("oncePerProcess", open, aFunction);
  const key = Symbol.for(`petstore: ${name}`);
  return () => {
    const known: Promise<Value> | undefined = Reflect.get(globalThis, key);
    if (known !== undefined) return known;
    const opening = (async () => open())();
    Reflect.set(globalThis, key, opening);
    opening.catch(() => Reflect.deleteProperty(globalThis, key));
    return opening;
  };
}

/**
 * Returns the part of a mount that the host has left in the URL: all of it, none, or, as Next.js removes its `basePath`, the
 * end. Undefined if no part matches.
 */
function leftOf(mount: string, matches: (rest: string) => boolean): string | undefined {
  for (let rest = mount; ; rest = rest.slice(rest.indexOf("/", 1))) {
    if (matches(rest)) return rest;
    if (rest.lastIndexOf("/") <= 0) return rest !== "" && matches("") ? "" : undefined;
  }
}

const aSource: Expectation = {
  what: `${aService.what}, or a function that returns one`,
  holds: (value) => aService.holds(value) || aFunction.holds(value),
};

/** Returns a function that opens the service at its first call, and returns it without a promise once it is open. */
function openerOf(source: ServiceSource<Mounted>): () => Eventual<Service> {
  if (isService(source)) return () => asService(source);
  return once(async () => {
    const service = await source();
    checkArgument("fetchHandler", service, aService);
    return asService(service);
  });
}

function isService(source: ServiceSource<Mounted>): source is Mounted {
  return aService.holds(source);
}

/**
 * Returns a request for a plain response. Next.js drops `Content-Encoding`, so clients could not read a compressed one, and
 * compresses responses itself.
 */
function uncompressed(request: Request): Request {
  const { url, method, signal } = request;
  // Only these have compressed responses.
  if (method !== "GET" && method !== "HEAD") return request;
  const headers = new Headers(request.headers);
  headers.delete("accept-encoding");
  return new Request(url, { method, headers, signal });
}
