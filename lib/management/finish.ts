import { bodyEtag } from "../http/answer.ts";
import type { Eventual } from "../base/eventual.ts";
import { isFresh } from "../http/conditional.ts";
import { gzipOf } from "../http/gzip.ts";
import { addressOf } from "../http/exchange.ts";
import { ReadyHeaders } from "../http/ready-headers.ts";
import { JSON_TYPE, refusalResponse, respond, type Frame } from "../http/respond.ts";
import type { Problem } from "../base/problem.ts";
import type { ManagementAnswer } from "./endpoint.ts";
import type { Exchange, ManagementDocument } from "./exchange.ts";
import { toWire } from "./wire.ts";

// No CORS: pages of strangers have no business here.
const common = {
  vary: "Authorization, Cookie, Accept, Accept-Encoding",
  "x-content-type-options": "nosniff",
};
const cacheable = { ...common, "cache-control": "private, no-cache" };
const withoutBody = new ReadyHeaders(cacheable);
const withJson = new ReadyHeaders({ ...cacheable, "content-type": JSON_TYPE });
const streaming = new ReadyHeaders({
  ...common,
  "cache-control": "no-store",
  "content-type": "text/event-stream; charset=utf-8",
  // Some proxies would hold events back until there are many.
  "x-accel-buffering": "no",
});
const refusing = new ReadyHeaders({ ...common, "cache-control": "no-store" });

/** The end of a request that went well. */
export function succeed(exchange: Exchange, answer: ManagementAnswer): Response {
  const { status, value, stream, etag } = answer;
  const headers = etag === undefined ? answer.headers : { ...answer.headers, etag };
  const frame = frameOf(exchange);
  if (stream !== undefined) {
    // Whoever asks for the head alone reads nothing, so whatever feeds the stream must hear that it is over.
    if (frame.head) void stream.cancel().catch(() => undefined);
    return respond(frame, streaming, status, frame.head ? undefined : stream, headers);
  }
  if (value === undefined) return respond(frame, withoutBody, status, undefined, headers);
  const body = JSON.stringify(toWire(value));
  return exchange.endpoint?.method === "GET"
    ? tellText(exchange, { body, etag: etag ?? bodyEtag(body) }, headers)
    : respond(frame, withJson, status, body, headers);
}

/** The end of a read: the text, or that the client has it already (RFC 9110 §15.4.5). */
function tellText(
  exchange: Exchange,
  { body, blob, etag }: ManagementDocument,
  headers?: ManagementAnswer["headers"],
): Response {
  const frame = frameOf(exchange);
  const ifNoneMatch = exchange.request.headers.get("if-none-match");
  const fields = { ...headers, etag };
  return ifNoneMatch !== null && isFresh(ifNoneMatch, etag)
    ? respond(frame, withoutBody, 304, undefined, fields)
    : respond(frame, withJson, 200, blob ?? body, fields);
}

/**
 * The end of a read of the description, the only answer here that is compressed. Browsers attach cookies to requests of
 * strangers' pages, and the length of a compressed body that holds a secret beside reflected input gives the secret away
 * (BREACH).
 */
export function tellDocument(exchange: Exchange, document: ManagementDocument): Eventual<Response> {
  const plain = tellText(exchange, document);
  const gzip = plain.status === 200 ? gzipOf(document, exchange.request) : undefined;
  if (gzip === undefined) return plain;
  return gzip.then(({ body, headers }) => respond(frameOf(exchange), withJson, 200, body, headers));
}

/** The end of a request that is refused. */
export function refuse(
  exchange: Exchange,
  failure: Problem,
  extra?: ManagementAnswer["headers"],
): Response {
  const asProblem = exchange.wanted === "problem";
  return refusalResponse(frameOf(exchange), refusing, failure, { asProblem, extra });
}

/** The end of an OPTIONS request. */
export function tellOptions(exchange: Exchange, allow: string): Response {
  return respond(frameOf(exchange), withoutBody, 204, undefined, { allow });
}

function frameOf({ requestId, verdict, request, context, stations }: Exchange): Frame {
  return {
    requestId,
    verdict: verdict ?? stations.addresses.look(addressOf(context)),
    head: request.method === "HEAD",
  };
}
