import { httpTime } from "../base/clock.ts";
import { crc32 } from "../base/digest.ts";
import type { Problem } from "../base/problem.ts";
import type { Answer, Deprecation } from "./endpoint.ts";
import type { Gzipped } from "./gzip.ts";
import { ReadyHeaders } from "./ready-headers.ts";
import { JSON_TYPE, refusalResponse, respond, type Frame, type HeaderFields } from "./respond.ts";

/** The headers that a page in a browser may read (Fetch, CORS protocol): all that are documented. */
const EXPOSED =
  "ETag, Link, Location, Retry-After, X-Total-Count, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Deprecation, Sunset, Idempotent-Replayed, WWW-Authenticate, Allow";

const common: HeaderFields = {
  vary: "Authorization, Accept, Accept-Encoding",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
};
const cacheable: HeaderFields = { ...common, "cache-control": "private, no-cache" };
const withoutBody = new ReadyHeaders(cacheable);
const withJson = new ReadyHeaders({ ...cacheable, "content-type": JSON_TYPE });
const refusing = new ReadyHeaders({ ...common, "cache-control": "no-store" });

/** An answer whose headers may be ready: that is worth it from its second time on. */
export interface KeptAnswer extends Answer {
  readonly ready?: ReadyHeaders;
  /** The body once more, for one so large that a copy for each request would be dear. */
  readonly blob?: Blob;
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
  {
    fresh,
    gzip,
    extra,
  }: {
    readonly fresh: boolean;
    readonly gzip?: Gzipped;
    readonly extra: HeaderFields | undefined;
  },
): Response {
  const { status, blob, body: plain, ready } = answer;
  const body = gzip?.body ?? blob ?? plain;
  const encoding = gzip?.headers;
  if (fresh) return respond(frame, withoutBody, 304, undefined, ownHeaders(answer), extra);
  if (ready !== undefined) return respond(frame, ready, status, body, encoding, extra);
  const bare = body === undefined ? withoutBody : withJson;
  return respond(frame, bare, status, body, ownHeaders(answer), encoding, extra);
}

/** A refusal, as pages of any origin may read it. */
export function problemResponse(
  frame: Frame,
  failure: Problem,
  how: { readonly asProblem: boolean; readonly extra: HeaderFields | undefined },
): Response {
  return refusalResponse(frame, refusing, failure, how);
}

/** 204 to OPTIONS, with what a CORS preflight asks for. */
export function optionsResponse(frame: Frame, allow: string): Response {
  return respond(frame, withoutBody, 204, undefined, {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers":
      "Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, X-Request-Id",
    "access-control-max-age": "7200",
  });
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
