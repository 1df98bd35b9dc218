import { useEffect, useState } from "preact/hooks";

import { systemClock } from "../../../lib/base/clock.ts";

/** The instant, which goes on every `everyMs` as long as it is shown; not at all where that is undefined. */
export function useNow(everyMs: number | undefined): number {
  const [now, setNow] = useState(systemClock.now());
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = window.setInterval(() => {
      setNow(systemClock.now());
    }, everyMs);
    return () => {
      window.clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}
