import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { isoTime, MINUTE_MS, systemClock } from "../../../lib/base/clock.ts";
import { dateTime, relative } from "../words/format.ts";

const SOON_MS = 15_000;

/** An instant as people speak of it, with the exact one behind it. It goes on by itself. */
export function Instant({ at }: { readonly at: number }): JSX.Element {
  const [, again] = useState(0);
  const near = Math.abs(at - systemClock.now()) < MINUTE_MS * 2;
  useEffect(() => {
    const timer = window.setInterval(() => again((turn) => turn + 1), near ? SOON_MS : MINUTE_MS);
    return () => {
      window.clearInterval(timer);
    };
  }, [near]);
  return (
    <time dateTime={isoTime(at)} title={dateTime(at)}>
      {relative(at)}
    </time>
  );
}
