import type { Clock } from "../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import type { Buckets } from "../limits/buckets.ts";
import type { Limiter, Verdict } from "../limits/limiter.ts";
import type { Environment } from "../model/account.ts";
import { activeUntil } from "../model/ban.ts";
import { StoreUnavailable } from "../storage/store.ts";
import { wantedType, type Wanted } from "./accept.ts";
import {
  bodyEtag,
  deprecationHeaders,
  optionsResponse,
  problemResponse,
  successResponse,
  type Frame,
} from "./answer.ts";
import type { Caller, Keyring } from "./authenticate.ts";
import { bannedVerdict } from "./banned.ts";
import { faultOfContentType, readJson, type BodyReader } from "./body.ts";
import { isFresh } from "./conditional.ts";
import type { Answer, Call, Endpoint, Method, Services } from "./endpoint.ts";
import { forgetful, readIdempotencyKey, type Idempotency } from "./idempotency.ts";
import type { FindRoute, Route } from "./match.ts";
import type { Memo } from "./memo.ts";
import { readQuery } from "./query.ts";
import {
  internalError,
  keyBanned,
  lacksScope,
  limitReached,
  methodNotAllowed,
  noSuchRoute,
  notAcceptable,
  removed,
  suspended,
  tooLong,
  tooManyFailures,
  tooManyInquiries,
  unavailable,
} from "./refusals.ts";

/** What the host knows of a request and a `Request` cannot say. */
export interface FetchContext {
  /** IP address of the client: failed authentication is counted by it. A function is asked only when needed. */
  readonly address?: string | (() => string | undefined);
  /** Where this service is mounted for this request, as `/shelter`; default: the `prefix` option. */
  readonly prefix?: string;
  /** `https://pets.example.org`: what the caller typed, when a proxy stands between. Default: from the request. */
  readonly origin?: string;
}

/** One answered request, for metrics and logs. Holds no secret. */
export interface Answered {
  readonly requestId: string;
  /** `listPets`; `unknown` when no operation was found. A closed set. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Error code, if it is one. */
  readonly code?: ProblemCode;
  readonly keyId?: string;
  readonly durationMs: number;
}

/** Everything that the way of a request leads past. */
export interface Stations extends Services {
  readonly clock: Clock;
  readonly log: Log;
  readonly environment: Environment;
  readonly prefix: string;
  readonly findRoute: FindRoute;
  /** The OpenAPI document, as text. */
  readonly document: string;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  /** Failed authentication, by address. */
  readonly addresses: Buckets;
  /** Looks at the limits, by key. */
  readonly inquiries: Buckets;
  readonly bodies: BodyReader;
  readonly idempotency: Idempotency;
  readonly memo: Memo;
  /** What must be there before the first request; at hand afterwards. */
  readonly ready: () => Eventual<boolean>;
  readonly requestId: (sent: string | null, now: number) => string;
  /** Bans the caller's key for going on and on, durably; resolves with the instant it ends. */
  readonly ban: (caller: Caller, now: number) => Promise<void>;
  /** The caller spent that much of the day. */
  readonly onThreshold: (caller: Caller, verdict: Verdict, percent: 80 | 100) => void;
  readonly onAnswer: ((answered: Answered) => void) | undefined;
}

const VERSION = "/v1";
const MAX_URL_LENGTH = 8 * 1024;

/** What is known of a request so far. */
interface Exchange {
  readonly request: Request;
  readonly context: FetchContext;
  readonly now: number;
  readonly requestId: string;
  readonly wanted: Wanted;
  endpoint: Endpoint | undefined;
  caller: Caller | undefined;
  /** What the headers tell; undefined until the caller is known: the address's numbers then. */
  verdict: Verdict | undefined;
  /** The verdict was paid for, and can be given back. */
  spent: boolean;
  base: string;
}

