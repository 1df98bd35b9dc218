import { StoreUnavailable } from "../sql/sql.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import { logFailure } from "../storage/log-failure.ts";
import { wantedType } from "./accept.ts";
import { admit, refuseStranger } from "./admit.ts";
import { problemResponse } from "./answer.ts";
import {
  addressParts,
  pathOfBase,
  VERSION,
  type Exchange,
  type FetchContext,
  type Stations,
} from "./exchange.ts";
import { refuse, succeed, tellOptions } from "./finish.ts";
import {
  httpsRequired,
  internalError,
  methodNotAllowed,
  noSuchRoute,
  notAcceptable,
  MAX_URL_LENGTH,
  tooLong,
  unavailable,
} from "./refusals.ts";

const DOCUMENT_PATH = "/openapi.json";
const DOCUMENT_ALLOW = "GET, HEAD, OPTIONS";
const PATH_ID = /^[1-9]\d{0,15}$/;

/** Answers requests under the version prefix, in the order of checks that docs/api.md fixes. */
export function createApi(
  stations: Stations,
): (request: Request, context: FetchContext) => Eventual<Response> {
  return (request, context) => {
    const now = stations.clock.now();
    const { headers } = request;
    const exchange: Exchange = {
      stations,
      request,
      context,
      now,
      requestId: stations.requestId(headers.get("x-request-id"), now),
      wanted: wantedType(headers.get("accept")),
      endpoint: undefined,
      caller: undefined,
      verdict: undefined,
      spent: false,
    };
    try {
      const reply = andThen(stations.ready(), () => answer(exchange));
      return isPromise(reply) ? reply.catch((error: unknown) => broke(exchange, error)) : reply;
    } catch (error) {
      return broke(exchange, error);
    }
  };
}

/** From the address to the key: what can be said without knowing who asks. */
function answer(exchange: Exchange): Eventual<Response> {
  const { request, context, stations } = exchange;
  const { url, method } = request;
  if (context.httpsRequired === true) return refuse(exchange, httpsRequired);
  if (url.length > MAX_URL_LENGTH) return refuse(exchange, tooLong);
  const { path, search } = addressParts(url);
  const { prefix = stations.prefix } = context;
  const below = path.slice(prefix.length + VERSION.length);
  const ours =
    path.startsWith(prefix) && path.startsWith(VERSION, prefix.length) && below.startsWith("/");
  if (!ours) return refuse(exchange, noSuchRoute);
  if (below === DOCUMENT_PATH) return answerDocument(exchange);
  const found = stations.findRoute(below);
  if (found === undefined) return refuse(exchange, noSuchRoute);
  const { allow, endpoints } = found.route;
  if (method === "OPTIONS") return tellOptions(exchange, allow);
  const endpoint = endpoints.get(method === "HEAD" ? "GET" : method);
  if (endpoint === undefined) return refuse(exchange, methodNotAllowed(allow), { allow });
  exchange.endpoint = endpoint;
  return andThen(
    stations.keyring.identify(request.headers.get("authorization"), exchange.now),
    (identified) => {
      if (!identified.ok) return refuseStranger(exchange, identified.failure);
      const { id = "" } = found.parameters;
      const target = {
        endpoint,
        path: below,
        search,
        id: PATH_ID.test(id) ? Number(id) : 0,
      };
      return admit(exchange, target, identified.value);
    },
  );
}

/** The description of the API is no operation: it needs no key and costs nothing. */
function answerDocument(exchange: Exchange): Eventual<Response> {
  const { method } = exchange.request;
  if (method === "OPTIONS") return tellOptions(exchange, DOCUMENT_ALLOW);
  if (method !== "GET" && method !== "HEAD") {
    return refuse(exchange, methodNotAllowed(DOCUMENT_ALLOW), { allow: DOCUMENT_ALLOW });
  }
  if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
  return succeed(exchange, exchange.stations.document(pathOfBase(exchange)));
}

/** The one place where what was thrown becomes an answer that tells the client nothing. */
function broke(exchange: Exchange, error: unknown): Eventual<Response> {
  const { stations, requestId, endpoint } = exchange;
  const later = error instanceof StoreUnavailable;
  logFailure(stations.log, "a request broke", error, {
    now: exchange.now,
    requestId,
    operation: endpoint?.operationId ?? "unknown",
  });
  try {
    const reply = refuse(exchange, later ? unavailable : internalError);
    return isPromise(reply) ? reply.catch(() => bareFailure(exchange)) : reply;
  } catch {
    return bareFailure(exchange);
  }
}

/** What is left when the refusal broke too, because the limiter or the host is what is broken: asks neither. */
function bareFailure({ stations, requestId, request, wanted }: Exchange): Response {
  return problemResponse(
    {
      requestId,
      verdict: stations.addresses.look(undefined),
      head: request.method === "HEAD",
    },
    internalError,
    { asProblem: wanted === "problem", extra: undefined },
  );
}
