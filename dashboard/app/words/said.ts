import type { Problem } from "../../../lib/base/problem.ts";
import { MINUTE_MS, SECOND_MS, systemClock } from "../../../lib/base/clock.ts";
import { relative } from "./format.ts";
import { words } from "./words.ts";

/** A refusal in one sentence of the reader's language; what has no words there, as the service says it. */
export function said({ code, message, retryAfterSeconds }: Problem): string {
  const { common, problems } = words();
  if (code === "rate_limited" && retryAfterSeconds !== undefined) {
    return common.tooOften(away(retryAfterSeconds * SECOND_MS));
  }
  return problems[code] ?? message;
}

/** `in 40 seconds`, `in 14 minutes`: never sooner than it is. */
function away(ms: number): string {
  const now = systemClock.now();
  return relative(now + (ms > MINUTE_MS ? Math.ceil(ms / MINUTE_MS) * MINUTE_MS : ms), now);
}
