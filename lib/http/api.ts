import { remembered } from "../base/cache.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import { normalTarget } from "../base/normal-path.ts";
import type { Problem } from "../base/problem.ts";
import { StoreUnavailable } from "../sql/sql.ts";
import { unlimited } from "../accounts/buckets.ts";
import { logFailure } from "../storage/log-failure.ts";
import {
  wantedType,
  addressOf,
  addressParts,
  baseOf,
  pathStartOf,
  type Exchange,
  type FindRoute,
  type Located,
  type Match,
  type Route,
  type RequestContext,
  type Stations,
  type Target,
} from "./exchange.ts";
import type { Declared } from "./endpoint.ts";
import { allowMethods, refuse, succeed } from "./respond.ts";
import {
  httpsRequired,
  internalError,
  methodNotAllowed,
  noSuchRoute,
  notAcceptable,
  MAX_URL_LENGTH,
  tooLong,
  tooManyFailures,
  unavailable,
} from "./refusals.ts";

const DOCUMENT_PATH = "/openapi.json";
const DOCUMENT_ALLOW = "GET, HEAD, OPTIONS";

/**
 * Creates the function that answers the requests of one API. It finds the operation; `serve` checks the caller and runs
 * it. Synchronous if nothing has to be awaited. Never rejects and never throws.
 */
export function createApi<
  Each extends Declared,
  Own extends Stations<Each>,
  Context extends RequestContext = RequestContext,
>(
  stations: Own & Stations<Each>,
  serve: (exchange: Exchange<Own, Context>, target: Target<Each>) => Eventual<Response>,
): (request: Request, context: Context) => Eventual<Response> {
  const ready = stations.ready ?? (() => true);

  const locate = (address: string, root: string): Place<Each> => {
    const path = normalTarget(address.slice(pathStartOf(address)));
    if (!path.startsWith(root) || path[root.length] !== "/") return NOWHERE;
    const below = path.slice(root.length);
    return { path: below, found: stations.findRoute(below) };
  };
  // Clients repeat their addresses, but not their queries.
  const atHome = remembered((address) => locate(address, stations.rootOf({})));

  /** The checks that need no caller, in the order that docs/api.md fixes. */
  const answer = (exchange: Exchange<Own, Context>): Eventual<Response> => {
    const { request, context } = exchange;
    const { url, method } = request;
    if (context.httpsRequired === true) return refuse(exchange, httpsRequired);
    if (url.length > MAX_URL_LENGTH) return refuse(exchange, tooLong);
    const { address, search } = addressParts(url);
    const { found, path } =
      context.prefix === undefined ? atHome(address) : locate(address, stations.rootOf(context));
    if (path === DOCUMENT_PATH) return answerDocument(exchange);
    if (found === undefined) return refuse(exchange, noSuchRoute);
    const { allow, endpoints } = found.route;
    if (method === "OPTIONS") return allowMethods(exchange, allow);
    const endpoint = endpoints.get(method === "HEAD" ? "GET" : method);
    if (endpoint === undefined) return refuse(exchange, methodNotAllowed(allow), { allow });
    if (endpoint.bulk !== true) stations.traffic?.arrived(exchange.now);
    exchange.endpoint = endpoint;
    const reads = endpoint.method === "GET" ? undefined : endpoints.get("GET");
    return serve(exchange, { endpoint, path, parameters: found.parameters, search, reads });
  };

  return (request, context) => {
    const now = stations.clock.now();
    const { headers } = request;
    const exchange: Exchange<Own, Context> = {
      stations,
      request,
      context,
      now,
      requestId: stations.requestId(headers.get("x-request-id"), now),
      wanted: wantedType(headers.get("accept")),
      style: stations.style,
      endpoint: undefined,
      caller: undefined,
      ended: undefined,
      met: undefined,
      verdict: undefined,
      spent: undefined,
    };
    try {
      const waiting = ready();
      const reply = isPromise(waiting) ? waiting.then(() => answer(exchange)) : answer(exchange);
      return whenSent(
        exchange,
        isPromise(reply) ? reply.catch((error: unknown) => answerFailure(exchange, error)) : reply,
      );
    } catch (error) {
      return whenSent(exchange, answerFailure(exchange, error));
    }
  };
}

