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

/** The gate for all requests of a client. */
export interface Pace {
  /** Resolves when a request may be sent; call `leave` after it. Rejects if the wait would be too long. */
  enter(signal?: AbortSignal): Promise<void>;
  /** Records the response, or its absence. */
  leave(reply: CompleteResponse | undefined): void;
}

/**
 * Creates a gate. It admits as many requests as the last responses reported as remaining, and none while a window is empty or
 * after a 429. While the limits are unknown, at first and after each such wait, it admits one request, and the others wait
 * for its response.
 */
export function createPace({ clock, maxWaitMs, ahead }: PaceOptions): Pace {
  const queue = new Set<() => void>();
  let room = 1;
  let inFlight = 0;
  let seen: Numbers | undefined;
  let closed: { readonly until: number; readonly failure: PetstoreError } | undefined;

  const close = (waitMs: number, failure: PetstoreError): void => {
    const until = clock.now() + waitMs;
    if (until > (closed?.until ?? 0)) closed = { until, failure };
  };

  const note = (numbers: Numbers): void => {
    if (numbers.remaining === 0 && ahead) {
      const code = numbers.waitMs > MINUTE_MS ? "quota_exceeded" : "rate_limited";
      const failure = new PetstoreError({ code, message: "The limit is reached.", status: 429 });
      close(numbers.waitMs, failure);
    }
    // Within a window the number only falls: a higher one is from a delayed response.
    const remaining =
      seen?.reset === numbers.reset
        ? Math.min(seen.remaining, numbers.remaining)
        : numbers.remaining;
    seen = { ...numbers, remaining };
    // Requests in flight may not be counted yet.
    room = Math.max(0, remaining - inFlight);
  };

  /** Resolves when the gate may have room; first come, first served. */
  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        queue.delete(end);
        signal?.removeEventListener("abort", end);
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      };
      queue.add(end);
      signal?.addEventListener("abort", end, { once: true });
      if (signal?.aborted) end();
    });

  return {
    enter: async (signal) => {
      for (;;) {
        if (closed !== undefined) {
          const { until, failure } = closed;
          const waitMs = until - clock.now();
          if (waitMs > maxWaitMs) throw withWait(failure, waitMs);
          if (waitMs > 0) {
            await clock.sleep(waitMs, signal);
            continue;
          }
          closed = undefined;
          seen = undefined;
          room = 1;
        }
        if (room > 0 || !ahead) {
          room--;
          inFlight++;
          return;
        }
        await turn(signal);
      }
    },
    leave: (reply) => {
      inFlight--;
      const numbers = reply && numbersIn(reply.headers, clock);
      if (reply?.status === 429) {
        const failure = failureOf(reply);
        const { retryAfterSeconds: seconds } = failure;
        close(
          seconds === undefined ? (numbers?.waitMs ?? SECOND_MS) : seconds * SECOND_MS,
          failure,
        );
      } else if (numbers !== undefined) {
        note(numbers);
      }
      // No request is in flight that could report the limits, so one is admitted.
      if (inFlight === 0 && room <= 0) room = 1;
      let awake = closed === undefined ? room : Infinity;
      for (const wake of queue) {
        if (awake-- <= 0) break;
        wake();
      }
    },
  };
}

/** Returns the failure that closed the gate, with the remaining time. */
function withWait(failure: PetstoreError, waitMs: number): PetstoreError {
  const { code, message, status, requestId } = failure;
  const retryAfterSeconds = Math.ceil(waitMs / SECOND_MS);
  return new PetstoreError({ code, message, status, requestId, retryAfterSeconds });
}

/** A window without requests left. */
const EMPTY_WINDOW = /"\w+";r=0;t=(\d+)/g;
const NUMBER = /^\d{1,15}$/;

function numbersIn(headers: Headers, clock: Clock): Numbers | undefined {
  const remaining = headers.get("x-ratelimit-remaining") ?? "";
  const reset = headers.get("x-ratelimit-reset") ?? "";
  // A proxy may have written them. With a limit that is no number, requests would wait without an end.
  if (!NUMBER.test(remaining) || !NUMBER.test(reset)) return undefined;
  // `RateLimit` contains relative times, so the clocks need not agree.
  const waits = [...(headers.get("ratelimit") ?? "").matchAll(EMPTY_WINDOW)].map(
    ([, seconds]) => Number(seconds) * SECOND_MS,
  );
  const byClock = Number(reset) * SECOND_MS - clock.now();
  return {
    remaining: Number(remaining),
    reset,
    waitMs: waits.length > 0 ? Math.max(...waits) : Math.max(SECOND_MS, byClock),
  };
}
