import { DAY_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";

/** A window that a request was counted in, as its caller sees it afterwards. */
export interface WindowView {
  readonly name: WindowName;
  readonly limit: number;
  /** Remaining requests, never negative. */
  readonly remaining: number;
  /** A whole second, in milliseconds since the Unix epoch: from then on the window is full again. */
  readonly resetsAt: number;
  /** 60 or 86,400. */
  readonly lengthSeconds: number;
}

export type WindowName = "minute" | "day";

export const windowLengthMs: Readonly<Record<WindowName, number>> = {
  minute: MINUTE_MS,
  day: DAY_MS,
};

/** A started window. It ends one length after `startAt`. */
export interface Window {
  /** The whole second of its first request, so that its end is a whole second too. */
  readonly startAt: number;
  readonly used: number;
  /** The highest value of `used`; a refund does not lower it. */
  readonly peak: number;
}

/** Returns the window of a request at `now`: the given one, or a new one when that has ended. */
export function windowAt(window: Window | undefined, name: WindowName, now: number): Window {
  if (window === undefined || now >= endOf(window, name)) {
    return { startAt: wholeSecond(now), used: 0, peak: 0 };
  }
  return now < window.startAt ? putBack(window, now) : window;
}

/**
 * Restarts a window after the clock was put back before its start, and keeps its count: no quota is given twice, and no
 * wait is longer than one length.
 */
function putBack(window: Window, now: number): Window {
  return { ...window, startAt: wholeSecond(now) };
}

/** Returns when the window is full again. */
export function endOf({ startAt }: Window, name: WindowName): number {
  return startAt + windowLengthMs[name];
}

/** Returns the window after one more request. */
export function charged({ startAt, used, peak }: Window): Window {
  return { startAt, used: used + 1, peak: used >= peak ? used + 1 : peak };
}

/** Returns the window after a refund of one request. */
export function givenBack(window: Window): Window {
  return window.used === 0 ? window : { ...window, used: window.used - 1 };
}

export function viewOf(window: Window, name: WindowName, limit: number): WindowView {
  return {
    name,
    limit,
    // The plan may have become smaller while more than its limit was used.
    remaining: window.used < limit ? limit - window.used : 0,
    resetsAt: endOf(window, name),
    lengthSeconds: windowLengthMs[name] / SECOND_MS,
  };
}

/**
 * Returns which of 80 and 100 percent of `limit` was crossed between two states of a window. It compares the peaks: a
 * refunded and repeated request crosses nothing.
 */
export function crossed(before: Window, after: Window, limit: number): 80 | 100 | undefined {
  if (after.peak === before.peak || after.peak * 5 < limit * 4) return undefined;
  if (before.peak < limit && after.peak >= limit) return 100;
  return before.peak * 5 < limit * 4 ? 80 : undefined;
}

/** A window in an answer; `account` is a minute that all callers of an account share. */
export interface ReportedWindow extends Omit<WindowView, "name"> {
  readonly name: WindowName | "account";
}

/** The state of the limits at an instant. */
export interface LimitStatus {
  /** When it was read. */
  readonly at: number;
  readonly windows: readonly [ReportedWindow, ...ReportedWindow[]];
}

/** Returns the window for the `X-RateLimit-…` headers: the lowest `remaining`, and the later reset of equal ones. */
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

/** Returns how long to wait after a refusal until a request passes: whole seconds, at least one. */
export function retryAfterSeconds({ at, windows }: LimitStatus): number {
  let seconds = 1;
  for (const window of windows) {
    if (window.remaining === 0) seconds = Math.max(seconds, secondsUntilReset(window, at));
  }
  return seconds;
}

/** Returns the whole seconds until the window is full again. */
export function secondsUntilReset({ resetsAt }: ReportedWindow, at: number): number {
  return Math.ceil((resetsAt - at) / SECOND_MS);
}

function wholeSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}
