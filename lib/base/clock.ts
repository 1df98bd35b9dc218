/** The time, passed in so that tests can control it. Only `systemClock` reads the real time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Milliseconds since any instant, by a clock that is never set. Absent: a jump of `now` is not noticed. */
  steady?(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", abort, { once: true });
    }),
};

export const SECOND_MS = 1_000;
export const MINUTE_MS: number = 60_000;
export const HOUR_MS: number = 3_600_000;
export const DAY_MS: number = 86_400_000;

/** `2026-11-20T09:30:00.000Z` (RFC 3339). */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 instant to whole milliseconds; undefined for any other text and before 1970. */
export function readTime(text: string): number | undefined {
  const upper = text.toUpperCase();
  const date = TIME.exec(upper)?.[1];
  if (date === undefined) return undefined;
  // Engines parse 30 February as 2 March.
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(day) || !isoTime(day).startsWith(date)) return undefined;
  const at = Math.floor(Date.parse(upper));
  return at >= 0 ? at : undefined;
}

/** Converts an instant for libraries that take a `Date`. */
export function dateOf(at: number): Date {
  return new Date(at);
}

/** `Thu, 05 Dec 2030 00:00:00 GMT` (RFC 9110 §5.6.7). */
export function httpTime(at: number): string {
  return new Date(at).toUTCString();
}

/** Parses `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7) from 1970 on; undefined for any other text. */
export function httpInstant(text: string): number | undefined {
  const at = Date.parse(text);
  // Engines parse many other texts too, and 30 February as 2 March.
  return at >= 0 && httpTime(at) === text ? at : undefined;
}

let lastTime = NaN;
let lastText = "";

/** Formats an instant in base 36, which takes long: the last one is remembered, since many answers share it. */
export function base36Time(at: number): string {
  if (at !== lastTime) {
    lastTime = at;
    lastText = at.toString(36);
  }
  return lastText;
}
