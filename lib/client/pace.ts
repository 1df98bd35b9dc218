import { MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { failureOf, PetstoreError, type Reply } from "./failure.ts";

/** What an answer says of the limits. */
interface Numbers {
  readonly remaining: number;
  /** Names the window that `remaining` is of. */
  readonly reset: string;
  /** Until no window is empty. */
  readonly waitMs: number;
}

export interface PaceOptions {
  readonly clock: Clock;
  /** The longest that a request is held back; beyond, it is refused at once. */
  readonly maxWaitMs: number;
  /** False: hold back only after a 429. */
  readonly ahead: boolean;
}

/**
 * The gate that all requests of a client go through. It lets pass what the last answers left room for, and nobody
 * while a window is empty or a 429 asked for patience. While nothing is known, at first and after each
 * such wait, one request goes ahead and the others wait for what it brings.
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

  /** Resolves when a request may go; each must be followed by one `leave`. Rejects when that is too far off. */
  async enter(signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#closed !== undefined) {
        const { until, failure } = this.#closed;
        const waitMs = until - this.#clock.now();
        if (waitMs > this.#maxWaitMs) throw sooner(failure, waitMs);
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

  /** Takes note of the answer, or that there was none. */
  leave(reply: Reply | undefined): void {
    this.#inFlight--;
    const numbers = reply && numbersIn(reply.headers, this.#clock);
    if (reply?.status === 429) {
      const failure = failureOf(reply);
      const { retryAfterSeconds } = failure;
      const toldMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * SECOND_MS;
      this.#close(toldMs ?? numbers?.waitMs ?? SECOND_MS, failure);
    } else if (numbers !== undefined) {
      this.#note(numbers);
    }
    // Nobody is under way who could bring news: one may go and ask.
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
      const failure = new PetstoreError({ code, message: "The limit is spent.", status: 429 });
      this.#close(numbers.waitMs, failure);
    }
    // In one window the number only falls: a higher one is of an answer that was overtaken.
    const seen = this.#seen;
    const remaining =
      seen?.reset === numbers.reset
        ? Math.min(seen.remaining, numbers.remaining)
        : numbers.remaining;
    this.#seen = { ...numbers, remaining };
    // Those under way may not be counted in it yet.
    this.#room = Math.max(0, remaining - this.#inFlight);
  }

  #close(waitMs: number, failure: PetstoreError): void {
    const until = this.#clock.now() + waitMs;
    if (until > (this.#closed?.until ?? 0)) this.#closed = { until, failure };
  }

  /** Resolves when looking again makes sense; first come, first served. */
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

/** The failure that holds everybody back, told anew with the time that is left. */
function sooner(failure: PetstoreError, waitMs: number): PetstoreError {
  const { code, message, status, requestId } = failure;
  const retryAfterSeconds = Math.ceil(waitMs / SECOND_MS);
  return new PetstoreError({ code, message, status, requestId, retryAfterSeconds });
}

const WINDOW = /"\w+";r=(\d+);t=(\d+)/g;

function numbersIn(headers: Headers, clock: Clock): Numbers | undefined {
  const remaining = headers.get("x-ratelimit-remaining");
  const reset = headers.get("x-ratelimit-reset");
  if (remaining === null || reset === null) return undefined;
  // `RateLimit` counts from the server's now: the clocks need not agree.
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
