import { httpTime } from "../base/clock.ts";
import { crc32 } from "../base/digest.ts";
import { problems, type Problem } from "../base/problem.ts";
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

type HeaderFields = Record<string, string>;

function frameHeaders({ requestId, verdict }: Frame, cacheControl: string): HeaderFields {
  const limits = limitHeaders(verdict);
  return {
    "cache-control": cacheControl,
    vary: "Authorization, Accept",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED,
    "x-request-id": requestId,
    "x-ratelimit-limit": limits.limit,
    "x-ratelimit-remaining": limits.remaining,
    "x-ratelimit-reset": limits.reset,
    ratelimit: limits.rateLimit,
    "ratelimit-policy": limits.policy,
  };
}

const JSON_TYPE = "application/json; charset=utf-8";

/** A success. `fresh` says that the client has it already: 304 (RFC 9110 §15.4.5). */
export function successResponse(
  frame: Frame,
  { status, body, etag, headers: own }: Answer,
  { fresh, extra }: { readonly fresh: boolean; readonly extra: Readonly<HeaderFields> | undefined },
): Response {
  const headers = frameHeaders(frame, "private, no-cache");
  if (etag !== undefined) headers["etag"] = etag;
  if (own !== undefined) Object.assign(headers, own);
  if (extra !== undefined) Object.assign(headers, extra);
  if (fresh) return new Response(null, { status: 304, headers });
  if (body === undefined) return new Response(null, { status, headers });
  headers["content-type"] = JSON_TYPE;
  return withBody(frame, status, headers, body);
}

/** A refusal: the Error body, or problem details (RFC 9457) for those who prefer them. */
export function problemResponse(
  frame: Frame,
  { code, message, errors, retryAfterSeconds, scope }: Problem,
  {
    asProblem,
    extra,
  }: { readonly asProblem: boolean; readonly extra: Readonly<HeaderFields> | undefined },
): Response {
  const { status, title } = problems[code];
  const headers = frameHeaders(frame, "no-store");
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (status === 401) {
    headers["www-authenticate"] =
      code === "missing_api_key"
        ? 'Bearer realm="petstore"'
        : 'Bearer realm="petstore", error="invalid_token"';
  }
  if (scope !== undefined) {
    headers["www-authenticate"] =
      `Bearer realm="petstore", error="insufficient_scope", scope="${scope}"`;
  }
  if (extra !== undefined) Object.assign(headers, extra);
  headers["content-type"] = asProblem ? "application/problem+json; charset=utf-8" : JSON_TYPE;
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
  return withBody(frame, status, headers, JSON.stringify(body));
}

/** 204 to OPTIONS, with what a CORS preflight asks for. */
export function optionsResponse(frame: Frame, allow: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...frameHeaders(frame, "private, no-cache"),
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers":
        "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, X-Request-Id",
      "access-control-max-age": "7200",
    },
  });
}

function withBody(frame: Frame, status: number, headers: HeaderFields, body: string): Response {
  if (!frame.head) return new Response(body, { status, headers });
  headers["content-length"] = String(new TextEncoder().encode(body).length);
  return new Response(null, { status, headers });
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
