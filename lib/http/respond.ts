import { utf8 } from "../base/digest.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import type { LimitStatus } from "../model/window.ts";
import {
  JSON_TYPE,
  ownHeaders,
  type HeaderFields,
  type KeptAnswer,
  type ReadyHeaders,
} from "./answer.ts";
import { httpTime, SECOND_MS } from "../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import { isFresh } from "./conditional.ts";
import { addressOf, baseOf, type Exchange } from "./exchange.ts";
import { gzipOf, type Gzipped } from "./gzip.ts";

/** The parts of a response that depend on its request. */
interface Frame {
  readonly requestId: string;
  readonly verdict: LimitStatus;
  readonly head: boolean;
}

/** Returns a response with the shared headers and `fields`. HEAD gets only the length of the body. */
export function respond(
  frame: Frame,
  ready: ReadyHeaders,
  status: number,
  body?: string | Blob | ReadableStream<Uint8Array>,
  ...fields: readonly (HeaderFields | undefined)[]
): Response {
  if (!frame.head || body === undefined) {
    return ready.response(body ?? null, status, frame, fields);
  }
  const size = sizeOf(body);
  const length = size === undefined ? undefined : { "content-length": String(size) };
  return ready.response(null, status, frame, [length, ...fields]);
}

function sizeOf(body: string | Blob | ReadableStream<Uint8Array>): number | undefined {
  if (typeof body === "string") return utf8(body).length;
  return body instanceof Blob ? body.size : undefined;
}

/** Returns a refusal: the Error body, or problem details (RFC 9457) for clients that prefer them. */
function refusalResponse(
  frame: Frame,
  ready: ReadyHeaders,
  { code, message, errors, retryAfterSeconds, scope }: Problem,
  { asProblem, extra }: { readonly asProblem: boolean; readonly extra: HeaderFields | undefined },
): Response {
  const { status, title } = problems[code];
  const shown = errors === undefined || status !== 400 ? {} : { errors };
  const body = asProblem
    ? {
        type: `urn:petstore:problem:${code}`,
        title,
        detail: message,
        instance: `urn:petstore:request:${frame.requestId}`,
        code,
        message,
        status,
        ...shown,
      }
    : { code, message, status, ...shown };
  const challenge = challengeOf(code, status, scope);
  const fields = {
    "content-type": asProblem ? "application/problem+json; charset=utf-8" : JSON_TYPE,
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
  };
  return respond(frame, ready, status, JSON.stringify(body), fields, extra);
}

/** Returns the value of `WWW-Authenticate` (RFC 6750 §3). */
function challengeOf(
  code: ProblemCode,
  status: number,
  scope: string | undefined,
): string | undefined {
  const realm = 'Bearer realm="petstore"';
  if (scope !== undefined) return `${realm}, error="insufficient_scope", scope="${scope}"`;
  if (status !== 401) return undefined;
  return withoutToken.includes(code) ? realm : `${realm}, error="invalid_token"`;
}

/** Refusals of requests without a bearer token. */
const withoutToken: readonly ProblemCode[] = [
  "missing_api_key",
  "missing_token",
  "invalid_credentials",
  "invalid_session",
  "invalid_passkey",
];

/** Sends the answer to a successful request: plain, compressed, or 304 if the client has it (RFC 9110 §15.4.5). */
export function succeed(
  exchange: Exchange,
  answer: KeptAnswer,
  extra?: HeaderFields,
  compresses: boolean = exchange.style.compresses,
): Eventual<Response> {
  const { request } = exchange;
  const { etag } = answer;
  const reads = request.method === "GET" || request.method === "HEAD";
  const ifNoneMatch = reads && etag !== undefined ? request.headers.get("if-none-match") : null;
  const fresh = ifNoneMatch !== null && etag !== undefined && isFresh(ifNoneMatch, etag);
  const gzip = fresh || !compresses ? undefined : gzipOf(answer, request);
  if (gzip === undefined) return sent(exchange, answer, { fresh, extra });
  return gzip.then((made) => sent(exchange, answer, { fresh, gzip: made, extra }));
}

function sent(
  exchange: Exchange,
  answer: KeptAnswer,
  how: {
    readonly fresh: boolean;
    readonly gzip?: Gzipped;
    readonly extra: HeaderFields | undefined;
  },
): Eventual<Response> {
  const frame = frameOf(exchange);
  return isPromise(frame)
    ? frame.then((known) => reported(exchange, successResponse(exchange, known, answer, how)))
    : reported(exchange, successResponse(exchange, frame, answer, how));
}

function reported(exchange: Exchange, response: Response): Response {
  exchange.stations.report?.(exchange, response.status);
  return response;
}

function successResponse(
  exchange: Exchange,
  frame: Frame,
  answer: KeptAnswer,
  { fresh, gzip, extra }: Parameters<typeof sent>[2],
): Response {
  const { withoutBody, withJson } = exchange.style;
  const more = withDeprecation(exchange, extra);
  const { status, blob, body: plain, ready } = answer;
  if (fresh) return respond(frame, withoutBody, 304, undefined, ownHeaders(answer), more);
  const body = gzip?.body ?? blob ?? plain;
  const encoding = gzip?.headers;
  if (ready !== undefined) return respond(frame, ready, status, body, encoding, more);
  const bare = body === undefined ? withoutBody : withJson;
  return respond(frame, bare, status, body, ownHeaders(answer), encoding, more);
}

/** Sends a refusal. A failure of the service is refunded before the headers are written. */
export function refuse(
  exchange: Exchange,
  failure: Problem,
  extra?: HeaderFields,
): Eventual<Response> {
  const { caller, spent, stations } = exchange;
  const finish = (): Eventual<Response> =>
    andThen(frameOf(exchange), (frame) => {
      const response = refusalResponse(frame, exchange.style.refusing, failure, {
        asProblem: exchange.wanted === "problem",
        extra: withDeprecation(exchange, extra),
      });
      stations.report?.(exchange, response.status, failure.code);
      return response;
    });
  const ours = problems[failure.code].status >= 500;
  if (!ours || spent === undefined || caller === undefined || stations.refund === undefined) {
    return finish();
  }
  exchange.spent = undefined;
  return andThen(stations.refund(caller, spent), (after) => {
    exchange.verdict = after;
    return finish();
  });
}

/** Sends 204 to an OPTIONS request. */
export function allowMethods(exchange: Exchange, allow: string): Eventual<Response> {
  const { withoutBody, preflight } = exchange.style;
  const fields = { allow, ...preflight(allow) };
  return andThen(frameOf(exchange), (frame) =>
    reported(exchange, respond(frame, withoutBody, 204, undefined, fields)),
  );
}

export function frameOf(exchange: Exchange): Eventual<Frame> {
  const { requestId, verdict, request, stations } = exchange;
  const head = request.method === "HEAD";
  if (verdict !== undefined) return { requestId, verdict, head };
  return andThen(stations.addresses.peek(addressOf(exchange)), (seen) => ({
    requestId,
    verdict: seen,
    head,
  }));
}

/** Adds the headers of a deprecated operation (RFC 9745, RFC 8594, RFC 8288). */
function withDeprecation(
  exchange: Exchange,
  extra: HeaderFields | undefined,
): HeaderFields | undefined {
  const deprecation = exchange.endpoint?.deprecation;
  if (deprecation === undefined) return extra;
  const { deprecatedAt, sunsetAt, successor } = deprecation;
  return {
    deprecation: `@${deprecatedAt / SECOND_MS}`,
    sunset: httpTime(sunsetAt),
    link: `<${baseOf(exchange)}${successor}>; rel="successor-version"`,
    ...extra,
  };
}
