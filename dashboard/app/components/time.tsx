import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { HOUR_MS, isoTime, MINUTE_MS, SECOND_MS, systemClock } from "../../../lib/base/clock.ts";
import { date, dateTime, relative } from "../words/format.ts";

/** An instant relative to now, kept up to date, with the exact time in its title. */
export function Instant({ at }: { readonly at: number }): JSX.Element {
  const near = Math.abs(at - systemClock.now()) < MINUTE_MS * 2;
  useNow(near ? 15 * SECOND_MS : MINUTE_MS);
  return (
    <time dateTime={isoTime(at)} title={dateTime(at)}>
      {relative(at)}
    </time>
  );
}

/** An instant as date and time, or with `day` as a date. */
export function Moment({
  at,
  day = false,
}: {
  readonly at: number;
  readonly day?: boolean;
}): JSX.Element {
  return <time dateTime={isoTime(at)}>{day ? date(at) : dateTime(at)}</time>;
}

/** The time until an instant, counted down in seconds; then `passed`. */
export function Countdown({
  at,
  passed,
}: {
  readonly at: number;
  readonly passed: string;
}): JSX.Element {
  const now = useNow(SECOND_MS);
  if (now >= at) return <span>{passed}</span>;
  return (
    <time class="countdown" dateTime={isoTime(at)} title={dateTime(at)}>
      {left(at - now)}
    </time>
  );
}

/** Returns the current instant and renders again every `everyMs`. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(systemClock.now());
  useEffect(() => {
    const timer = window.setInterval(() => {
      setNow(systemClock.now());
    }, everyMs);
    return () => {
      window.clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}

/** Formats a duration as `0:14`, `12:03` or `7:00:59`, rounded up to seconds. */
export function left(ms: number): string {
  const rest = Math.max(0, Math.ceil(ms / SECOND_MS) * SECOND_MS);
  const hours = Math.floor(rest / HOUR_MS);
  const minutes = Math.floor((rest % HOUR_MS) / MINUTE_MS);
  const seconds = twoDigits((rest % MINUTE_MS) / SECOND_MS);
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${twoDigits(minutes)}:${seconds}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
