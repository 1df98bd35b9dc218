import { readTime, SECOND_MS } from "./clock.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Parses an IMF-fixdate such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7). */
export function httpInstant(text: string): number | undefined {
  const parts = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text);
  if (parts === null) return undefined;
  const [, day, month = "", year, time] = parts;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return readTime(`${year}-${number}-${day}T${time}Z`);
}

/** More digits than any wait has; a longer text is not one. */
const MAX_DIGITS = 32;

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
  if (/^\d+$/.test(text) && text.length <= MAX_DIGITS) {
    return Math.min(Number(text) * SECOND_MS, maxMs);
  }
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
  return ms === undefined ? undefined : Math.ceil(ms / SECOND_MS);
}

/** Longest wait that a client passes on to its caller: a year. */
export const MAX_WAIT_SECONDS: number = 366 * 24 * 3_600;
