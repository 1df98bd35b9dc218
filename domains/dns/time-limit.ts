import type { Clock } from "../../lib/base/clock.ts";

/** What `limited` gives when the time was over first. */
export const TIMED_OUT: unique symbol = Symbol("timed out");

/**
 * Runs something for at most `ms`. What it runs is told by the signal when the time is over or the caller has
 * given up, and must end then. Rejects with the caller's reason when that comes first.
 */
export async function limited<Value>(
  {
    clock,
    ms,
    signal,
  }: { readonly clock: Clock; readonly ms: number; readonly signal?: AbortSignal },
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | typeof TIMED_OUT> {
  signal?.throwIfAborted();
  if (ms <= 0) return TIMED_OUT;
  const stop = new AbortController();
  const giveUp = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  const over = clock.sleep(ms, stop.signal).then(
    () => stop.abort(TIMED_OUT),
    // Stopped, because what ran has ended or the caller has given up.
    () => undefined,
  );
  try {
    return await run(stop.signal);
  } catch (error) {
    if (error === TIMED_OUT) return TIMED_OUT;
    throw error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
    stop.abort();
    await over;
  }
}
