import { andThen, type Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import { readLargeJson } from "../http/body.ts";
import { faultOfContentType } from "../http/content-type.ts";
import { addressOf, baseOf, originOf } from "../http/exchange.ts";
import { bodyEtag } from "../http/answer.ts";
import { frameOf, refuse, succeed, respond } from "../http/respond.ts";
import { readParameters } from "../http/parameters.ts";
import { ReadyHeaders } from "../http/answer.ts";
import { notAcceptable } from "../http/refusals.ts";
import { EventReply, FileReply, Reply, type Outcome } from "../http/endpoint.ts";
import type { AnonymousCall, ManagementEndpoint } from "./endpoint.ts";
import { signInOf, type ManagementExchange, type ManagementTarget } from "./exchange.ts";
import { wantsEvents } from "./sse.ts";
import { toWire } from "../base/wire.ts";

/** Checks the media types, the query and the body of a request. */
export async function readCall(
  exchange: ManagementExchange,
  { endpoint, parameters, search }: ManagementTarget,
  actor: Actor,
): Promise<Result<AnonymousCall, Problem>> {
  const { request, wanted, now } = exchange;
  const { events, files } = endpoint.success;
  const streams = events !== undefined && wantsEvents(request);
  // Browsers accept images by names that differ.
  if (wanted === "none" && !streams && files === undefined) return refused(notAcceptable);
  const readBody = bodyOf(exchange, endpoint);
  if (!readBody.ok) return readBody;
  const query = readParameters(search, endpoint.parameters);
  if (!query.ok) return query;
  const body = await readBody.value();
  if (!body.ok) return body;
  return done({
    params: parameters,
    query: query.value,
    body: body.value,
    request,
    base: baseOf(exchange),
    visitor: {
      origin: originOf(exchange),
      address: () => addressOf(exchange),
      signIn: signInOf(exchange),
    },
    actor,
    now,
  });
}

/** Checks the `Content-Type` of the body; the result reads the body. */
function bodyOf(
  { request, stations }: ManagementExchange,
  { body: schema, streams, maxBodyBytes }: ManagementEndpoint,
): Result<() => Eventual<Result<unknown, Problem>>, Problem> {
  const { headers } = request;
  const [essence = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  if (streams?.types.includes(essence.trim()) === true) return done(noBody);
  if (schema === undefined) return streams === undefined ? done(noBody) : refused(only(streams));
  const leftOut = isOptional(schema) && headers.get("content-type") === null;
  const fault = leftOut ? undefined : faultOfContentType(headers);
  if (fault !== undefined) return refused(streams === undefined ? fault : only(streams, "json"));
  return done(() =>
    andThen(stations.bodies.read(request, maxBodyBytes), (read) => {
      if (!read.ok) return read;
      if (!leftOut) return readLargeJson(read.value, schema);
      return read.value.length === 0 ? done({}) : refused(untyped);
    }),
  );
}

const noBody = (): Result<undefined, never> => done(undefined);

/** Returns true if a body of this schema may be omitted. */
export function isOptional({
  json: { required },
}: {
  readonly json: Readonly<Record<string, unknown>>;
}): boolean {
  return Array.isArray(required) && required.length === 0;
}

const untyped: Problem = problem(
  "unsupported_media_type",
  "Send the body as application/json in UTF-8.",
);

function only({ types }: { readonly types: readonly string[] }, more?: "json"): Problem {
  const known = more === undefined ? types : [...types, "application/json"];
  return problem("unsupported_media_type", `Send the body as ${known.join(" or ")}.`);
}

const streaming = new ReadyHeaders({
  vary: "Authorization, Cookie, Accept, Accept-Encoding",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-type": "text/event-stream; charset=utf-8",
  // Keeps proxies from buffering events.
  "x-accel-buffering": "no",
});

/** A file never changes at its address, but only its account may see it. */
const asFile = new ReadyHeaders({
  vary: "Authorization, Cookie",
  "x-content-type-options": "nosniff",
  "cache-control": "private, max-age=86400, immutable",
});

/** Sends the outcome of an operation, with instants in RFC 3339. */
export function conclude(
  exchange: ManagementExchange,
  { method, success: { status } }: ManagementEndpoint,
  outcome: Outcome<unknown>,
): Eventual<Response> {
  if (!outcome.ok) return refuse(exchange, outcome.failure);
  const reply = outcome.value;
  if (reply instanceof EventReply) {
    return andThen(frameOf(exchange), (frame) => {
      // The stream of a HEAD request is never read, so its source must be cancelled.
      if (frame.head) void reply.stream.cancel().catch(() => undefined);
      const stream = frame.head ? undefined : reply.stream;
      return respond(frame, streaming, status, stream, reply.headers);
    });
  }
  if (reply instanceof FileReply) {
    const { content, type } = reply;
    return andThen(frameOf(exchange), (frame) =>
      respond(frame, asFile, status, content, { "content-type": type }),
    );
  }
  const { body, headers, etag, given } = entityOf(reply);
  const tag = method === "GET" ? etag : given;
  const answer = {
    status,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(tag === undefined ? {} : { etag: tag }),
  };
  const cookie = reply instanceof Reply ? reply.cookie : undefined;
  return succeed(exchange, answer, cookie === undefined ? undefined : { "set-cookie": cookie });
}

/** Returns the text of a value, and its ETag: the one that its operation `given`, or one made from the text. */
export function entityOf(reply: unknown): {
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string | undefined;
  readonly given: string | undefined;
} {
  const { value, headers, etag: given } = reply instanceof Reply ? reply : new Reply(reply);
  const body = value === undefined ? undefined : JSON.stringify(toWire(value));
  return { body, headers, given, etag: given ?? (body === undefined ? undefined : bodyEtag(body)) };
}