/** Keeps a refusal until the client has sent its body, if the connection is closed with the response. */
function whenSent({ request, stations }: Exchange, reply: Eventual<Response>): Eventual<Response> {
  const { method, headers } = request;
  if (method === "GET" || method === "HEAD") return reply;
  if (headers.get("connection")?.toLowerCase() !== "close") return reply;
  return andThen(reply, (response) =>
    response.status < 400
      ? response
      : stations.bodies.dropRest(request).then(
          () => response,
          () => response,
        ),
  );
}

/** What a URL names below the root of the API. */
interface Place<Each extends Declared> extends Pick<Target<Each>, "path"> {
  readonly found: Match<Each> | undefined;
}

const NOWHERE: Place<never> = { path: "", found: undefined };

/** Charges failed authentication to the address; refuses with 429 once the address has failed too often. */
export function refuseStranger(exchange: Exchange, failure: Problem): Eventual<Response> {
  return andThen(exchange.stations.addresses.spend(addressOf(exchange)), (decision) => {
    exchange.verdict = decision;
    exchange.met = "address";
    return refuse(exchange, decision.allowed ? failure : tooManyFailures(decision));
  });
}

/** Sends the OpenAPI document, which needs no credential and costs nothing. */
function answerDocument(exchange: Exchange): Eventual<Response> {
  const { method } = exchange.request;
  if (method === "OPTIONS") return allowMethods(exchange, DOCUMENT_ALLOW);
  if (method !== "GET" && method !== "HEAD") {
    return refuse(exchange, methodNotAllowed(DOCUMENT_ALLOW), { allow: DOCUMENT_ALLOW });
  }
  if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
  const base = baseOf(exchange);
  const document = exchange.stations.document(base.slice(pathStartOf(base)));
  // The length of a compressed body reveals a secret that it contains next to reflected input (BREACH), also to pages of
  // other sites, whose requests carry cookies. The document contains no secret.
  return andThen(document, (answer) => succeed(exchange, answer, undefined, true));
}

/** Logs a thrown error, and answers without details: the only place that does. */
function answerFailure(exchange: Exchange, error: unknown): Eventual<Response> {
  const { stations, requestId, endpoint } = exchange;
  logFailure(stations.log, "a request failed", error, {
    now: exchange.now,
    requestId,
    operation: endpoint?.operationId ?? "unknown",
  });
  const failure = error instanceof StoreUnavailable ? unavailable : internalError;
  try {
    const reply = refuse(exchange, failure);
    return isPromise(reply) ? reply.catch(() => bareFailure(exchange, failure)) : reply;
  } catch {
    return bareFailure(exchange, failure);
  }
}

/** Refuses without the limiter and the host's address, because one of them failed too. */
function bareFailure(exchange: Exchange, failure: Problem): Eventual<Response> {
  exchange.spent = undefined;
  exchange.verdict = unlimited(exchange.now);
  return refuse(exchange, failure);
}

/** Creates the function that finds routes. Of several patterns, the first one that matches wins. */
export function routeTable<Endpoint extends Located>(
  endpoints: readonly Endpoint[],
): FindRoute<Endpoint> {
  const byPath = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const siblings = byPath.get(endpoint.path);
    if (siblings === undefined) byPath.set(endpoint.path, [endpoint]);
    else siblings.push(endpoint);
  }
  const fixed = new Map<string, Match<Endpoint>>();
  const patterns: { readonly pattern: RegExp; readonly route: Route<Endpoint> }[] = [];
  for (const [path, siblings] of byPath) {
    const route = routeOf(siblings);
    if (path.includes(":")) {
      patterns.push({ pattern: patternOf(path), route });
    } else {
      fixed.set(path, { route, parameters: {} });
    }
  }
  return (path) => {
    const found = fixed.get(path);
    if (found !== undefined || path.endsWith("/") || path.includes("//")) return found;
    for (const { pattern, route } of patterns) {
      const groups = pattern.exec(path)?.groups;
      if (groups !== undefined) return { route, parameters: groups };
    }
    return undefined;
  };
}

/** Returns the pattern of a path such as `/pets/:pet`, whose parameters are not empty. */
function patternOf(path: string): RegExp {
  const escaped = path.replaceAll(".", String.raw`\.`);
  return new RegExp(`^${escaped.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
}

function routeOf<Endpoint extends Located>(siblings: readonly Endpoint[]): Route<Endpoint> {
  const endpoints = new Map(siblings.map((endpoint) => [endpoint.method, endpoint]));
  const methods = [...endpoints.keys()].flatMap((method) =>
    method === "GET" ? ["GET", "HEAD"] : [method],
  );
  return { endpoints, allow: [...methods, "OPTIONS"].join(", ") };
}