/** Answers requests under the version prefix, in the order of checks that the contract fixes. */
export function createApi(
  stations: Stations,
): (request: Request, context: FetchContext) => Eventual<Response> {
  const { clock, keyring, limiter, memo, addresses, inquiries } = stations;

  function answerTo(exchange: Exchange): Eventual<Response> {
    const { request, context } = exchange;
    const { url } = request;
    if (url.length > MAX_URL_LENGTH) return refuse(exchange, tooLong);
    const pathStart = url.indexOf("/", 8);
    const searchStart = url.indexOf("?", pathStart);
    const hashStart = url.indexOf("#", pathStart);
    const end = hashStart === -1 ? url.length : hashStart;
    const hasSearch = searchStart !== -1 && searchStart < end;
    const root = (context.prefix ?? stations.prefix) + VERSION;
    const path = url.slice(pathStart, hasSearch ? searchStart : end);
    exchange.base = (context.origin ?? url.slice(0, pathStart)) + root;
    if (!path.startsWith(`${root}/`)) return refuse(exchange, noSuchRoute);
    const below = path.slice(root.length);
    if (below === DOCUMENT_PATH) return answerDocument(exchange);
    const found = stations.findRoute(below);
    if (found === undefined) return refuse(exchange, noSuchRoute);
    const { method } = request;
    if (method === "OPTIONS") return options(exchange, found.route.allow);
    const endpoint = found.route.endpoints[(method === "HEAD" ? "GET" : method) as Method];
    if (endpoint === undefined) return refuseMethod(exchange, found.route);
    exchange.endpoint = endpoint;
    const target: Target = {
      endpoint,
      path: below,
      search: hasSearch ? url.slice(searchStart + 1, end) : "",
      id: /^[1-9]\d{0,15}$/.test(found.parameter) ? Number(found.parameter) : 0,
    };
    return andThen(
      keyring.identify(request.headers.get("authorization"), exchange.now),
      (identified) => {
        if (!identified.ok) return refuseStranger(exchange, identified.failure);
        exchange.caller = identified.value;
        return endpoint.free
          ? inquire(exchange, target, identified.value)
          : admit(exchange, target, identified.value);
      },
    );
  }

  /** Whoever fails to authenticate spends from the address, and is refused more shortly when that is empty. */
  function refuseStranger(exchange: Exchange, failure: Problem): Eventual<Response> {
    const verdict = addresses.spend(addressOf(exchange.context));
    exchange.verdict = verdict;
    return refuse(exchange, verdict.allowed ? failure : tooManyFailures(verdict));
  }

  /** A look at the limits costs nothing and is open to banned keys; too many of them are refused. */
  function inquire(exchange: Exchange, target: Target, caller: Caller): Eventual<Response> {
    const own = inquiries.spend(caller.key.id);
    if (!own.allowed) {
      exchange.verdict = own;
      return refuse(exchange, tooManyInquiries(own));
    }
    return andThen(limiter.look(caller.spender, caller.account.limits), (verdict) => {
      const until = activeUntil(caller.ban, exchange.now);
      exchange.verdict = until === undefined ? verdict : bannedVerdict(verdict, until);
      return perform(exchange, target, caller, verdict);
    });
  }

  function admit(exchange: Exchange, target: Target, caller: Caller): Eventual<Response> {
    if (caller.ban !== undefined) {
      const until = activeUntil(caller.ban, exchange.now);
      if (until !== undefined) return refuseBanned(exchange, caller, until);
    }
    return andThen(limiter.spend(caller.spender, caller.account.limits), (verdict) => {
      exchange.verdict = verdict;
      if (verdict.reached !== undefined) {
        stations.onThreshold(caller, verdict, verdict.reached);
      }
      if (verdict.allowed) {
        exchange.spent = true;
        return perform(exchange, target, caller, verdict);
      }
      if (!verdict.abusive) return refuse(exchange, limitReached(verdict));
      // The ban is on disk before it is announced.
      return stations.ban(caller, exchange.now).then(() => {
        const until = activeUntil(caller.ban, exchange.now);
        return until === undefined
          ? refuse(exchange, limitReached(verdict))
          : refuseBanned(exchange, caller, until);
      });
    });
  }

  function refuseBanned(exchange: Exchange, caller: Caller, until: number): Eventual<Response> {
    return andThen(limiter.look(caller.spender, caller.account.limits), (verdict) => {
      const banned = bannedVerdict(verdict, until);
      exchange.verdict = banned;
      return refuse(exchange, keyBanned(banned));
    });
  }

  /** From scope to action. */
  function perform(
    exchange: Exchange,
    { endpoint, path, search, id }: Target,
    caller: Caller,
    verdict: Verdict,
  ): Eventual<Response> {
    const { request } = exchange;
    if (caller.account.suspendedAt !== undefined) return refuse(exchange, suspended);
    const { scope } = endpoint;
    if (scope !== undefined && !caller.key.scopes.includes(scope)) {
      return refuse(exchange, lacksScope(scope));
    }
    if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
    if (endpoint.body !== undefined) {
      const fault = faultOfContentType(request.headers);
      if (fault !== undefined) return refuse(exchange, fault);
    }
    if (endpoint.deprecation !== undefined && exchange.now >= endpoint.deprecation.sunset) {
      return refuse(exchange, removed);
    }
    if (endpoint.pure) return performPure(exchange, endpoint, caller, verdict, search, id);
    const query = readQuery(search, endpoint.parameters);
    if (!query.ok) return refuse(exchange, query.failure);
    const call = {
      caller,
      query: query.value,
      id,
      request,
      verdict,
      base: exchange.base,
      now: exchange.now,
    };
    if (endpoint.retryable) return performWrite(exchange, endpoint, path, call);
    return andThen(
      endpoint.handle({ ...call, body: undefined, remember: forgetful }, stations),
      (result) => conclude(exchange, result),
    );
  }

  /** A read of the catalogue, kept until the catalogue changes. */
  function performPure(
    exchange: Exchange,
    endpoint: Endpoint,
    caller: Caller,
    verdict: Verdict,
    search: string,
    id: number,
  ): Eventual<Response> {
    const { request, context } = exchange;
    const { catalogueId } = caller.key;
    return andThen(stations.actions.store.catalogues.revision(catalogueId), (revision) => {
      const address = `${catalogueId} ${context.origin ?? ""}${request.url}`;
      const kept = memo.get(address, revision);
      if (kept !== undefined) return succeed(exchange, kept);
      const query = readQuery(search, endpoint.parameters);
      if (!query.ok) return refuse(exchange, query.failure);
      const call: Call = {
        caller,
        query: query.value,
        id,
        request,
        verdict,
        base: exchange.base,
        now: exchange.now,
        body: undefined,
        remember: forgetful,
      };
      return andThen(endpoint.handle(call, stations), (result) => {
        if (!result.ok) return refuse(exchange, result.failure);
        const answer: Answer = {
          ...result.value,
          etag: result.value.etag ?? `W/"${revision.toString(36)}"`,
        };
        memo.set(address, revision, answer);
        return succeed(exchange, answer);
      });
    });
  }

  async function performWrite(
    exchange: Exchange,
    endpoint: Endpoint,
    path: string,
    partial: Omit<Call, "body" | "remember">,
  ): Promise<Response> {
    const { request, now } = exchange;
    let data = NO_BODY;
    let body: unknown;
    if (endpoint.body !== undefined) {
      const read = await stations.bodies.read(request);
      if (!read.ok) return refuse(exchange, read.failure);
      data = read.value;
      const json = readJson(data, endpoint.body);
      if (!json.ok) return refuse(exchange, json.failure);
      body = json.value;
    }
    const header = request.headers.get("idempotency-key");
    if (header === null) {
      const result = await endpoint.handle({ ...partial, body, remember: forgetful }, stations);
      return conclude(exchange, result);
    }
    const key = readIdempotencyKey(header);
    if (!key.ok) return refuse(exchange, key.failure);
    const answerId = {
      catalogueId: partial.caller.key.catalogueId,
      request: `${endpoint.method} ${path}`,
      key: key.value,
    };
    const { result, replayed } = await stations.idempotency.run(
      answerId,
      data,
      now,
      async (remember) => endpoint.handle({ ...partial, body, remember }, stations),
    );
    return conclude(exchange, result, replayed ? REPLAYED : undefined);
  }

  function conclude(
    exchange: Exchange,
    result: Result<Answer, Problem>,
    extra?: Readonly<Record<string, string>>,
  ): Eventual<Response> {
    if (!result.ok) return refuse(exchange, result.failure, extra);
    const { body, etag } = result.value;
    return succeed(
      exchange,
      exchange.request.method === "GET" && body !== undefined && etag === undefined
        ? { ...result.value, etag: bodyEtag(body) }
        : result.value,
      extra,
    );
  }

  function answerDocument(exchange: Exchange): Eventual<Response> {
    const { method } = exchange.request;
    if (method === "OPTIONS") return options(exchange, DOCUMENT_ALLOW);
    if (method !== "GET" && method !== "HEAD") {
      return refuse(exchange, methodNotAllowed(DOCUMENT_ALLOW), { allow: DOCUMENT_ALLOW });
    }
    if (exchange.wanted === "none") return refuse(exchange, notAcceptable);
    const body = stations.document;
    return succeed(exchange, { status: 200, body, etag: bodyEtag(body) });
  }

  function options(exchange: Exchange, allow: string): Response {
    const response = optionsResponse(frameOf(exchange), allow);
    report(exchange, response.status);
    return response;
  }

  function refuseMethod(exchange: Exchange, { allow }: Route): Eventual<Response> {
    return refuse(exchange, methodNotAllowed(allow), { allow });
  }

  function succeed(
    exchange: Exchange,
    answer: Answer,
    extra?: Readonly<Record<string, string>>,
  ): Response {
    const { request } = exchange;
    const reads = request.method === "GET" || request.method === "HEAD";
    const ifNoneMatch =
      reads && answer.etag !== undefined ? request.headers.get("if-none-match") : null;
    const fresh =
      ifNoneMatch !== null && answer.etag !== undefined && isFresh(ifNoneMatch, answer.etag);
    const response = successResponse(frameOf(exchange), answer, {
      fresh,
      extra: withDeprecation(exchange, extra),
    });
    report(exchange, response.status);
    return response;
  }

  /** Our own failures are given back before the headers are written. */
  function refuse(
    exchange: Exchange,
    failure: Problem,
    extra?: Readonly<Record<string, string>>,
  ): Eventual<Response> {
    const { caller, verdict, spent } = exchange;
    const finish = (): Response => {
      const response = problemResponse(frameOf(exchange), failure, {
        asProblem: exchange.wanted === "problem",
        extra: withDeprecation(exchange, extra),
      });
      report(exchange, response.status, failure.code);
      return response;
    };
    if (!spent || caller === undefined || verdict === undefined) return finish();
    if (problems[failure.code].status < 500) return finish();
    exchange.spent = false;
    return andThen(limiter.refund(caller.spender, verdict), () =>
      andThen(limiter.look(caller.spender, caller.account.limits), (after) => {
        exchange.verdict = after;
        return finish();
      }),
    );
  }

  function frameOf(exchange: Exchange): Frame {
    return {
      requestId: exchange.requestId,
      verdict: exchange.verdict ?? addresses.look(addressOf(exchange.context)),
      head: exchange.request.method === "HEAD",
    };
  }

  function withDeprecation(
    { endpoint, base }: Exchange,
    extra: Readonly<Record<string, string>> | undefined,
  ): Record<string, string> | undefined {
    if (endpoint?.deprecation === undefined) return extra;
    return { ...deprecationHeaders(endpoint.deprecation, base), ...extra };
  }

  function report(exchange: Exchange, status: number, code?: ProblemCode): void {
    if (stations.onAnswer === undefined) return;
    const { requestId, endpoint, request, caller, now } = exchange;
    stations.onAnswer({
      requestId,
      operation: endpoint?.operationId ?? "unknown",
      method: request.method,
      status,
      ...(code === undefined ? {} : { code }),
      ...(caller === undefined ? {} : { keyId: caller.key.id }),
      durationMs: clock.now() - now,
    });
  }

  /** The one place where what was thrown becomes an answer that tells the client nothing. */
  function broke(exchange: Exchange, error: unknown): Eventual<Response> {
    const { requestId, endpoint } = exchange;
    const later = error instanceof StoreUnavailable;
    stations.log.error(later ? "the store is unavailable" : "a request broke", error, {
      requestId,
      operation: endpoint?.operationId ?? "unknown",
    });
    try {
      const reply = refuse(exchange, later ? unavailable : internalError);
      return isPromise(reply) ? reply.catch(() => bareFailure(exchange)) : reply;
    } catch {
      // The limiter is what broke: answer without giving back.
      return bareFailure(exchange);
    }
  }

  function bareFailure(exchange: Exchange): Response {
    return problemResponse(frameOf(exchange), internalError, {
      asProblem: exchange.wanted === "problem",
      extra: undefined,
    });
  }

  return (request, context) => {
    const now = clock.now();
    const { headers } = request;
    const exchange: Exchange = {
      request,
      context,
      now,
      requestId: stations.requestId(headers.get("x-request-id"), now),
      wanted: wantedType(headers.get("accept")),
      endpoint: undefined,
      caller: undefined,
      verdict: undefined,
      spent: false,
      base: "",
    };
    try {
      const reply = andThen(stations.ready(), () => answerTo(exchange));
      return isPromise(reply) ? reply.catch((error: unknown) => broke(exchange, error)) : reply;
    } catch (error) {
      return broke(exchange, error);
    }
  };
}

/** Which operation a request is for, and on what. */
interface Target {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly search: string;
  /** 0 when the path has no id, or one that cannot exist. */
  readonly id: number;
}

const DOCUMENT_PATH = "/openapi.json";
const DOCUMENT_ALLOW = "GET, HEAD, OPTIONS";
const NO_BODY: Uint8Array = new Uint8Array();
const REPLAYED: Readonly<Record<string, string>> = { "idempotent-replayed": "true" };

function addressOf({ address }: FetchContext): string | undefined {
  return typeof address === "function" ? address() : address;
}
