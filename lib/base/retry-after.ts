import { httpInstant, SECOND_MS } from "./clock.ts";

/**
 * Returns the wait in a `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3): from 0 to `maxMs`. `theirNow` is the
 * instant by the sender's clock; without it, a date cannot be read. Undefined for an absent or unreadable header, which
 * says nothing about when to retry.
 */
export function retryAfterMs(
  header: string | null | undefined,
  { maxMs, theirNow }: { readonly maxMs: number; readonly theirNow?: number | undefined },
): number | undefined {
  const text = header?.trim() ?? "";
  // More digits than 32 are no wait.
  if (/^\d{1,32}$/.test(text)) return Math.min(Number(text) * SECOND_MS, maxMs);
  const at = httpInstant(text);
  if (at === undefined || theirNow === undefined) return undefined;
  return Math.min(Math.max(0, at - theirNow), maxMs);
}

/** Returns the whole seconds in the `Retry-After` of a response, at most `maxSeconds`; undefined as in `retryAfterMs`. */
export function retryAfterSecondsIn(
  headers: { get(name: string): string | null },
  maxSeconds: number,
): number | undefined {
  const theirNow = httpInstant(headers.get("date") ?? "");
  const ms = retryAfterMs(headers.get("retry-after"), { maxMs: maxSeconds * SECOND_MS, theirNow });
  return ms && Math.ceil(ms / SECOND_MS);
}

/** Longest wait that a client passes on to its caller: a year. */
export const MAX_WAIT_SECONDS = 31_622_400;
