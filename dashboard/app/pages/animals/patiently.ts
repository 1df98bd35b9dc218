import { SECOND_MS } from "../../../../lib/base/clock.ts";
import type { Result } from "../../../../lib/base/result.ts";
import type { Problem } from "../../api.ts";

const DEFAULT_SECONDS = 5;
/** Limits per minute end by then. */
const MAX_SECONDS = 60;

/** Repeats a rate-limited request after the time the service names, until the signal is aborted. */
export async function patiently<Value>(
  signal: AbortSignal,
  request: () => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  for (;;) {
    const result = await request();
    if (result.ok || result.failure.code !== "rate_limited" || signal.aborted) return result;
    const { retryAfterSeconds = DEFAULT_SECONDS } = result.failure;
    await pause(Math.min(retryAfterSeconds, MAX_SECONDS) * SECOND_MS, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        window.clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
