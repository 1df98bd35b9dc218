import { httpTime } from "../base/clock.ts";
import { crc32, utf8 } from "../base/digest.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import type { Verdict } from "../limits/limiter.ts";
import type { Answer, Deprecation } from "./endpoint.ts";
import { limitHeaders } from "./limit-headers.ts";

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

// A Response that copies ready Headers and is given the rest costs half of one made from an object.
const common: HeaderFields = {
  vary: "Authorization, Accept",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
};
const cacheable = new Headers({ ...common, "cache-control": "private, no-cache" });
const refusing = new Headers({ ...common, "cache-control": "no-store" });

/** Writes what differs from answer to answer. */
function finish(response: Response, { requestId, verdict }: Frame): Response {
  const { headers } = response;
  const limits = limitHeaders(verdict);
  headers.set("x-request-id", requestId);
  headers.set("x-ratelimit-limit", limits.limit);
  headers.set("x-ratelimit-remaining", limits.remaining);
  headers.set("x-ratelimit-reset", limits.reset);
  headers.set("ratelimit", limits.rateLimit);
  headers.set("ratelimit-policy", limits.policy);
  return response;
}

function add(headers: Headers, fields: HeaderFields | undefined): void {
  for (const name in fields) headers.set(name, fields[name] ?? "");
}

/** An answer with its own headers ready: what is worth keeping of it. */
export interface ReadyAnswer extends Answer {
  readonly ready: Headers;
}

export function readyAnswer(answer: Answer): ReadyAnswer {
  const ready = new Headers(cacheable);
  if (answer.body !== undefined) ready.set("content-type", JSON_TYPE);
  if (answer.etag !== undefined) ready.set("etag", answer.etag);
  add(ready, answer.headers);
  return { ...answer, ready };
}

/** A success. `fresh` says that the client has it already: 304 (RFC 9110 §15.4.5). */
export function successResponse(
  frame: Frame,
  { status, body, ready }: ReadyAnswer,
  { fresh, extra }: { readonly fresh: boolean; readonly extra: HeaderFields | undefined },
): Response {
  const response = fresh
    ? new Response(null, { status: 304, headers: ready })
    : withBody(frame, status, ready, body);
  if (fresh) response.headers.delete("content-type");
  add(response.headers, extra);
  return finish(response, frame);
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
  const response = withBody(frame, status, refusing, JSON.stringify(body));
  const { headers } = response;
  headers.set("content-type", asProblem ? "application/problem+json; charset=utf-8" : JSON_TYPE);
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  const challenge = challengeOf(code, status, scope);
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  add(headers, extra);
  return finish(response, frame);
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
  const response = new Response(null, { status: 204, headers: cacheable });
  add(response.headers, {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers":
      "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, X-Request-Id",
    "access-control-max-age": "7200",
  });
  return finish(response, frame);
}

function withBody(
  { head }: Frame,
  status: number,
  headers: Headers,
  body: string | undefined,
): Response {
  if (!head || body === undefined) return new Response(body ?? null, { status, headers });
  const response = new Response(null, { status, headers });
  response.headers.set("content-length", String(utf8(body).length));
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
