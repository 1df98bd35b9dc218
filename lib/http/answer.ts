import { httpTime } from "../base/clock.ts";
import { crc32, utf8 } from "../base/digest.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import type { Verdict } from "../limits/limiter.ts";
import type { Answer, Deprecation } from "./endpoint.ts";
import { limitHeaders } from "./limit-headers.ts";
import { ReadyHeaders } from "./ready-headers.ts";

/** The headers that a page in a browser may read (Fetch, CORS protocol): all that are documented. */
const EXPOSED =
  "ETag, Link, Location, Retry-After, X-Total-Count, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, WWW-Authenticate, Allow";

/** What every answer shares. */
export interface Frame {
  readonly requestId: string;
  readonly verdict: Verdict;
  readonly head: boolean;
}

type HeaderFields = Readonly<Record<string, string>>;

const JSON_TYPE = "application/json; charset=utf-8";

const common: HeaderFields = {
  vary: "Authorization, Accept",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
};
const cacheable: HeaderFields = { ...common, "cache-control": "private, no-cache" };
const withoutBody = new ReadyHeaders(cacheable);
const withJson = new ReadyHeaders({ ...cacheable, "content-type": JSON_TYPE });
const refusing = new ReadyHeaders({ ...common, "cache-control": "no-store" });

/** A Response with the headers that all share. A HEAD is told of a body and sent none. */
function respond(
  { requestId, verdict, head }: Frame,
  ready: ReadyHeaders,
  status: number,
  body?: string,
): Response {
  const limits = limitHeaders(verdict);
  const response = new Response(head || body === undefined ? null : body, {
    status,
    headers: ready.under(limits),
  });
  const { headers } = response;
  headers.set("x-request-id", requestId);
  headers.set("x-ratelimit-remaining", limits.remaining);
  headers.set("ratelimit", limits.rateLimit);
  if (head && body !== undefined) headers.set("content-length", String(utf8(body).length));
  return response;
}

function add(headers: Headers, fields: HeaderFields | undefined): void {
  for (const name in fields) headers.set(name, fields[name] ?? "");
}

/** An answer whose headers may be ready: that is worth it from its second time on. */
export interface KeptAnswer extends Answer {
  readonly ready?: ReadyHeaders;
}

/** The same answer with its headers ready. */
export function readyAnswer(answer: KeptAnswer): KeptAnswer {
  if (answer.ready !== undefined) return answer;
  const type = answer.body === undefined ? undefined : { "content-type": JSON_TYPE };
  return { ...answer, ready: new ReadyHeaders({ ...cacheable, ...type, ...ownHeaders(answer) }) };
}

function ownHeaders({ etag, headers }: Answer): HeaderFields {
  return etag === undefined ? { ...headers } : { ...headers, etag };
}

/** A success. `fresh` says that the client has it already: 304 (RFC 9110 §15.4.5). */
export function successResponse(
  frame: Frame,
  answer: KeptAnswer,
  { fresh, extra }: { readonly fresh: boolean; readonly extra: HeaderFields | undefined },
): Response {
  const { status, body, ready } = answer;
  const response = fresh
    ? respond(frame, withoutBody, 304)
    : respond(frame, ready ?? (body === undefined ? withoutBody : withJson), status, body);
  if (fresh || ready === undefined) add(response.headers, ownHeaders(answer));
  add(response.headers, extra);
  return response;
}

/** A refusal: the Error body, or problem details (RFC 9457) for those who prefer them. */
export function problemResponse(
  frame: Frame,
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
  const response = respond(frame, refusing, status, JSON.stringify(body));
  const { headers } = response;
  headers.set("content-type", asProblem ? "application/problem+json; charset=utf-8" : JSON_TYPE);
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  const challenge = challengeOf(code, status, scope);
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  add(headers, extra);
  return response;
}

/** `WWW-Authenticate` (RFC 6750 §3). */
function challengeOf(
  code: ProblemCode,
  status: number,
  scope: string | undefined,
): string | undefined {
  const realm = 'Bearer realm="petstore"';
  if (scope !== undefined) return `${realm}, error="insufficient_scope", scope="${scope}"`;
  if (status !== 401) return undefined;
  return code === "missing_api_key" ? realm : `${realm}, error="invalid_token"`;
}

/** 204 to OPTIONS, with what a CORS preflight asks for. */
export function optionsResponse(frame: Frame, allow: string): Response {
  const response = respond(frame, withoutBody, 204);
  add(response.headers, {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers":
      "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, X-Request-Id",
    "access-control-max-age": "7200",
  });
  return response;
}

/** What an operation says of its end (RFC 9745, RFC 8594, RFC 8288). */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  base: string,
): HeaderFields {
  return {
    deprecation: `@${since}`,
    sunset: httpTime(sunset),
    link: `<${base}${successor}>; rel="successor-version"`,
  };
}

/** Weak: another body almost never has it. */
export function bodyEtag(body: string): string {
  return `W/"${body.length.toString(36)}-${crc32(body).toString(36)}"`;
}
