import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Random } from "../base/id.ts";
import { backoffMs } from "./backoff.ts";
import { failureOf, PetstoreError, PetstoreUnreachable, type Reply } from "./failure.ts";
import type { Pace } from "./pace.ts";

/** One thing asked of the service, however many attempts it takes. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Costs nothing, so it does not wait for its turn. */
  readonly free?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Resolves with a 2xx, rejects with `PetstoreError`, `PetstoreUnreachable` or the reason of the signal. */
export type Send = (call: Call) => Promise<Reply>;

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

/** Sends calls, and sends them again where that can help and cannot harm. */
export function sender(options: SendOptions): Send {
  const { clock, random, pace, attempts, maxWaitMs } = options;

  const tryOnce = async (call: Call, init: RequestInit): Promise<Reply | PetstoreUnreachable> => {
    if (call.free !== true) await pace.enter(call.signal);
    let reply: Reply | undefined;
    try {
      reply = await exchange(call, init, options);
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
    // True once an attempt may have had its effect unseen.
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

// Every call can be repeated: GET and DELETE by nature, POST and PATCH because they carry an idempotency key.
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isWorthRepeating(failure: PetstoreError | PetstoreUnreachable): boolean {
  if (failure instanceof PetstoreUnreachable) return true;
  return PASSING.has(failure.status) || failure.code === "idempotency_in_progress";
}

/** What all attempts at a call share. Throws TypeError for what cannot be sent. */
function initOf({ method, body, headers }: Call, apiKey: string): RequestInit {
  return {
    method,
    headers: new Headers({
      ...headers,
      accept: "application/json",
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    }),
    body: body === undefined ? null : JSON.stringify(body),
    // A redirect could carry the key elsewhere; the service sends none.
    redirect: "manual",
  };
}

/** One request and its whole answer, within the time for it. */
async function exchange(
  { url, signal }: Call,
  init: RequestInit,
  { fetch, clock, timeoutMs }: SendOptions,
): Promise<Reply> {
  const stop = new AbortController();
  const over = new AbortController();
  const abort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  clock.sleep(timeoutMs, over.signal).then(
    () => stop.abort(new Error(`No answer came within ${timeoutMs} ms.`)),
    () => undefined,
  );
  const request = new Request(url, { ...init, signal: stop.signal });
  const work = async (): Promise<Reply> => {
    const response = await fetch(request);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  // Not every `fetch` that one can be given heeds the signal.
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
