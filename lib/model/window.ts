import { DAY_MS, MINUTE_MS, SECOND_MS } from "../base/clock.ts";

/** One of the windows a request was counted in, as its caller sees it afterwards. */
export interface WindowView {
  readonly name: WindowName;
  readonly limit: number;
  /** Requests left, never negative. */
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

/** A window that has begun. It ends one length after `startAt`, whatever happens in it. */
export interface Window {
  /** The whole second of its first request, so that its end can be told exactly in seconds. */
  readonly startAt: number;
  readonly used: number;
  /** The most that `used` has been; giving back does not lower it. */
  readonly peak: number;
}

/** The window of a request at `now`: the one that has begun, or a fresh one when that is over. */
export function windowAt(window: Window | undefined, name: WindowName, now: number): Window {
  if (window === undefined || now >= endOf(window, name)) {
    return { startAt: wholeSecond(now), used: 0, peak: 0 };
  }
  return now < window.startAt ? putBack(window, now) : window;
}

/**
 * The window after a clock was put back behind its beginning: it begins now, and what was used stays used.
 * So nobody is given quota twice, and nobody waits longer than one length.
 */
function putBack(window: Window, now: number): Window {
  return { ...window, startAt: wholeSecond(now) };
}

/** When the window is full again. */
export function endOf({ startAt }: Window, name: WindowName): number {
  return startAt + windowLengthMs[name];
}

/** After one request more. */
export function charged({ startAt, used, peak }: Window): Window {
  return { startAt, used: used + 1, peak: used >= peak ? used + 1 : peak };
}

/** After one request was given back. */
export function givenBack(window: Window): Window {
  return window.used === 0 ? window : { ...window, used: window.used - 1 };
}

export function viewOf(window: Window, name: WindowName, limit: number): WindowView {
  return {
    name,
    limit,
    // A smaller plan may have come while more than it allows was used.
    remaining: window.used < limit ? limit - window.used : 0,
    resetsAt: endOf(window, name),
    lengthSeconds: windowLengthMs[name] / SECOND_MS,
  };
}

/**
 * Which of 80 and 100 percent of `limit` was crossed between the two.
 * Peaks are compared: a request given back and made again crosses nothing.
 */
export function crossed(before: Window, after: Window, limit: number): 80 | 100 | undefined {
  if (after.peak === before.peak || after.peak * 5 < limit * 4) return undefined;
  if (before.peak < limit && after.peak >= limit) return 100;
  return before.peak * 5 < limit * 4 ? 80 : undefined;
}

/** A window as an answer tells of it; `account` is a minute that all callers of an account share. */
export interface ToldWindow extends Omit<WindowView, "name"> {
  readonly name: WindowName | "account";
}

/** What a verdict tells about time: enough to say what to do next. */
export interface Standing {
  /** When it was found. */
  readonly at: number;
  readonly windows: readonly [ToldWindow, ...ToldWindow[]];
}

/** The window that the `X-RateLimit-…` headers speak of: the lowest `remaining`, of equal ones the later reset. */
export function pick(windows: Standing["windows"]): ToldWindow {
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

/** How long to wait after a refusal so that the next request passes: whole seconds, at least one. */
export function retryAfterSeconds({ at, windows }: Standing): number {
  let seconds = 1;
  for (const window of windows) {
    if (window.remaining === 0) seconds = Math.max(seconds, secondsUntilReset(window, at));
  }
  return seconds;
}

/** Whole seconds after which the window is full again. */
export function secondsUntilReset({ resetsAt }: ToldWindow, at: number): number {
  return Math.ceil((resetsAt - at) / SECOND_MS);
}

function wholeSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}
