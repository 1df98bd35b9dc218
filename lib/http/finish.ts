import { andThen, type Eventual } from "../base/eventual.ts";
import { problems, type Problem, type ProblemCode } from "../base/problem.ts";
import {
  deprecationHeaders,
  optionsResponse,
  problemResponse,
  successResponse,
  type KeptAnswer,
} from "./answer.ts";
import { isFresh } from "./conditional.ts";
import { addressOf, baseOf, type Exchange } from "./exchange.ts";
import { gzipOf } from "./gzip.ts";
import type { Frame, HeaderFields } from "./respond.ts";

/** The end of a request that went well. */
export function succeed(
  exchange: Exchange,
  answer: KeptAnswer,
  extra?: HeaderFields,
): Eventual<Response> {
  const { request } = exchange;
  const { etag } = answer;
  const reads = request.method === "GET" || request.method === "HEAD";
  const ifNoneMatch = reads && etag !== undefined ? request.headers.get("if-none-match") : null;
  const fresh = ifNoneMatch !== null && etag !== undefined && isFresh(ifNoneMatch, etag);
  const gzip = fresh ? undefined : gzipOf(answer, request);
  if (gzip === undefined) return sent(exchange, answer, { fresh, extra });
  return gzip.then((made) => sent(exchange, answer, { fresh, gzip: made, extra }));
}

function sent(
  exchange: Exchange,
  answer: KeptAnswer,
  how: Parameters<typeof successResponse>[2],
): Response {
  const extra = withDeprecation(exchange, how.extra);
  const response = successResponse(frameOf(exchange), answer, { ...how, extra });
  report(exchange, response.status);
  return response;
}

/** The end of a request that is refused. Our own failures are given back before the headers are written. */
export function refuse(
  exchange: Exchange,
  failure: Problem,
  extra?: HeaderFields,
): Eventual<Response> {
  const { caller, verdict, spent, stations } = exchange;
  const finish = (): Response => {
    const response = problemResponse(frameOf(exchange), failure, {
      asProblem: exchange.wanted === "problem",
      extra: withDeprecation(exchange, extra),
    });
    report(exchange, response.status, failure.code);
    return response;
  };
  const ours = problems[failure.code].status >= 500;
  if (!ours || !spent || caller === undefined || verdict === undefined) return finish();
  exchange.spent = false;
  return andThen(stations.limiter.refund(caller.spender, verdict), () =>
    andThen(stations.limiter.look(caller.spender, caller.account.limits), (after) => {
      exchange.verdict = after;
      return finish();
    }),
  );
}

/** The end of an OPTIONS request. */
export function tellOptions(exchange: Exchange, allow: string): Response {
  const response = optionsResponse(frameOf(exchange), allow);
  report(exchange, response.status);
  return response;
}

function frameOf({ requestId, verdict, request, context, stations }: Exchange): Frame {
  return {
    requestId,
    verdict: verdict ?? stations.addresses.look(addressOf(context)),
    head: request.method === "HEAD",
  };
}

function withDeprecation(
  exchange: Exchange,
  extra: HeaderFields | undefined,
): HeaderFields | undefined {
  const deprecation = exchange.endpoint?.deprecation;
  if (deprecation === undefined) return extra;
  return { ...deprecationHeaders(deprecation, baseOf(exchange)), ...extra };
}

function report(exchange: Exchange, status: number, code?: ProblemCode): void {
  const { stations, requestId, endpoint, request, caller, now } = exchange;
  const operation = endpoint?.operationId ?? "unknown";
  if (caller !== undefined) stations.usage.count(caller, operation, status, now);
  if (stations.onAnswer === undefined) return;
  stations.onAnswer({
    requestId,
    operation,
    method: request.method,
    status,
    ...(code === undefined ? {} : { code }),
    ...(caller === undefined ? {} : { keyId: caller.key.id }),
    durationMs: stations.clock.now() - now,
  });
}
