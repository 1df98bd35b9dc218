import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Random } from "../base/id.ts";
import { backoffMs } from "./backoff.ts";
import {
  failureOf,
  isMissing,
  PetstoreError,
  PetstoreUnreachable,
  type CompleteResponse,
} from "./failure.ts";
import type { Pace } from "./pace.ts";

/** A request to the service, for all its attempts. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its response is a list. */
  readonly list?: true;
  /** Costs nothing, so it does not wait for the limits. */
  readonly free?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves with a 2xx response; rejects with `PetstoreError`, `PetstoreUnreachable` or the reason of the signal. */
export type Send = (call: SentRequest) => Promise<CompleteResponse>;

export interface SendOptions {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Empty: none. */
  readonly apiKey: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly pace: Pace;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly maxWaitMs: number;
  /** Ends the messages of failures that a wrong `baseUrl` can cause. */
  readonly hint: string;
}

/** Creates the function that sends requests. It retries where that can help and does no harm. */
export function sender(options: SendOptions): Send {
  const { clock, random, pace, attempts, maxWaitMs } = options;
  let { hint } = options;

  const tryOnce = async (
    call: SentRequest,
    init: RequestInit,
  ): Promise<CompleteResponse | PetstoreUnreachable> => {
    const gate = call.free === true ? undefined : pace;
    await gate?.enter(call.signal);
    let reply: CompleteResponse | undefined;
    try {
      call.signal?.throwIfAborted();
      reply = await sendOnce(call, init, options);
      return reply;
    } catch (cause) {
      call.signal?.throwIfAborted();
      return new PetstoreUnreachable(`The service could not be reached.${hint}`, { cause });
    } finally {
      gate?.leave(reply);
    }
  };

  return async (call) => {
    const init = initOf(call, options.apiKey);
    // True after an attempt that may have taken effect without a response.
    let uncertain = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(call, init);
      const reply = outcome instanceof Error ? undefined : outcome;
      if (reply !== undefined && isSuccess(call, reply)) {
        // The address is right.
        hint = "";
        return reply;
      }
      const failure = outcome instanceof Error ? outcome : failureOf(outcome, hint);
      if (uncertain && call.method === "DELETE" && reply && isMissing(failure)) {
        return { ...reply, status: 204, text: "" };
      }
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

/** Returns whether it is a success of the service, and not a page that some hosts send for any address. */
function isSuccess({ list }: SentRequest, { status, headers, text }: CompleteResponse): boolean {
  if (status < 200 || status > 299) return false;
  if (list === true) return text.startsWith("[");
  return text === "" ? status === 204 : String(headers.get("content-type")).includes("json");
}

// All requests can be repeated: GET and DELETE are idempotent; POST, PUT and PATCH have an idempotency key.
const PASSING: readonly number[] = [429, 502, 503, 504];

function isWorthRepeating(failure: PetstoreError | PetstoreUnreachable): boolean {
  return (
    failure instanceof PetstoreUnreachable ||
    PASSING.includes(failure.status) ||
    failure.code === "idempotency_in_progress"
  );
}

/** Returns the part that all attempts share. Throws TypeError for invalid headers or bodies. */
function initOf({ method, body, headers }: SentRequest, apiKey: string): RequestInit {
  return {
    method,
    headers: new Headers({
      ...headers,
      accept: "application/json",
      ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
      // Without it, SvelteKit and Astro take a DELETE or a POST without a body for a form of another site.
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
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
  const abort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  // Ends the wait even for a `fetch` that ignores the signal.
  const limit = async (): Promise<never> => {
    await clock.sleep(timeoutMs, stop.signal);
    throw new Error(`No response arrived within ${timeoutMs} ms.`);
  };
  const work = async (): Promise<CompleteResponse> => {
    const response = await fetch(new Request(url, { ...init, signal: stop.signal }));
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  };
  try {
    return await Promise.race([work(), limit()]);
  } finally {
    stop.abort();
    signal?.removeEventListener("abort", abort);
  }
}
