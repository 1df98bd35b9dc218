import type { Clock } from "../../lib/index.ts";

/** A clock that shows instants of the past until it arrives at the present. */
export interface TravelClock extends Clock {
  /** Shows an instant from now on, never an earlier one than before. */
  goTo(at: number): void;
  /** Shows the present from now on. */
  arrive(): void;
}

/** Creates a clock that begins at `start`, and arrives at what `present` shows. It sleeps as that one does. */
export function travelClock(
  present: Clock & Required<Pick<Clock, "steady">>,
  start: number,
): TravelClock {
  let stands: number | undefined = start;
  // Its steady time passes as well, so that nobody takes the journey for a clock that was set.
  const difference = present.now() - present.steady();
  const now = (): number => stands ?? present.now();
  return {
    now,
    steady: () => (stands === undefined ? present.steady() : stands - difference),
    sleep: (ms, signal) => present.sleep(ms, signal),
    goTo: (at) => {
      stands = Math.max(at, now());
    },
    arrive: () => {
      stands = undefined;
    },
  };
}
