import { StoreUnavailable } from "../sql/sql.ts";
import { isPromise, type Eventual } from "../base/eventual.ts";
import { problems, type Problem } from "../base/problem.ts";
import { wantedType } from "../http/accept.ts";
import { addressOf, addressParts } from "../http/exchange.ts";
import {
  httpsRequired,
  internalError,
  limitReached,
  MAX_URL_LENGTH,
  methodNotAllowed,
  noSuchRoute,
  notAcceptable,
  tooLong,
  tooManyFailures,
  unavailable,
} from "../http/refusals.ts";
import { logFailure } from "../storage/log-failure.ts";
import { credentialOf } from "./credential.ts";
import { ROOT, type Exchange, type Stations } from "./exchange.ts";
import { refuse, succeed, tellDocument, tellOptions } from "./finish.ts";
import type { ManagementContext } from "./management.ts";
import { perform, performOpen } from "./perform.ts";

const DOCUMENT_PATH = "/openapi.json";
const DOCUMENT_ALLOW = "GET, HEAD, OPTIONS";

/** Answers requests under `/manage/v1`, in the order of checks that docs/management.md fixes. */
export function createManagementApi(
  stations: Stations,
): (request: Request, context: ManagementContext) => Eventual<Response> {
  const { clock } = stations.services;
  return (request, context) => {
    const now = clock.now();
    const { headers } = request;
    const exchange: Exchange = {
      stations,
      request,
      context,
      now,
      requestId: stations.requestId(headers.get("x-request-id"), now),
      wanted: wantedType(headers.get("accept")),
      endpoint: undefined,
      verdict: undefined,
    };
    try {
      const reply = answer(exchange);
      return isPromise(reply) ? reply.catch((error: unknown) => broke(exchange, error)) : reply;
    } catch (error) {
      return broke(exchange, error);
    }
  };
}

/** From the address to the token: what can be said without knowing who asks. */
function answer(exchange: Exchange): Eventual<Response> {
  const { request, stations, context } = exchange;
  const { url, method } = request;
  if (context.httpsRequired === true) return refuse(exchange, httpsRequired);
  if (url.length > MAX_URL_LENGTH) return refuse(exchange, tooLong);
  const { path, search } = addressParts(url);
  if (!path.startsWith(`${ROOT}/`)) return refuse(exchange, noSuchRoute);
  const below = path.slice(ROOT.length);
  if (below === DOCUMENT_PATH) return answerDocument(exchange);
  const found = stations.findRoute(below);
  const params = found === undefined ? undefined : decodeAll(found.parameters);
  if (found === undefined || params === undefined) return refuse(exchange, noSuchRoute);
  const { allow, endpoints } = found.route;
  if (method === "OPTIONS") return tellOptions(exchange, allow);
  const endpoint = endpoints.get(method === "HEAD" ? "GET" : method);
  if (endpoint === undefined) return refuse(exchange, methodNotAllowed(allow), { allow });
  exchange.endpoint = endpoint;
  return endpoint.access === "anyone"
    ? answerOpen(exchange, { endpoint, params, search })
    : answerGuarded(exchange, { endpoint, params, search });
}

/** An operation that proves by other means that the caller may: whoever fails spends from the address. */
async function answerOpen(
  exchange: Exchange,
  target: Parameters<typeof performOpen>[1],
): Promise<Response> {
  const result = await performOpen(exchange, target);
  if (result.ok) return succeed(exchange, result.value);
  const { failure } = result;
  return problems[failure.code].status === 401
    ? refuseStranger(exchange, failure)
    : refuse(exchange, failure);
}

async function answerGuarded(
  exchange: Exchange,
  target: Parameters<typeof perform>[1],
): Promise<Response> {
  const { stations, context, now } = exchange;
  if (context.principal !== undefined) {
    exchange.verdict = stations.requests.look(context.principal);
    return perform(exchange, target, { principal: context.principal, stillAllowed: () => true });
  }
  const credential = credentialOf(exchange);
  if (credential.fault !== undefined) return refuse(exchange, credential.fault);
  const identified = await credential.identify(now);
  if (!identified.ok) return refuseStranger(exchange, identified.failure);
  const principal = identified.value;
  const verdict = stations.requests.spend(principal);
  exchange.verdict = verdict;
  return verdict.allowed
    ? perform(exchange, target, {
        principal,
        stillAllowed: async () => (await credential.identify(stations.services.clock.now())).ok,
      })
    : refuse(exchange, limitReached(verdict));
}

/** Whoever fails to prove who they are spends from the address, and is refused otherwise when that is empty. */
function refuseStranger(exchange: Exchange, failure: Problem): Response {
  const verdict = exchange.stations.addresses.spend(addressOf(exchange.context));
  exchange.verdict = verdict;
  return refuse(exchange, verdict.allowed ? failure : tooManyFailures(verdict));
}

/** The description of the API is no operation: it needs no token and costs nothing. */
function answerDocument(exchange: Exchange): Eventual<Response> {
  const { method } = exchange.request;
  if (method === "OPTIONS") return tellOptions(exchange, DOCUMENT_ALLOW);
  if (method !== "GET" && method !== "HEAD") {
    return refuse(exchange, methodNotAllowed(DOCUMENT_ALLOW), { allow: DOCUMENT_ALLOW });
  }
  if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
  return tellDocument(exchange, exchange.stations.document());
}

/** Undefined when one of them is not valid percent-encoding of UTF-8: then nothing can be there. */
function decodeAll(
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, text]) => [name, decodeURIComponent(text)]),
    );
  } catch {
    return undefined;
  }
}

/** The one place where what was thrown becomes an answer that tells the client nothing. */
function broke(exchange: Exchange, error: unknown): Response {
  const { stations, requestId, endpoint } = exchange;
  const later = error instanceof StoreUnavailable;
  logFailure(stations.services.log, "a request broke", error, {
    now: exchange.now,
    requestId,
    operation: endpoint?.operationId ?? "unknown",
  });
  const failure = later ? unavailable : internalError;
  try {
    return refuse(exchange, failure);
  } catch {
    // The host that should tell the address is what is broken: it is not asked again.
    exchange.verdict = stations.addresses.look(undefined);
    return refuse(exchange, failure);
  }
}
