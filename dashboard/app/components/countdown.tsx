import type { JSX } from "preact";

import { isoTime, SECOND_MS } from "../../../lib/base/clock.ts";
import { useNow } from "../state/now.ts";
import { dateTime } from "../words/format.ts";
import { left } from "../words/left.ts";

/** How long it is until an instant, second by second; `passed` when it has come. */
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
