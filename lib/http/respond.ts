import { blobResponse } from "../base/blob-response.ts";
import { crc32, utf8 } from "../base/digest.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import type { LimitStatus } from "../model/window.ts";
import { limitHeaders, ReadyHeaders } from "./ready-headers.ts";

export type HeaderFields = Readonly<Record<string, string>>;

/** The answer to a successful request, before the headers that all answers share. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204;
  /** JSON text; absent with 204. */
  readonly body?: string;
  /** With its quotes. */
  readonly etag?: string;
  /** Such as `Link`, `Location`, `X-Total-Count`. */
  readonly headers?: HeaderFields;
}

/** An answer that is sent more than once, with its headers ready from the second time on. */
export interface KeptAnswer extends Answer {
  readonly ready?: ReadyHeaders;
  /** The body of a large answer, to be shared instead of copied. */
  readonly blob?: Blob;
}

/** The headers of an API's answers. */
export interface Style {
  readonly cacheable: HeaderFields;
  readonly withoutBody: ReadyHeaders;
  readonly withJson: ReadyHeaders;
  readonly refusing: ReadyHeaders;
  /** Sent with 204 to OPTIONS, beside `Allow`. */
  readonly preflight: (allow: string) => HeaderFields;
  /** Compresses every answer, not the document alone. */
  readonly compresses: boolean;
}

export function styleOf({
  common,
  compresses,
  preflight = () => ({}),
}: {
  readonly common: HeaderFields;
  readonly compresses: boolean;
  readonly preflight?: (allow: string) => HeaderFields;
}): Style {
  const cacheable = { ...common, "cache-control": "private, no-cache" };
  return {
    cacheable,
    withoutBody: new ReadyHeaders(cacheable),
    withJson: new ReadyHeaders({ ...cacheable, "content-type": JSON_TYPE }),
    refusing: new ReadyHeaders({ ...common, "cache-control": "no-store" }),
    preflight,
    compresses,
  };
}

/** The same answer with its headers ready. */
export function readyAnswer({ cacheable }: Style, answer: KeptAnswer): KeptAnswer {
  if (answer.ready !== undefined) return answer;
  const type = answer.body === undefined ? undefined : { "content-type": JSON_TYPE };
  return { ...answer, ready: new ReadyHeaders({ ...cacheable, ...type, ...ownHeaders(answer) }) };
}

export function ownHeaders({ etag, headers }: Answer): HeaderFields {
  return etag === undefined ? { ...headers } : { ...headers, etag };
}

/** A weak tag: another body has the same one with a negligible chance. */
export function bodyEtag(body: string): string {
  return `W/"${body.length.toString(36)}-${crc32(body).toString(36)}"`;
}

/** The part of every answer that depends on its request. */
export interface Frame {
  readonly requestId: string;
  readonly verdict: LimitStatus;
  readonly head: boolean;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** A Response with the headers that all answers share, and `fields`. A HEAD gets the length of the body alone. */
export function respond(
  { requestId, verdict, head }: Frame,
  ready: ReadyHeaders,
  status: number,
  body?: string | Blob | ReadableStream<Uint8Array>,
  ...fields: readonly (HeaderFields | undefined)[]
): Response {
  const limits = limitHeaders(verdict);
  const headers = ready.under(limits);
  headers.set("x-request-id", requestId);
  headers.set("x-ratelimit-remaining", limits.remaining);
  headers.set("ratelimit", limits.rateLimit);
  const size = head && body !== undefined ? sizeOf(body) : undefined;
  if (size !== undefined) headers.set("content-length", String(size));
  for (const more of fields) {
    for (const name in more) headers.set(name, more[name] ?? "");
  }
  // Complete before the Response exists: some implementations lose what is written into `response.headers`.
  return blobResponse(head || body === undefined ? null : body, { status, headers });
}

function sizeOf(body: string | Blob | ReadableStream<Uint8Array>): number | undefined {
  if (typeof body === "string") return utf8(body).length;
  return body instanceof Blob ? body.size : undefined;
}

/** A refusal: the Error body, or problem details (RFC 9457) for clients that prefer them. */
export function refusalResponse(
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

/** `WWW-Authenticate` (RFC 6750 §3). */
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
