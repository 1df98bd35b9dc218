import { MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { failureOf, PetstoreError, type CompleteResponse } from "./failure.ts";

/** The limits that a response reports. */
interface Numbers {
  readonly remaining: number;
  /** Identifies the window of `remaining`. */
  readonly reset: string;
  /** Time until every window has requests left. */
  readonly waitMs: number;
}

export interface PaceOptions {
  readonly clock: Clock;
  /** Longest wait of a request; one that would wait longer is refused at once. */
  readonly maxWaitMs: number;
  /** False: wait only after a 429. */
  readonly ahead: boolean;
}

/**
 * The gate for all requests of a client. It admits as many requests as the last responses reported as remaining, and none
 * while a window is empty or after a 429. While the limits are unknown, at first and after each such wait, it admits one
 * request, and the others wait for its response.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #maxWaitMs: number;
  readonly #ahead: boolean;
  readonly #queue = new Set<() => void>();
  #room = 1;
  #inFlight = 0;
  #seen: Numbers | undefined;
  #closed: { readonly until: number; readonly failure: PetstoreError } | undefined;

  constructor({ clock, maxWaitMs, ahead }: PaceOptions) {
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
    this.#ahead = ahead;
  }

  /** Resolves when a request may be sent; call `leave` after it. Rejects if the wait would be too long. */
  async enter(signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#closed !== undefined) {
        const { until, failure } = this.#closed;
        const waitMs = until - this.#clock.now();
        if (waitMs > this.#maxWaitMs) throw withWait(failure, waitMs);
        if (waitMs > 0) {
          await this.#clock.sleep(waitMs, signal);
          continue;
        }
        this.#closed = undefined;
        this.#seen = undefined;
        this.#room = 1;
      }
      if (this.#room > 0 || !this.#ahead) {
        this.#room--;
        this.#inFlight++;
        return;
      }
      await this.#turn(signal);
    }
  }

  /** Records the response, or its absence. */
  leave(reply: CompleteResponse | undefined): void {
    this.#inFlight--;
    const numbers = reply && numbersIn(reply.headers, this.#clock);
    if (reply?.status === 429) {
      const failure = failureOf(reply);
      const { retryAfterSeconds } = failure;
      const retryMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * SECOND_MS;
      this.#close(retryMs ?? numbers?.waitMs ?? SECOND_MS, failure);
    } else if (numbers !== undefined) {
      this.#note(numbers);
    }
    // No request is in flight that could report the limits, so one is admitted.
    if (this.#inFlight === 0 && this.#room <= 0) this.#room = 1;
    let awake = this.#closed === undefined ? this.#room : Infinity;
    for (const wake of this.#queue) {
      if (awake-- <= 0) break;
      wake();
    }
  }

  #note(numbers: Numbers): void {
    if (numbers.remaining === 0 && this.#ahead) {
      const code = numbers.waitMs > MINUTE_MS ? "quota_exceeded" : "rate_limited";
      const failure = new PetstoreError({ code, message: "The limit is reached.", status: 429 });
      this.#close(numbers.waitMs, failure);
    }
    // Within a window the number only falls: a higher one is from a delayed response.
    const seen = this.#seen;
    const remaining =
      seen?.reset === numbers.reset
        ? Math.min(seen.remaining, numbers.remaining)
        : numbers.remaining;
    this.#seen = { ...numbers, remaining };
    // Requests in flight may not be counted yet.
    this.#room = Math.max(0, remaining - this.#inFlight);
  }

  #close(waitMs: number, failure: PetstoreError): void {
    const until = this.#clock.now() + waitMs;
    if (until > (this.#closed?.until ?? 0)) this.#closed = { until, failure };
  }

  /** Resolves when the gate may have room; first come, first served. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        this.#queue.delete(wake);
        signal?.removeEventListener("abort", abort);
        act();
      };
      const wake = (): void => end(resolve);
      const abort = (): void => end(() => reject(signal?.reason));
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      this.#queue.add(wake);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }
}

/** Returns the failure that closed the gate, with the remaining time. */
function withWait(failure: PetstoreError, waitMs: number): PetstoreError {
  const { code, message, status, requestId } = failure;
  const retryAfterSeconds = Math.ceil(waitMs / SECOND_MS);
  return new PetstoreError({ code, message, status, requestId, retryAfterSeconds });
}

const WINDOW = /"\w+";r=(\d+);t=(\d+)/g;
const NUMBER = /^\d{1,15}$/;

function numbersIn(headers: Headers, clock: Clock): Numbers | undefined {
  const remaining = headers.get("x-ratelimit-remaining") ?? "";
  const reset = headers.get("x-ratelimit-reset") ?? "";
  // A proxy may have written them. With a limit that is no number, requests would wait without an end.
  if (!NUMBER.test(remaining) || !NUMBER.test(reset)) return undefined;
  // `RateLimit` contains relative times, so the clocks need not agree.
  const waits = [...(headers.get("ratelimit") ?? "").matchAll(WINDOW)]
    .filter(([, left]) => left === "0")
    .map(([, , seconds]) => Number(seconds) * SECOND_MS);
  const byClock = Number(reset) * SECOND_MS - clock.now();
  return {
    remaining: Number(remaining),
    reset,
    waitMs: waits.length > 0 ? Math.max(...waits) : Math.max(SECOND_MS, byClock),
  };
}
