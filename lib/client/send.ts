import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Random } from "../base/id.ts";
import { backoffMs } from "./backoff.ts";
import { failureOf, PetstoreError, PetstoreUnreachable, type CompleteResponse } from "./failure.ts";
import type { Pace } from "./pace.ts";

/** A request to the service, for all its attempts. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Costs nothing, so it does not wait for the limits. */
  readonly free?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves with a 2xx response; rejects with `PetstoreError`, `PetstoreUnreachable` or the reason of the signal. */
export type Send = (call: SentRequest) => Promise<CompleteResponse>;

export interface SendOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly pace: Pace;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly maxWaitMs: number;
}

/** Creates the function that sends requests. It retries where that can help and does no harm. */
export function sender(options: SendOptions): Send {
  const { clock, random, pace, attempts, maxWaitMs } = options;

  const tryOnce = async (
    call: SentRequest,
    init: RequestInit,
  ): Promise<CompleteResponse | PetstoreUnreachable> => {
    if (call.free !== true) await pace.enter(call.signal);
    let reply: CompleteResponse | undefined;
    try {
      reply = await sendOnce(call, init, options);
      return reply;
    } catch (cause) {
      call.signal?.throwIfAborted();
      return new PetstoreUnreachable("The service could not be reached.", { cause });
    } finally {
      if (call.free !== true) pace.leave(reply);
    }
  };

  return async (call) => {
    const init = initOf(call, options.apiKey);
    // True after an attempt that may have taken effect without a response.
    let uncertain = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(call, init);
      const reply = outcome instanceof Error ? undefined : outcome;
      if (reply !== undefined && reply.status >= 200 && reply.status < 300) return reply;
      if (uncertain && call.method === "DELETE" && reply?.status === 404) {
        return { ...reply, status: 204, text: "" };
      }
      const failure = outcome instanceof Error ? outcome : failureOf(outcome);
      const retryAfterMs =
        (failure instanceof PetstoreError ? (failure.retryAfterSeconds ?? 0) : 0) * SECOND_MS;
      if (attempt >= attempts || retryAfterMs > maxWaitMs || !isWorthRepeating(failure)) {
        throw failure;
      }
      uncertain ||= failure instanceof PetstoreUnreachable || failure.status !== 429;
      await clock.sleep(retryAfterMs + backoffMs(attempt, random), call.signal);
    }
  };
}

// All requests can be repeated: GET and DELETE are idempotent; POST and PATCH have an idempotency key.
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isWorthRepeating(failure: PetstoreError | PetstoreUnreachable): boolean {
  if (failure instanceof PetstoreUnreachable) return true;
  return PASSING.has(failure.status) || failure.code === "idempotency_in_progress";
}

/** Returns the part that all attempts share. Throws TypeError for invalid headers or bodies. */
function initOf({ method, body, headers }: SentRequest, apiKey: string): RequestInit {
  return {
    method,
    headers: new Headers({
      ...headers,
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    }),
    body: body === undefined ? null : JSON.stringify(body),
    // A redirect could send the key elsewhere; the service never redirects.
    redirect: "manual",
  };
}

/** Sends a request once and reads the whole response within the time limit. */
async function sendOnce(
  { url, signal }: SentRequest,
  init: RequestInit,
  { fetch, clock, timeoutMs }: SendOptions,
): Promise<CompleteResponse> {
  const stop = new AbortController();
  const over = new AbortController();
  const abort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  clock.sleep(timeoutMs, over.signal).then(
    () => stop.abort(new Error(`No response arrived within ${timeoutMs} ms.`)),
    () => undefined,
  );
  const request = new Request(url, { ...init, signal: stop.signal });
  const work = async (): Promise<CompleteResponse> => {
    const response = await fetch(request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  // Some `fetch` functions ignore the signal.
  const stopped = new Promise<never>((_resolve, reject) => {
    const give = (): void => reject(stop.signal.reason);
    if (stop.signal.aborted) give();
    stop.signal.addEventListener("abort", give, { once: true });
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    over.abort();
    signal?.removeEventListener("abort", abort);
  }
}
