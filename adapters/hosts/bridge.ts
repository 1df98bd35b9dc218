import { isolated } from "../../lib/base/hook.ts";
import { problems, type ProblemCode } from "../../lib/base/problem.ts";
import type { FetchContext } from "../../lib/index.ts";
import type { Service } from "./mount.ts";
import {
  addressOf,
  BodyLost,
  hostsIn,
  isCut,
  readInTurn,
  toRequest,
  type NodeRequest,
  type BodyFacts,
} from "./node-request.ts";
import {
  disconnectSignal,
  sendResponse,
  type NodeResponse,
  type Outflow,
} from "./node-response.ts";

/** A request and its response, as a framework on `node:http` has them. */
export interface Exchange extends BodyFacts {
  readonly message: NodeRequest;
  readonly target: NodeResponse;
  /** The path and query that the client sent. */
  readonly path: string;
  readonly scheme: string;
  readonly host: string;
  readonly context: FetchContext;
  /** Called with errors during a response. The client gets a 500, or its connection is cut. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Default: reads the body as fast as the client does, without a bound on memory. */
  readonly flow?: Outflow | undefined;
}

/** Answers a request with `service`. Always ends the response and never rejects. */
export async function answer(service: Pick<Service, "fetch">, exchange: Exchange): Promise<void> {
  const { target, flow, message } = exchange;
  const disconnected = disconnectSignal(target);
  // The TLS front reads in turns of its own.
  if (flow === undefined) readInTurn(message, target);
  // The client disconnected while its request was queued.
  if (flow !== undefined && disconnected.aborted) return;
  try {
    await sendResponse(
      await responseTo(service, exchange, disconnected),
      target,
      disconnected,
      flow,
    );
  } catch (error) {
    reportTo(exchange.onError, error);
  }
}

/** Nothing that the host does with an error affects the response. */
function reportTo(onError: Exchange["onError"], error: unknown): void {
  if (onError !== undefined) isolated(onError, () => undefined)(error);
}

/** Returns the response of `service`, or a refusal when the message is not a valid request. Never rejects. */
export async function responseTo(
  service: Pick<Service, "fetch">,
  exchange: Omit<Exchange, "target">,
  signal: AbortSignal,
): Promise<Response> {
  const url = addressOf(exchange.scheme, exchange.host, exchange.path);
  if (hostsIn(exchange.message.rawHeaders) > 1) {
    return refusal("invalid_value", "The request has more than one Host header. Send one.");
  }
  if (url === undefined) return refusal("invalid_value", "The Host header is not a host name.");
  try {
    const { message } = exchange;
    // Bytes of the same packet that follow the request are parsed before the next turn.
    if (message.method !== "GET" && message.method !== "HEAD") {
      await Promise.resolve();
      if (isCut(message)) return refusal("invalid_value", "The client has disconnected.");
    }
    const request = toRequest(message, url, exchange, signal);
    return await service.fetch(request, exchange.context);
  } catch (error) {
    // It failed because the client disconnected.
    if (!signal.aborted) reportTo(exchange.onError, error);
    return refusal(
      "internal_error",
      error instanceof BodyLost ? error.message : "Something broke on our side.",
    );
  }
}

/** Returns a refusal before the service sees the request. */
export function refusal(code: ProblemCode, message: string): Response {
  const { status } = problems[code];
  return new Response(JSON.stringify({ code, message, status }), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  });
}
