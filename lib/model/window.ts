import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";

/** A window as the caller sees it after a request was counted. */
export interface WindowView<Name extends Period = WindowName> {
  readonly name: Name;
  readonly limit: number;
  /** Remaining requests, never negative. */
  readonly remaining: number;
  /** When the full limit is available again: a whole second, in milliseconds since the Unix epoch. */
  readonly resetsAt: number;
  /** 60, 3,600 or 86,400. */
  readonly lengthSeconds: number;
}

/** A window in which requests are limited. */
export type WindowName = "minute" | "day";

/** The length of a window. Limits of requests have no window of an hour. */
export type Period = WindowName | "hour";

export const windowLengthMs: Readonly<Record<Period, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** How often something is allowed in one window, or in each of two. */
export type Rates = Readonly<Partial<Record<Period, number>>>;

const periods: readonly Period[] = ["minute", "hour", "day"];

/** Returns the windows of `rates`, the shortest first. */
export function windowsOf(
  rates: Rates,
): readonly { readonly name: Period; readonly limit: number }[] {
  return periods.flatMap((name) => {
    const limit = rates[name];
    return limit === undefined ? [] : [{ name, limit }];
  });
}

/** A started window. Ends one length after `startAt`. */
export interface Window {
  /** The second of its first request, rounded down so that the end is a whole second too. */
  readonly startAt: number;
  readonly used: number;
  /** The highest value that `used` has had; a refund does not lower it. */
  readonly peak: number;
}

/** Returns the window for a request at `now`: the given one, or a new one if that has ended. */
export function windowAt(window: Window | undefined, name: Period, now: number): Window {
  if (window === undefined || now >= endOf(window, name)) {
    return { startAt: wholeSecond(now), used: 0, peak: 0 };
  }
  // If the clock was set back before the start, the window restarts and keeps its count: the quota is not granted
  // twice, and no wait is longer than one window.
  return now < window.startAt ? { ...window, startAt: wholeSecond(now) } : window;
}

/** Returns when the full limit is available again. */
export function endOf({ startAt }: Window, name: Period): number {
  return startAt + windowLengthMs[name];
}

/** Returns the window after one more request. */
export function charged({ startAt, used, peak }: Window): Window {
  return { startAt, used: used + 1, peak: used >= peak ? used + 1 : peak };
}

/** Returns the window after a refund of one request. */
export function refunded(window: Window): Window {
  return window.used === 0 ? window : { ...window, used: window.used - 1 };
}

export function viewOf<Name extends Period>(
  window: Window,
  name: Name,
  limit: number,
): WindowView<Name> {
  return {
    name,
    limit,
    // A smaller plan may have made `used` exceed the limit.
    remaining: window.used < limit ? limit - window.used : 0,
    resetsAt: endOf(window, name),
    lengthSeconds: windowLengthMs[name] / SECOND_MS,
  };
}

/**
 * Returns which of 80 and 100 percent of `limit` was crossed between two states of a window. Compares the peaks, so a
 * request that is refunded and repeated crosses nothing.
 */
export function crossed(before: Window, after: Window, limit: number): 80 | 100 | undefined {
  if (after.peak === before.peak || after.peak * 5 < limit * 4) return undefined;
  if (before.peak < limit && after.peak >= limit) return 100;
  return before.peak * 5 < limit * 4 ? 80 : undefined;
}

/** A window in a response. `account` is a per-minute window shared by all callers of an account. */
export interface ReportedWindow extends Omit<WindowView, "name"> {
  readonly name: Period | "account";
}

/** The state of the limits at one point in time. Instants are in milliseconds since the Unix epoch. */
export interface LimitStatus {
  /** When it was read. */
  readonly at: number;
  readonly windows: readonly [ReportedWindow, ...ReportedWindow[]];
}

/** Returns the window for the `X-RateLimit-…` headers: the lowest `remaining`; among equals, the latest reset. */
export function pick(windows: LimitStatus["windows"]): ReportedWindow {
  let [picked] = windows;
  for (const window of windows) {
    if (
      window.remaining < picked.remaining ||
      (window.remaining === picked.remaining && window.resetsAt > picked.resetsAt)
    ) {
      picked = window;
    }
  }
  return picked;
}

/** Returns how long a refused caller must wait, in whole seconds, at least one. */
export function retryAfterSeconds({ at, windows }: LimitStatus): number {
  let seconds = 1;
  for (const window of windows) {
    if (window.remaining === 0) seconds = Math.max(seconds, secondsUntilReset(window, at));
  }
  return seconds;
}

/** Returns the seconds until the full limit is available again, rounded up. */
export function secondsUntilReset({ resetsAt }: ReportedWindow, at: number): number {
  return Math.ceil((resetsAt - at) / SECOND_MS);
}

function wholeSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}
