import type { Clock } from "../../lib/base/clock.ts";

/** What `limited` gives when the time was over first. */
export const TIMED_OUT: unique symbol = Symbol("timed out");

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** Made once: a reason of the runtime's own making costs more than what is stopped. */
const ENDED = new Error("What ran has ended");

/**
 * Runs something for at most `ms`. What it runs is told by the signal when the time is over or the caller has
 * given up, and must reject with its reason then. Rejects with the caller's reason when that comes first.
 */
export async function limited<Value>(
  { clock, ms, signal }: TimeLimit,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof TIMED_OUT> {
  signal?.throwIfAborted();
  if (ms <= 0) return TIMED_OUT;
  const stop = new AbortController();
  // One of its own: a limit around this one may run out as well, and is told apart.
  const timeIsUp = new Error("The time is up");
  const giveUp = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  const over = clock.sleep(ms, stop.signal).then(
    () => stop.abort(timeIsUp),
    // Stopped, because what ran has ended or the caller has given up.
    () => undefined,
  );
  try {
    return await run(stop.signal);
  } catch (error) {
    if (error === timeIsUp) return TIMED_OUT;
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    stop.abort(ENDED);
    await over;
  }
}
