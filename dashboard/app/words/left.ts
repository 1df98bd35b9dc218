import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";

/** `0:14`, `12:03`, `7:00:59`: what is left of a time, in whole seconds that have begun. */
export function left(ms: number): string {
  const rest = Math.max(0, Math.ceil(ms / SECOND_MS) * SECOND_MS);
  const hours = Math.floor(rest / HOUR_MS);
  const minutes = Math.floor((rest % HOUR_MS) / MINUTE_MS);
  const seconds = two((rest % MINUTE_MS) / SECOND_MS);
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${two(minutes)}:${seconds}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
