import { DAY_MS, readTime, SECOND_MS } from "../../lib/base/clock.ts";

/** No CA means more than that. */
const MAX_WAIT_MS = 30 * DAY_MS;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * The instant of a `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3), from `now` to 30 days later, on our
 * clock. A date is read in the CA's time, which is `aheadMs` ahead. Undefined when there is none that can be read.
 */
export function retryInstant(
  header: string | undefined,
  now: number,
  aheadMs = 0,
): number | undefined {
  const text = header?.trim() ?? "";
  const date = httpInstant(text);
  const inTheirTime = date === undefined ? undefined : date - aheadMs;
  const at = /^\d{1,15}$/.test(text) ? now + Number(text) * SECOND_MS : inTheirTime;
  return at === undefined ? undefined : Math.min(Math.max(at, now), now + MAX_WAIT_MS);
}

/** The instant of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that may be sent (RFC 9110 §5.6.7). */
export function httpInstant(text: string): number | undefined {
  const parts = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text);
  if (parts === null) return undefined;
  const [, day, month = "", year, time] = parts;
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return readTime(`${year}-${number}-${day}T${time}Z`);
}

/** How far the clock of the one who sent these headers is ahead; a cache's `Age` counts. Undefined when they do not say. */
export function aheadIn(
  { date = "", age = "" }: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined {
  const sentAt = httpInstant(date);
  if (sentAt === undefined) return undefined;
  return sentAt + (/^\d{1,9}$/.test(age) ? Number(age) * SECOND_MS : 0) - now;
}
