import type { JSX } from "preact";

import { isoTime } from "../../../lib/base/clock.ts";
import { date, dateTime } from "../words/format.ts";

/** An instant as calendars and clocks have it; `day`: without the hour, where nobody needs it. */
export function Moment({
  at,
  day = false,
}: {
  readonly at: number;
  readonly day?: boolean;
}): JSX.Element {
  return <time dateTime={isoTime(at)}>{day ? date(at) : dateTime(at)}</time>;
}
