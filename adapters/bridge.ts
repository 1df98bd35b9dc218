import { problems, type ProblemCode } from "../lib/base/problem.ts";
import type { FetchContext } from "../lib/index.ts";
import type { Service } from "./mount.ts";
import {
  addressOf,
  BodyLost,
  hostsIn,
  toRequest,
  type NodeRequest,
  type BodyFacts,
} from "./node-request.ts";
import { clientGone, sendResponse, type NodeResponse, type Outflow } from "./node-response.ts";

/** One exchange as a framework on `node:http` sees it. */
export interface Exchange extends BodyFacts {
  readonly message: NodeRequest;
  readonly target: NodeResponse;
  /** Path and query as the client sent them. */
  readonly path: string;
  readonly scheme: string;
  readonly host: string;
  readonly context: FetchContext;
  /** Told what was thrown while answering; the client gets a 500, or a connection that is cut. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Default: the answer is read as fast as the client takes it, and no bound is kept. */
  readonly flow?: Outflow | undefined;
}

/** Lets `service` answer the exchange. Always ends the response, and never rejects. */
export async function answer(service: Pick<Service, "fetch">, exchange: Exchange): Promise<void> {
  const { target, flow } = exchange;
  const gone = clientGone(target);
  // The client left while its request was queued.
  if (flow !== undefined && gone.aborted) return;
  try {
    await sendResponse(await responseTo(service, exchange, gone), target, gone, flow);
  } catch (error) {
    exchange.onError?.(error);
  }
}

/** The answer of `service`, or a refusal when the message cannot be shown to it. Never rejects. */
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
    const request = toRequest(exchange.message, url, exchange, signal);
    return await service.fetch(request, exchange.context);
  } catch (error) {
    // Who has left is why it failed, and misses nothing.
    if (!signal.aborted) exchange.onError?.(error);
    return refusal(
      "internal_error",
      error instanceof BodyLost ? error.message : "Something broke on our side.",
    );
  }
}

/** For what is refused before a service sees it. */
export function refusal(code: ProblemCode, message: string): Response {
  const { status } = problems[code];
  return new Response(JSON.stringify({ code, message, status }), {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
  });
}
