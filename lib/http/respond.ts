import { blobResponse } from "../base/blob-response.ts";
import { utf8 } from "../base/digest.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import type { Standing } from "../model/window.ts";
import { limitHeaders } from "./limit-headers.ts";
import type { ReadyHeaders } from "./ready-headers.ts";

/** What every answer shares. */
export interface Frame {
  readonly requestId: string;
  readonly verdict: Standing;
  readonly head: boolean;
}

export type HeaderFields = Readonly<Record<string, string>>;

export const JSON_TYPE = "application/json; charset=utf-8";

/** A Response with the headers that all share, and `fields`. A HEAD is told of a body and sent none. */
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

/** A refusal: the Error body, or problem details (RFC 9457) for those who prefer them. */
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

/** Refusals of whoever sent no bearer token at all. */
const withoutToken: readonly ProblemCode[] = [
  "missing_api_key",
  "missing_token",
  "invalid_credentials",
  "invalid_session",
  "invalid_passkey",
];
